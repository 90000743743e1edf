/*
 * tied.h -- tables with two names: which of them a checkpoint stores, and whether both have the same values.
 *
 * A head is tied if the configuration declares it to be the token table. A file may store one of the two,
 * under either name, or both. If it stores both, the second one is a copy; whether its values are the same is
 * only known if all of them were compared, which --values requests. A copy rounded to another float type is
 * still a copy, and so is a packed one, whose values are not compared. A head with different values is a head
 * of its own: transformers 5 keeps both, so the model is made again as untied.
 */
#ifndef NUMEL_STATEMENT_TIED_H
#define NUMEL_STATEMENT_TIED_H

#include "model/tensor.h"

enum tied_values {
    TIED_UNREAD, /* not compared: not requested, or see `why` */
    TIED_SAME,
    TIED_ROUNDED,
    TIED_OTHER
};

struct tied_pair {
    uint32_t table, copy; /* indices of tensors */
    enum tied_values values;
    const char *why;    /* for UNREAD: the reason; "" if not requested */
    uint64_t differing; /* for OTHER: number of values; not counted if types differ */
    uint64_t elements;
};

struct tied {
    struct tied_pair *pairs; /* tables stored twice; in the arena */
    size_t count;
    bool compared; /* values were to be compared */
};

/* Finds the tables that m stores twice. Needs m->x and a checkpoint. With `read`, compares the values,
 * unless a file is unreadable. NOMEM. */
NUMEL_MUST bool tied_look(struct tied *out, const struct model *m, bool read, struct arena *a,
                          numel_error *e);
/* True if any copy differs from its table. */
bool tied_differs(const struct tied *t);
/* For all pairs: "values not compared", "same values". */
const char *tied_note(const struct tied *t);
/* A sentence about a pair, without a full stop. NULL: out of memory. */
NUMEL_MUST const char *tied_text(const struct tied_pair *p, const struct registry *r, struct arena *a);
/* Clauses that follow "agrees", about a head of its own. With `all`, also about the other pairs, about
 * tensors stored only under their copy's name, and about a head that is not stored, all of which a
 * statement shows in its lines. "" if there are none. NULL: out of memory. */
NUMEL_MUST const char *tied_clauses(const struct tied *t, const struct model *m, bool all, struct arena *a);
/* A clause about a row of m that is stored under another name; NULL: out of memory. */
NUMEL_MUST const char *tied_renamed_text(const struct model *m, const struct model_row *row, struct arena *a);

#endif
