/*
 * logical.h -- a checkpoint as if nothing in it were packed.
 *
 * Without a configuration, nothing states that qweight, qzeros and scales represent one weight. Layouts
 * solved backwards (layout_invert.c) do: `out` and `in` follow from the shapes of adjacent tensors. The
 * registry made here contains the weight instead of those tensors, so an architecture can be inferred from
 * names and shapes as if the model were not packed. Tensors that no layout explains are unchanged.
 *
 * This serves only for guessing: packed.h decides whether the file agrees.
 */
#ifndef NUMEL_MODEL_LOGICAL_H
#define NUMEL_MODEL_LOGICAL_H

#include "model/packed.h"

struct logical {
    struct registry registry; /* the original registry or the arena owns names and dims */
    uint64_t weights;         /* number of weights unpacked; 0: the registry is empty and unused */
};

/* LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool logical_make(struct logical *l, struct config *c, struct library *library,
                             const struct packed_file *file, struct arena *a, numel_error *e);
void logical_done(struct logical *l); /* also accepts an all-zero struct */

#endif
