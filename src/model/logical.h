/*
 * logical.h -- a checkpoint as if nothing in it were packed.
 *
 * Without a configuration, nothing states that qweight, qzeros and scales represent one weight. Layouts
 * solved backwards (layout_invert.c) do: out and in follow from the shapes of adjacent tensors. The
 * registry made here has the weight instead of its tensors, so that inferring an architecture from names
 * and shapes sees the model and not its storage. Tensors that no layout explains stay unchanged.
 *
 * Only for guessing: packed.h decides whether the file agrees.
 */
#ifndef NUMEL_MODEL_LOGICAL_H
#define NUMEL_MODEL_LOGICAL_H

#include "model/packed.h"

struct logical {
    struct registry registry; /* names and dims belong to the original registry, or to the arena */
    uint64_t weights;         /* number unpacked; 0: the registry is empty and unused */
};

/* LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool logical_make(struct logical *l, struct config *c, struct library *library,
                             const struct packed_file *file, struct arena *a, numel_error *e);
void logical_done(struct logical *l); /* also accepts an all-zero one */

#endif
