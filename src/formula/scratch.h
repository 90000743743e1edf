/*
 * scratch.h -- memory for values of expressions, so that long loops need no more of it.
 *
 * Texts and keys are made in an arena. After a line of a spec, only the values of symbols are still needed.
 * From time to time those are copied to a second arena, the first is emptied, and the two are swapped. So the
 * memory depends on the symbols, not on the number of lines walked.
 */
#ifndef NUMEL_FORMULA_SCRATCH_H
#define NUMEL_FORMULA_SCRATCH_H

#include "formula/eval.h"

struct scratch {
    struct arena *values; /* the arena of the environment's values */
    struct arena other;
    size_t kept; /* bytes in use after the last sweep */
};

void scratch_init(struct scratch *s, struct arena *values);
void scratch_done(struct scratch *s); /* does not free the values */
/* Sweeps if enough has been allocated since the last time. Only the values of symbols may still be in use.
 * LIMIT: even those are too large. NOMEM. */
NUMEL_MUST bool scratch_sweep(struct scratch *s, struct env *env);

#endif
