/* logical_internal.h -- only for logical*.c: logical.c solves modules, logical_votes.c chooses among solutions. */
#ifndef NUMEL_MODEL_LOGICAL_INTERNAL_H
#define NUMEL_MODEL_LOGICAL_INTERNAL_H

#include "model/logical.h"
#include "model/packed_internal.h"

struct solved { /* by signature; first: see names.h */
    numel_str signature;
    const struct layout_solution *options; /* NULL: none */
    unsigned count, chosen;
    const struct asked *asked; /* the answers it rests on */
    uint32_t next;             /* with that signature, but other answers; NAMES_ABSENT: none */
};

struct module { /* replaces packed tensors */
    numel_str weight;
    uint32_t value, solved;
};

struct unpacking {
    struct logical *out;
    const struct packed_file *file;
    struct config *config;
    struct arena *arena;
    struct arena trial; /* for one solution: reset for the next */
    struct packed_layouts layouts;
    uint32_t *order; /* tensors by name, bytewise: those of a module are adjacent */
    bool *gone;      /* by tensor: replaced by a weight */
    struct solved *solved;
    size_t solved_count, solved_cap;
    struct names by_signature;
    struct module *modules;
    size_t module_count, module_cap;
    struct packed_ends *ends;
    const numel_dtype *plain; /* the type of the replacements */
    numel_str weight;         /* of the current module, whose */
    size_t from, to;          /* tensors are from..to of the order */
    numel_error *error;
};

/* Chooses one solution for each signature with several. NOMEM. */
NUMEL_MUST bool logical_choose(struct unpacking *u);

#endif
