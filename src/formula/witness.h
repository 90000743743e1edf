/*
 * witness.h -- what a file itself says of one module's storage: dims and data of the small tensors beside it, and
 * the JSON texts of its metadata.
 *
 * Layouts ask with dim(), ints(), number(), json() and meta(); names hold marks for the parts of the module's name
 * (formula/layout.h), so that one question serves all modules. What was asked and answered is kept: forms that were
 * made by those answers serve every other module that gives the same ones.
 */
#ifndef NUMEL_FORMULA_WITNESS_H
#define NUMEL_FORMULA_WITNESS_H

#include "formula/spec.h"
#include "formula/value.h"

enum { WITNESS_DATA = 4096 }; /* bytes of a tensor that may be read */

/* Each is false when there is no such thing, or it cannot be had. Each may be NULL: then there is none. */
struct nearby {
    bool (*dim)(void *ctx, numel_str marked, uint64_t axis, uint64_t *size);
    bool (*read)(void *ctx, numel_str marked, uint8_t out[WITNESS_DATA], size_t *n, const char **type);
    bool (*meta)(void *ctx, numel_str marked, numel_str *text);
    /* What is marked under the full name of the weight in its file, of the arena: as metadata name a module. */
    bool (*key)(void *ctx, numel_str marked, struct arena *, numel_str *key);
    /* Is the file silent about such names for every module? Then no module is asked again. */
    bool (*silent)(void *ctx, enum function function, numel_str marked);
    void *ctx;
};

struct asked {
    const struct asked *next;
    enum function function;
    numel_str name, path; /* marked; "shape.0" */
    struct value value;   /* null: the file is silent */
    bool settled;         /* ... and is so for all modules */
};

struct asking {
    const struct nearby *nearby; /* NULL: there is nobody to ask, and the answer to all is null */
    const struct asked *first;   /* answers until now */
    struct arena *arena;         /* that they are kept in; NULL: with what asks */
};

/* The answer, known or asked for. NOMEM. */
NUMEL_MUST bool witness_ask(struct asking *w, enum function function, numel_str name, numel_str path,
                            struct arena *a, struct value *out, numel_error *e);
/* Does another module answer all of these questions alike? NOMEM. */
NUMEL_MUST bool witness_same(const struct asked *first, const struct nearby *nearby, struct arena *a,
                             bool *same, numel_error *e);

#endif
