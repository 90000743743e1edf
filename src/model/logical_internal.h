/* logical_internal.h -- shared by logical.c, which solves modules, and logical_votes.c, which chooses
 * among solutions. */
#ifndef NUMEL_MODEL_LOGICAL_INTERNAL_H
#define NUMEL_MODEL_LOGICAL_INTERNAL_H

#include "model/logical.h"
#include "model/packed_internal.h"

struct solved { /* found by signature, which is first as names.h requires */
    numel_str signature;
    const struct layout_solution *options; /* NULL: none */
    unsigned count, chosen;
    const struct asked *asked; /* the answers that the solution depends on */
    uint32_t next;             /* the next with the same signature but other answers; NAMES_ABSENT: none */
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
    struct arena trial; /* for one solution; reset before the next */
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
    numel_str weight;         /* of the current module; */
    size_t from, to;          /* its tensors are from..to in `order` */
    numel_error *error;
};

/* Chooses one solution for each signature with several. NOMEM. */
NUMEL_MUST bool logical_choose(struct unpacking *u);

#endif
