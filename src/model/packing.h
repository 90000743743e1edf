/*
 * packing.h -- a model's packed weights for a report: kinds, numbers and sizes, and the weights that the
 * quantizer left plain.
 *
 * A kind is a layout with its bits and group size; a layout that mixes them (MLX, GPTQ's `dynamic`) has
 * several kinds. A matrix that is stored plain in spite of the layout counts as left; so does an embedding
 * table, if the layout packs any. Everything comes from the matches, so it contains only what shapes show.
 */
#ifndef NUMEL_MODEL_PACKING_H
#define NUMEL_MODEL_PACKING_H

#include "model/tensor.h"

enum { PACKING_ROW = -1 }; /* group size: each row is one group, whatever its length */

struct packing_kind {
    const char *layout;
    const char *called;  /* its common name, a template (layout.h); NULL: use the layout's */
    const char *choice;  /* its other choices: "type 'nf4'" */
    int64_t bits, group; /* 0: none */
    uint64_t modules;    /* number of weights; a stack of experts is one */
    uint64_t elements;   /* represented */
    uint64_t bytes;      /* all bytes stored for them */
};

struct packing_left {
    numel_str name; /* "model.layers.*.mlp.gate": without ".weight", and with '*' for each number */
    uint64_t modules;
};

enum symmetry { SYMMETRY_UNKNOWN, SYMMETRIC, ASYMMETRIC }; /* whether zero is stored as zero */

struct packing {
    struct packing_kind *kinds; /* most elements first */
    size_t kind_count;
    struct packing_left *left; /* in the architecture's order */
    size_t left_count;
    uint64_t left_modules;
    numel_str stem; /* "model.layers.*.", a prefix of packed weights that reports may omit */
    enum symmetry symmetry;
    uint64_t bytes, elements; /* of the whole checkpoint: stored, and represented */
};

/* All memory is in the arena. Empty if no weight is packed. Needs m->x. NOMEM, SPEC. */
NUMEL_MUST bool packing_make(struct packing *p, struct model *m, struct arena *a, numel_error *e);

#endif
