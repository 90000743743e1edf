/*
 * nearest.h -- which of many checkpoints is most like a given one: by names and shapes, and a few values.
 *
 * A fine-tune has the names and shapes of its base, except for a resized vocabulary and an added head. Frozen
 * tensors are byte-identical to the base's; trained ones remain correlated with the base, and not with other
 * models. A constant tensor, such as a newly initialized norm or bias, proves nothing. Each checkpoint is
 * compared with the given one and dropped; only a fixed number of the best is kept.
 */
#ifndef NUMEL_DIFF_NEAREST_H
#define NUMEL_DIFF_NEAREST_H

#include "model/training.h"
#include "reader/checkpoint.h"
#include "statement/handle.h"

enum { NEAREST_SAMPLE = 16, NEAREST_BYTES = 64 << 10, NEAREST_KEPT = 100, NEAREST_NUMBERS = 4096 };
#define NEAREST_ALIKE \
    0.5 /* the square of a correlation: unrelated weights have almost none, those trained further much more */

struct nearest {
    const char *path;
    uint64_t tensors;  /* in this checkpoint */
    uint64_t same;     /* with the same name and shape */
    uint64_t elements; /* of those, and of common rows of tables */
    uint64_t vocabulary, reshaped, lacking,
        more; /* same name: a table with other rows, another shape; only in the given one; only in this one */
    uint64_t share; /* of the elements of both, in thousandths */
    /* of those with the same shape: how many were read; begin with the same bytes; have correlated numbers */
    uint64_t sampled, equal, alike;
    uint64_t
        undecoded;    /* of the same shape, in a type that is not decoded: at most their bytes are compared */
    bool unlike;      /* some have numbers, and none is alike */
    const char *note; /* what differs, in words: filled by the report */
};

/* The given checkpoint, its names without wrappers; and its names in the other format (GGUF for safetensors,
 * and back), if its specification has any. */
struct nearest_of {
    const numel_checkpoint *ck;
    struct training names;
    struct registry other;
    bool translated;
    struct arena arena;
    uint64_t elements;
};

/* The model needs to outlive only the call. */
NUMEL_MUST bool nearest_open(struct nearest_of *of, struct handle *model, numel_error *e);
void nearest_close(struct nearest_of *of);
/* Fills all but the path. `values`: reads a few tensors too; unreadable ones are not equal. NOMEM,
 * OVERFLOW. */
NUMEL_MUST bool nearest_compare(struct nearest *out, const struct nearest_of *of, const numel_checkpoint *ck,
                                bool values, numel_error *e);
/* Sort order: more alike, more equal, not unlike, the larger share, fewer reshaped, then the path. */
int nearest_order(const struct nearest *a, const struct nearest *b);

#endif
