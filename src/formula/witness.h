/*
 * witness.h -- what a file itself shows of one module's storage: dims and data of small tensors next to it,
 * and JSON texts in its metadata.
 *
 * Layouts read it with dim(), ints(), number(), json() and meta(). Names have marks for the parts of the
 * module's name (formula/layout.h), so one question serves all modules. Questions and answers are recorded:
 * forms made from them serve every other module with the same answers.
 */
#ifndef NUMEL_FORMULA_WITNESS_H
#define NUMEL_FORMULA_WITNESS_H

#include "formula/spec.h"
#include "formula/value.h"

enum { WITNESS_DATA = 4096 }; /* limit for reading a tensor, in bytes */

/* Each function returns false if the thing does not exist or cannot be read. Each may be NULL: nothing
 * exists. */
struct nearby {
    bool (*dim)(void *ctx, numel_str marked, uint64_t axis, uint64_t *size);
    bool (*read)(void *ctx, numel_str marked, uint8_t out[WITNESS_DATA], size_t *n, const char **type);
    bool (*meta)(void *ctx, numel_str marked, numel_str *text);
    /* The full name in the file of the weight that a marked name stands for, as metadata names modules; in
     * the arena. */
    bool (*key)(void *ctx, numel_str marked, struct arena *, numel_str *key);
    /* True if the file has nothing under such names for any module; then no other module is asked. */
    bool (*silent)(void *ctx, enum function function, numel_str marked);
    void *ctx;
};

struct asked {
    const struct asked *next;
    enum function function;
    numel_str name, path; /* marked; "shape.0" */
    struct value value;   /* null: the file has none */
    bool settled;         /* ... for any module */
};

struct asking {
    const struct nearby *nearby; /* NULL: the answer to everything is null */
    const struct asked *first;   /* answers so far */
    struct arena *arena;         /* keeps them; NULL: the caller's */
};

/* The answer, recorded or new. NOMEM. */
NUMEL_MUST bool witness_ask(struct asking *w, enum function function, numel_str name, numel_str path,
                            struct arena *a, struct value *out, numel_error *e);
/* Sets *same if another module gives equal answers to all of these questions. NOMEM. */
NUMEL_MUST bool witness_same(const struct asked *first, const struct nearby *nearby, struct arena *a,
                             bool *same, numel_error *e);

#endif
