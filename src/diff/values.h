/*
 * values.h -- the values of two checkpoints: of each link of two tensors, how far they are apart, and which layers differ.
 *
 * A link of one tensor and one that have the same shape is a pair (content/compare.h); links of several tensors, and
 * tensors of other shapes, are pairs that say why they were not compared. What stands alone is a difference in structure
 * and no business of values.
 *
 * A layer is what shares a name up to a number: "model.layers.12". Of several numbers in a name it is the first that has
 * more than one value in its place ("0.encoder.layer.3": the 3). A tensor outside of layers is a row by itself.
 */
#ifndef NUMEL_DIFF_VALUES_H
#define NUMEL_DIFF_VALUES_H

#include "diff/diff.h"

#include "content/compare.h"

struct value_layer {
    numel_str name; /* "model.layers.12"; of a tensor outside of layers, its name */
    numel_str stem; /* "model.layers."; of such a tensor empty */
    uint64_t number;
    uint64_t tensors, equal, differ, not_compared;
    uint64_t same_bytes; /* of those that are equal: their types are, too */
    struct distance d;   /* of those that differ and have a distance; its elements are 0 without such */
    bool undefined;      /* one of those has none: NaN against a number */
};

struct value_row { /* layers first to last, a row of text */
    size_t first, last;
    const char *name; /* "model.layers.[0-11]", escaped */
};

struct diff_values {
    struct compare c;
    uint32_t *links; /* of each pair: its link */
    uint64_t equal, differ, not_compared, same_bytes;
    uint64_t why[COMPARE_STATE_COUNT]; /* pairs */
    uint64_t turned;                   /* pairs whose rows were compared in the converter's order */
    size_t unreadable;                 /* files, of both sides */
    uint32_t *most;                    /* pairs that differ, the most changed first */
    size_t most_count;
    struct value_layer *layers;
    size_t layer_count;
    struct value_row *rows;
    size_t row_count;
    double largest; /* relative distance of a layer; 0: of none */
};

/* All in the diff's arena. NOMEM; what compare_run() says. */
NUMEL_MUST bool diff_compare(struct diff_values *v, const struct diff *d, const numel_work *how,
                             numel_error *e);

static inline const numel_tensor *value_tensor(const struct diff_values *v, uint32_t pair, int side)
{
    return &v->c.side[side].tensors[v->c.pairs[pair].tensor[side]];
}

/* value_layers.c: layers and rows. */
NUMEL_MUST bool values_fold(struct diff_values *v, const struct diff *d, numel_error *e);
/* Are all tensors of a layer the same, to the bit? */
static inline bool value_layer_same(const struct value_layer *l) { return l->same_bytes == l->tensors; }

#endif
