/*
 * members.h -- the tensors of a pattern, found by the numbers in their names.
 *
 *     model.layers.#.mlp.experts.#.up_proj.weight, (12, 3)  ->  tensor 4711
 *
 * Each pattern with dense numbers has a table of them; a pattern with sparse numbers has none, and its names
 * are looked up one by one.
 *
 * A run is the names of a stack: one pattern, fixed numbers, and one number that counts.
 */
#ifndef NUMEL_REGISTRY_MEMBERS_H
#define NUMEL_REGISTRY_MEMBERS_H

#include "registry/registry.h"

struct members_box {
    uint32_t *
        tensors; /* by numbers, the last one fastest; NAMES_ABSENT: none. NULL: the pattern has no table of numbers */
    uint32_t from[PATTERN_SLOTS], size[PATTERN_SLOTS];
};

struct members {
    const struct registry *registry; /* NULL: not made yet */
    struct members_box *boxes;       /* by pattern */
};

struct members_run {
    uint32_t pattern;
    uint32_t numbers[PATTERN_SLOTS];
    uint8_t slot; /* of the counting number */
};

/* Needs a committed registry that outlives it; everything is in the arena. NOMEM. */
NUMEL_MUST bool members_make(struct members *m, const struct registry *r, struct arena *a, numel_error *e);
/* The run of two names that differ only in the numbers `i` and `i + 1`. False: not a run, or their pattern
 * has no table. */
bool members_run(const struct members *m, numel_str name, numel_str next, uint32_t i,
                 struct members_run *out);
/* The tensor of the run's name number i, the first if several have it; or NAMES_ABSENT. */
uint32_t members_at(const struct members *m, const struct members_run *run, uint32_t i);

#endif
