/* logical_internal.h -- between logical*.c only: logical.c solves modules, logical_votes.c chooses among solutions. */
#ifndef NUMEL_MODEL_LOGICAL_INTERNAL_H
#define NUMEL_MODEL_LOGICAL_INTERNAL_H

#include "model/logical.h"
#include "model/packed_internal.h"

struct solved { /* by signature; first: see names.h */
    numel_str signature;
    const struct layout_solution *options; /* NULL: none */
    unsigned count, chosen;
    const struct asked *asked; /* by whose answers */
    uint32_t next;             /* of that signature, with other answers; NAMES_ABSENT: none */
};

struct module { /* what stands in the place of packed tensors */
    numel_str weight;
    uint32_t value, solved;
};

struct unpacking {
    struct logical *out;
    const struct packed_file *file;
    struct config *config;
    struct arena *arena;
    struct arena trial; /* of one solution: emptied when it is found */
    struct packed_layouts layouts;
    uint32_t *order; /* tensors by name, byte for byte: those of a module are neighbours */
    bool *gone;      /* by tensor: a weight stands in its place */
    struct solved *solved;
    size_t solved_count, solved_cap;
    struct names by_signature;
    struct module *modules;
    size_t module_count, module_cap;
    struct packed_ends *ends;
    const numel_dtype *plain; /* the type of what stands in the place of packed tensors */
    numel_str weight;         /* of the module at work, */
    size_t from, to;          /* whose tensors are these of the order */
    numel_error *error;
};

/* Of each signature that has several solutions one is chosen. NOMEM. */
NUMEL_MUST bool logical_choose(struct unpacking *u);

#endif
