/*
 * values.h -- the values of two checkpoints: the distance of each link of two tensors, and which layers
 * differ.
 *
 * A link of one tensor with one of the same shape is a pair (content/compare.h); links of several tensors, or
 * of different shapes, become pairs with a reason why they are not compared. Unpaired tensors are a
 * difference in structure, not in values.
 *
 * A layer is the tensors that share a name up to a number: "model.layers.12". If a name has several numbers,
 * it is the first that varies ("0.encoder.layer.3": the 3). A tensor outside of layers is a row of its own.
 */
#ifndef NUMEL_DIFF_VALUES_H
#define NUMEL_DIFF_VALUES_H

#include "diff/diff.h"

#include "content/compare.h"

struct value_layer {
    numel_str name; /* "model.layers.12"; for a tensor outside of layers, its name */
    numel_str stem; /* "model.layers."; for such a tensor empty */
    uint64_t number;
    uint64_t tensors, equal, differ, not_compared;
    uint64_t same_bytes; /* equal tensors whose types are equal too */
    struct distance d;   /* of those that differ and have a distance; 0 elements if there are none */
    bool undefined;      /* some distance is undefined: NaN against a number */
};

struct value_row { /* layers first to last as one row */
    size_t first, last;
    const char *name; /* "model.layers.[0-11]", escaped */
};

struct diff_values {
    struct compare c;
    uint32_t *links; /* by pair */
    uint64_t equal, differ, not_compared, same_bytes;
    uint64_t why[COMPARE_STATE_COUNT]; /* pairs */
    uint64_t turned;                   /* pairs whose rows were compared in the converter's order */
    size_t unreadable;                 /* files, of both sides */
    uint32_t *most;                    /* pairs that differ, the most changed first */
    size_t most_count;
    uint32_t *layer_of; /* by pair */
    struct value_layer *layers;
    size_t layer_count;
    struct value_row *rows;
    size_t row_count;
    bool quantized; /* some distance is of blocks */
    double largest; /* relative distance of a layer; 0: none */
};

/* All in the diff's arena. NOMEM; errors of compare_run(). */
NUMEL_MUST bool diff_compare(struct diff_values *v, struct diff *d, const numel_work *how, numel_error *e);

static inline const numel_tensor *value_tensor(const struct diff_values *v, uint32_t pair, int side)
{
    return &v->c.side[side].tensors[v->c.pairs[pair].tensor[side]];
}

/* view.c: how the numbers of a packed tensor are computed; *out is NULL if it is not packed, or that is unknown.
 * NOMEM. */
NUMEL_MUST bool view_make(const struct diff *d, int side, uint32_t tensor, const struct unpack **out);
/* value_layers.c: layers and rows. */
NUMEL_MUST bool values_fold(struct diff_values *v, const struct diff *d, numel_error *e);
/* Are all tensors of a layer bit-identical? */
static inline bool value_layer_same(const struct value_layer *l) { return l->same_bytes == l->tensors; }

#endif
