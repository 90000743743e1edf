/*
 * against.h -- two checkpoints against one base: which of them is closer to it, by tensor and layer.
 *
 * Both were compared with the base (values.h). A tensor counts that both comparisons have and that differs in
 * one of them at least; where the other is equal, its distance is 0. So both sides of a row are sums over the
 * same elements of the base.
 */
#ifndef NUMEL_DIFF_AGAINST_H
#define NUMEL_DIFF_AGAINST_H

#include "diff/values.h"

enum against_closer { AGAINST_NONE, AGAINST_B, AGAINST_C, AGAINST_SAME };

struct against_row {
    numel_str name;       /* the base's */
    const char *dtype[2]; /* of a tensor; NULL: of a layer */
    uint64_t tensors;
    struct distance d[2];       /* from the base */
    enum against_closer closer; /* NONE: a distance is undefined */
};

struct against {
    struct against_row *layers, *tensors; /* tensors: the two that are most unlike first */
    size_t layer_count, tensor_count;
    struct against_row all;
    uint64_t closer[4];    /* tensors, by enum against_closer */
    uint64_t equal;        /* tensors that equal the base's in both */
    uint64_t not_compared; /* tensors of the base that only one comparison has, or that only bits compare */
};

/* In the arena, which must outlive it, as must both comparisons. NOMEM. */
NUMEL_MUST bool against_make(struct against *x, const struct diff_values *b, const struct diff_values *c,
                             struct arena *a, numel_error *e);

#endif
