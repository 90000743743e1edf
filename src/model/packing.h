/*
 * packing.h -- the packed weights of a model as a reader wants them: of which kinds, how many, how large, and
 * which weights the quantizer left as they are.
 *
 * A kind is a layout with its bits and group size; one that mixes them (MLX, GPTQ's `dynamic`) has several.
 * Left is a matrix (a table of embeddings, where the layout holds some) that is stored plain all the same. All of it is
 * read off the matches: only what the shapes have shown.
 */
#ifndef NUMEL_MODEL_PACKING_H
#define NUMEL_MODEL_PACKING_H

#include "model/tensor.h"

enum { PACKING_ROW = -1 }; /* as a group size: each row is one, whatever its length */

struct packing_kind {
    const char *layout;
    const char *called;  /* what people quote, a template (layout.h); NULL: the layout */
    const char *choice;  /* what was chosen of it besides: "type 'nf4'" */
    int64_t bits, group; /* 0: it has none */
    uint64_t modules;    /* weights; a stack of experts is one */
    uint64_t elements;   /* what they stand for */
    uint64_t bytes;      /* all that is stored in their place */
};

struct packing_left {
    numel_str name; /* "model.layers.*.mlp.gate": without ".weight", '*' for each number */
    uint64_t modules;
};

enum symmetry { SYMMETRY_UNKNOWN, SYMMETRIC, ASYMMETRIC }; /* is zero stored as zero? */

struct packing {
    struct packing_kind *kinds; /* those of most elements first */
    size_t kind_count;
    struct packing_left *left; /* as the architecture has them */
    size_t left_count;
    uint64_t left_modules;
    numel_str stem; /* "model.layers.*.", what packed weights lie in: people need not read it */
    enum symmetry symmetry;
    uint64_t bytes, elements; /* of the whole checkpoint: stored, and what that stands for */
};

/* Everything lives in the arena. Nothing in it when no weight is packed. Needs m->x. NOMEM, SPEC. */
NUMEL_MUST bool packing_make(struct packing *p, struct model *m, struct arena *a, numel_error *e);

#endif
