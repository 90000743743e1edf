/*
 * nearest.h -- which of many checkpoints another is most like: by names and shapes, and a few values.
 *
 * A fine-tune has the names and shapes of its base, but for a vocabulary that was resized and a head that was put on, and
 * tensors that were never trained are equal to the byte. Each checkpoint is held against the one that is asked about, and
 * forgotten; only so many of the best are kept, whatever their number.
 */
#ifndef NUMEL_DIFF_NEAREST_H
#define NUMEL_DIFF_NEAREST_H

#include "model/training.h"
#include "reader/checkpoint.h"

enum { NEAREST_SAMPLE = 16, NEAREST_BYTES = 64 << 10, NEAREST_KEPT = 100 };

struct nearest {
    const char *path;
    uint64_t tensors;  /* that it has */
    uint64_t same;     /* of the same name and shape */
    uint64_t elements; /* of those, and rows of tables that both have */
    uint64_t vocabulary, reshaped, lacking,
        more; /* of the same name: other rows of a table, another shape; only in the one; only in the other */
    uint64_t share; /* of the elements of both, in thousandths */
    uint64_t sampled,
        equal; /* of those of the same shape and type, how many were read; began with the same bytes */
};

/* The one that is asked about, its names without what wraps them. */
struct nearest_of {
    const numel_checkpoint *ck;
    struct training names;
    struct arena arena;
    uint64_t elements;
};

NUMEL_MUST bool nearest_open(struct nearest_of *of, const numel_checkpoint *ck, numel_error *e);
void nearest_close(struct nearest_of *of);
/* Fills all but the path. `values`: a few tensors are read, too; what cannot be read is not equal. NOMEM, OVERFLOW. */
NUMEL_MUST bool nearest_compare(struct nearest *out, const struct nearest_of *of, const numel_checkpoint *ck,
                                bool values, numel_error *e);
/* Which comes first: more equal values, then the larger share, then the path. */
int nearest_order(const struct nearest *a, const struct nearest *b);

#endif
