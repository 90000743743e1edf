/*
 * logical.h -- a checkpoint as if nothing in it were packed.
 *
 * Without a configuration nobody says that qweight, qzeros and scales stand for one weight. The layouts do,
 * read backwards (layout_invert.c): from the shapes of what stands beside each other come out and in. The
 * registry made here holds the weight in place of its tensors, so that whoever infers an architecture from
 * names and shapes sees the model and not its storage. What no layout explains stays as it is.
 *
 * It is for guessing only: whether the file agrees is for packed.h to say.
 */
#ifndef NUMEL_MODEL_LOGICAL_H
#define NUMEL_MODEL_LOGICAL_H

#include "model/packed.h"

struct logical {
    struct registry registry; /* names and dims belong to the whole one, or to the arena */
    uint64_t weights;         /* that were unpacked; 0: the registry is empty, and of no use */
};

/* LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool logical_make(struct logical *l, struct config *c, struct library *library,
                             const struct packed_file *file, struct arena *a, numel_error *e);
void logical_done(struct logical *l); /* also of one that is all zero */

#endif
