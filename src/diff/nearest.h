/*
 * nearest.h -- which of many checkpoints another is most like: by names and shapes, and a few values.
 *
 * A fine-tune has the names and shapes of its base, but for a vocabulary that was resized and a head that was put on, and
 * tensors that were never trained are equal to the byte; those that were are still like those of the base, and not like another's.
 * What is one number again and again, a norm or a bias at its start, says nothing. Each checkpoint is held against the one that is asked about, and
 * forgotten; only so many of the best are kept, whatever their number.
 */
#ifndef NUMEL_DIFF_NEAREST_H
#define NUMEL_DIFF_NEAREST_H

#include "model/training.h"
#include "reader/checkpoint.h"
#include "statement/handle.h"

enum { NEAREST_SAMPLE = 16, NEAREST_BYTES = 64 << 10, NEAREST_KEPT = 100, NEAREST_NUMBERS = 4096 };
#define NEAREST_ALIKE \
    0.5 /* the square of a correlation: others' weights have next to none, those trained further much more */

struct nearest {
    const char *path;
    uint64_t tensors;  /* that it has */
    uint64_t same;     /* of the same name and shape */
    uint64_t elements; /* of those, and rows of tables that both have */
    uint64_t vocabulary, reshaped, lacking,
        more; /* of the same name: other rows of a table, another shape; only in the one; only in the other */
    uint64_t share; /* of the elements of both, in thousandths */
    /* of those of the same shape, how many were read; begin with the same bytes; with numbers that go up and down together */
    uint64_t sampled, equal, alike;
    uint64_t
        undecoded; /* of the same shape, and of blocks whose numbers are not read: at most their bytes are compared */
    bool unlike; /* some have numbers, and none of them is alike */
};

/* The one that is asked about, its names without what wraps them; and those that its specification has for the other format
 * (GGUF for safetensors, and back), where it has any. */
struct nearest_of {
    const numel_checkpoint *ck;
    struct training names;
    struct registry other;
    bool translated;
    struct arena arena;
    uint64_t elements;
};

/* Of a model that outlives the call alone. */
NUMEL_MUST bool nearest_open(struct nearest_of *of, struct handle *model, numel_error *e);
void nearest_close(struct nearest_of *of);
/* Fills all but the path. `values`: a few tensors are read, too; what cannot be read is not equal. NOMEM, OVERFLOW. */
NUMEL_MUST bool nearest_compare(struct nearest *out, const struct nearest_of *of, const numel_checkpoint *ck,
                                bool values, numel_error *e);
/* Which comes first: more that are alike, more that are equal, what is not known to be unlike, then the larger share, then the path. */
int nearest_order(const struct nearest *a, const struct nearest *b);

#endif
