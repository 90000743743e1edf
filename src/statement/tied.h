/*
 * tied.h -- tables with two names: what a checkpoint stores of them, and whether both have the same values.
 *
 * A head is tied when the configuration says that it is the table of tokens. A file may store one of them, under either
 * name, or both. If both are there, the second is a copy; that its values are the same is known only if all of them were
 * compared, which --values asks for. A copy rounded to another float type is a copy, and so is a packed one, whose values
 * are not compared. A head that differs is its own: transformers 5 keeps both, so the model is made anew as untied.
 */
#ifndef NUMEL_STATEMENT_TIED_H
#define NUMEL_STATEMENT_TIED_H

#include "model/tensor.h"

enum tied_values {
    TIED_UNREAD, /* not compared: not requested, or see .why */
    TIED_SAME,
    TIED_ROUNDED,
    TIED_OTHER
};

struct tied_pair {
    uint32_t table, copy; /* tensors */
    enum tied_values values;
    const char *why;    /* of UNREAD: "" if not requested */
    uint64_t differing; /* of OTHER; not counted if types differ */
    uint64_t elements;
};

struct tied {
    struct tied_pair *pairs; /* stored twice; in the arena */
    size_t count;
    bool compared; /* comparison was requested */
};

/* Finds what m stores twice. Needs m->x and a checkpoint; `read` compares the values; an unreadable file is a
 * reason not to. NOMEM. */
NUMEL_MUST bool tied_look(struct tied *out, const struct model *m, bool read, struct arena *a,
                          numel_error *e);
/* Does any copy differ from its table? */
bool tied_differs(const struct tied *t);
/* For all pairs: "values not compared", "same values". */
const char *tied_note(const struct tied *t);
/* A sentence about a pair, no full stop. NULL: out of memory. */
NUMEL_MUST const char *tied_text(const struct tied_pair *p, const struct registry *r, struct arena *a);
/* Clauses that follow "agrees": about a head of its own; with `all`, also about the other pairs, tensors stored only under their
 * copy's name, and a head that is not stored, which a statement has in its lines. "" if none. NULL: out of memory. */
NUMEL_MUST const char *tied_clauses(const struct tied *t, const struct model *m, bool all, struct arena *a);
/* The same for a row of m that is stored under another name; NULL: out of memory. */
NUMEL_MUST const char *tied_renamed_text(const struct model *m, const struct model_row *row, struct arena *a);

#endif
