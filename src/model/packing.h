/*
 * packing.h -- a model's packed weights for a report: their kinds, number and size, and the weights that the
 * quantizer left plain.
 *
 * A kind is a layout with its bits and group size; a layout that mixes them (MLX, GPTQ's `dynamic`) has several. Left
 * is a matrix (or a table of embeddings, if the layout holds some) that is nevertheless stored plain. All of it is
 * from the matches: only facts shown by shapes.
 */
#ifndef NUMEL_MODEL_PACKING_H
#define NUMEL_MODEL_PACKING_H

#include "model/tensor.h"

enum { PACKING_ROW = -1 }; /* as a group size: each row is a group, whatever its length */

struct packing_kind {
    const char *layout;
    const char *called;  /* its common name, a template (layout.h); NULL: the layout */
    const char *choice;  /* its other choices: "type 'nf4'" */
    int64_t bits, group; /* 0: none */
    uint64_t modules;    /* weights; a stack of experts is one */
    uint64_t elements;   /* represented */
    uint64_t bytes;      /* all bytes stored for them */
};

struct packing_left {
    numel_str name; /* "model.layers.*.mlp.gate": without ".weight", '*' for each number */
    uint64_t modules;
};

enum symmetry { SYMMETRY_UNKNOWN, SYMMETRIC, ASYMMETRIC }; /* is zero stored as zero? */

struct packing {
    struct packing_kind *kinds; /* most elements first */
    size_t kind_count;
    struct packing_left *left; /* in the architecture's order */
    size_t left_count;
    uint64_t left_modules;
    numel_str stem; /* "model.layers.*.", the prefix of packed weights, which a report may omit */
    enum symmetry symmetry;
    uint64_t bytes, elements; /* of the whole checkpoint: stored, and represented */
};

/* In the arena. Empty if no weight is packed. Needs m->x. NOMEM, SPEC. */
NUMEL_MUST bool packing_make(struct packing *p, struct model *m, struct arena *a, numel_error *e);

#endif
