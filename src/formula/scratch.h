/*
 * scratch.h -- the memory of what expressions make, so that a loop needs no more of it for more turns.
 *
 * Texts and keys are made in an arena, and all that is needed of them once a line of a spec is done is what
 * symbols are worth. Now and then those are copied into a second arena, and the first is emptied; then the two
 * change places. How much that is depends on the symbols, not on how many lines were walked.
 */
#ifndef NUMEL_FORMULA_SCRATCH_H
#define NUMEL_FORMULA_SCRATCH_H

#include "formula/eval.h"

struct scratch {
    struct arena *values; /* that the environment's values are made in */
    struct arena other;
    size_t kept; /* bytes that were needed when it was last swept */
};

void scratch_init(struct scratch *s, struct arena *values);
void scratch_done(struct scratch *s); /* not of the values */
/* When much has been made since. No value but those of symbols is needed any longer. LIMIT: even those are too large.
 * NOMEM. */
NUMEL_MUST bool scratch_sweep(struct scratch *s, struct env *env);

#endif
