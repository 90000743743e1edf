/*
 * tied.h -- tables that go by two names: what a checkpoint stores of them, and whether the values of both are the same.
 *
 * A head is tied when the configuration says that it is the table of tokens. A file may store one of them, under either name, or both.
 * Where both are there the second is a copy; that its values are those of the first is known where they were compared, whole, which
 * --values asks for. A copy that was rounded to another type of floats is a copy, and so is one that is packed, whose values are not
 * compared. Another head is a head of its own: transformers 5 keeps both, and so the model is made anew as one that is not tied.
 */
#ifndef NUMEL_STATEMENT_TIED_H
#define NUMEL_STATEMENT_TIED_H

#include "model/tensor.h"

enum tied_values {
    TIED_UNREAD, /* not compared, as nobody asked, or as .why says */
    TIED_SAME,
    TIED_ROUNDED,
    TIED_OTHER
};

struct tied_pair {
    uint32_t table, copy; /* tensors */
    enum tied_values values;
    const char *why;    /* of UNREAD: "" where nobody asked */
    uint64_t differing; /* of OTHER; where types differ, not counted */
    uint64_t elements;
};

struct tied {
    struct tied_pair *pairs; /* what is stored twice; of the arena */
    size_t count;
    bool compared; /* the values were asked for */
};

/* What m stores twice. Needs m->x and a checkpoint; `read`: compares the values, of which a file that cannot be read is a reason not
 * to. NOMEM. */
NUMEL_MUST bool tied_look(struct tied *out, const struct model *m, bool read, struct arena *a,
                          numel_error *e);
/* Is one of them not what it is a copy of? */
bool tied_differs(const struct tied *t);
/* Of all of them: "values not compared", "same values". */
const char *tied_note(const struct tied *t);
/* A sentence of a pair, without an end. NULL: out of memory. */
NUMEL_MUST const char *tied_text(const struct tied_pair *p, const struct registry *r, struct arena *a);
/* Clauses that go behind "agrees": of a head of its own; with `all` of the other pairs, of what is stored under the name of its copy
 * alone, and of a head that is not stored, which a statement has in its lines. "" where there are none. NULL: out of memory. */
NUMEL_MUST const char *tied_clauses(const struct tied *t, const struct model *m, bool all, struct arena *a);
/* The same of a row of m that is stored under another name; NULL: out of memory. */
NUMEL_MUST const char *tied_renamed_text(const struct model *m, const struct model_row *row, struct arena *a);

#endif
