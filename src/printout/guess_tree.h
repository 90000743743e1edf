/*
 * guess_tree.h -- a module tree of nothing but names and shapes, for an architecture without a
 * print template.
 *
 * Modules are what stands before the last dot of a name. Their order is that in which their first
 * tensor comes, numbers have theirs. The classes are guesses: a matrix is a Linear, or an Embedding when its name says so;
 * a vector is a norm when its name says so; modules named 0, 1, 2 ... stand in a ModuleList; of all
 * others only "Module" is known.
 */
#ifndef NUMEL_PRINTOUT_GUESS_TREE_H
#define NUMEL_PRINTOUT_GUESS_TREE_H

#include "printout/tree.h"

struct named_dims {
    numel_str name;
    const uint64_t *dims; /* outermost first */
    uint32_t ndim;
    size_t order; /* filled here */
};

enum { GUESS_DEPTH = 64 }; /* names with more dots are cut there, or sooner where all names are deep */

/* `items` is sorted in place; names and dims are copied. NOMEM. On failure the tree is empty;
 * tree_done() is for either case. */
NUMEL_MUST bool tree_guess(struct tree *out, struct named_dims *items, size_t n, const numel_allocator *m,
                           numel_error *e);

#endif
