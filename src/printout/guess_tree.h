/*
 * guess_tree.h -- a module tree from names and shapes alone, for an architecture without a print
 * template.
 *
 * A module is the part of a name before its last dot. Modules are in the order of their first tensors,
 * numbered ones by number. The classes are guesses: a matrix is a Linear, or an Embedding by its name;
 * a vector is a norm by its name; modules named 0, 1, 2 ... are in a ModuleList; all others are just
 * "Module".
 */
#ifndef NUMEL_PRINTOUT_GUESS_TREE_H
#define NUMEL_PRINTOUT_GUESS_TREE_H

#include "printout/tree.h"

struct named_dims {
    numel_str name;
    const uint64_t *dims; /* outermost first */
    uint32_t ndim;
    size_t order; /* set by tree_guess() */
};

enum { GUESS_DEPTH = 64 }; /* names with more dots are cut there, or sooner if all names are deep */

/* Sorts `items` in place; copies names and dims. NOMEM. On failure the tree is empty; call tree_done()
 * in either case. */
NUMEL_MUST bool tree_guess(struct tree *out, struct named_dims *items, size_t n, const numel_allocator *m,
                           numel_error *e);

#endif
