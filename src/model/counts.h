/*
 * counts.h -- the ways of counting one model: stored, logical, unique, parameters and what they leave out.
 *
 * As design.md and numel.1 define them. `stored` and `logical` are of all tensors; `parameters` and what
 * follows are of those that the class loads, at the size that the model gives them.
 */
#ifndef NUMEL_MODEL_COUNTS_H
#define NUMEL_MODEL_COUNTS_H

#include "base/error.h"

struct model;

struct counts {
    uint64_t stored, logical, unique, parameters, buffers, non_embedding, active;
    bool has_active; /* the number of experts used is known */
};

/* Sets m->counts. Needs m->match. OVERFLOW when the logical elements do not fit in 64 bits. */
NUMEL_MUST bool counts_make(struct model *m, numel_error *e);
/* How many of the routed experts a token passes: a key of the configuration; 0 when it has none. NOMEM. */
NUMEL_MUST bool experts_used(struct model *m, uint64_t *used, numel_error *e);
/* What a tensor stands for: packed values expanded, and 0 for what a quantizer wrote beside them. */
uint64_t model_logical(const struct model *m, uint32_t tensor);

#endif
