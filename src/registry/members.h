/*
 * members.h -- the tensors of a pattern, found by the numbers in their names.
 *
 *     model.layers.#.mlp.experts.#.up_proj.weight, (12, 3)  ->  tensor 4711
 *
 * A pattern whose numbers are dense has a table indexed by them. If they are sparse, it has none, and names
 * are looked up one by one.
 *
 * A run consists of the names of a stack: one pattern, with one number that counts while the others are
 * fixed.
 */
#ifndef NUMEL_REGISTRY_MEMBERS_H
#define NUMEL_REGISTRY_MEMBERS_H

#include "registry/registry.h"

struct members_box {
    uint32_t *tensors; /* by numbers, the last one fastest; NAMES_ABSENT: none; NULL: no table */
    uint32_t from[PATTERN_SLOTS], size[PATTERN_SLOTS];
};

struct members {
    const struct registry *registry; /* NULL: not made yet */
    struct members_box *boxes;       /* by pattern */
};

struct members_run {
    uint32_t pattern;
    uint32_t numbers[PATTERN_SLOTS];
    uint8_t slot; /* that of the counting number */
};

/* Needs a committed registry that outlives it. All memory is in the arena. NOMEM. */
NUMEL_MUST bool members_make(struct members *m, const struct registry *r, struct arena *a, numel_error *e);
/* Gets the run of two names that differ only in the numbers `i` and `i + 1`. False if it is not a run, or
 * if the pattern has no table. */
bool members_run(const struct members *m, numel_str name, numel_str next, uint32_t i,
                 struct members_run *out);
/* The tensor with number i in the run, the first if several have it; or NAMES_ABSENT. */
uint32_t members_at(const struct members *m, const struct members_run *run, uint32_t i);

#endif
