/*
 * counts.h -- the ways to count a model: stored, logical, unique, parameters and their subsets.
 *
 * design.md and numel.1 define them. `stored` and `logical` cover all tensors; `parameters` and the following
 * ones only those that the class loads, at the size they have in the model.
 */
#ifndef NUMEL_MODEL_COUNTS_H
#define NUMEL_MODEL_COUNTS_H

#include "base/error.h"

struct model;

struct counts {
    uint64_t stored, logical, unique, parameters, buffers, non_embedding, active;
    bool has_active; /* the number of experts used is known */
};

/* Sets m->counts. Needs m->match. OVERFLOW if the logical elements do not fit in 64 bits. */
NUMEL_MUST bool counts_make(struct model *m, numel_error *e);
/* The number of routed experts that a token passes through, from the configuration; 0 if missing. NOMEM. */
NUMEL_MUST bool experts_used(struct model *m, uint64_t *used, numel_error *e);
/* The number of elements that a tensor represents: packed values expanded; 0 for a quantizer's other
 * tensors. */
uint64_t model_logical(const struct model *m, uint32_t tensor);

#endif
