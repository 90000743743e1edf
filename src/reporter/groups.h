/*
 * groups.h -- the folded tree of names (registry/fold.h) as rows.
 *
 * The rows of the top level add up to the total. Nodes that do not repeat are transparent: they are replaced
 * by their children under full names, so that a level always means "inside each repetition".
 */
#ifndef NUMEL_REPORTER_GROUPS_H
#define NUMEL_REPORTER_GROUPS_H

#include "registry/fold.h"

enum { GROUPS_ANY_DEPTH = 1000 };

struct group_row {
    const char *name, *types;
    const struct fold_node *node; /* has the numbers */
    unsigned level;
};

struct groups {
    struct group_row *items; /* all in the arena */
    size_t count;
};

/* One of the tensors that a row stands for; NULL if it is not a leaf. */
static inline const numel_tensor *groups_leaf(const struct group_row *r)
{
    return r->node->child ? NULL : r->node->tensor;
}

/* Lists up to `depth` levels of the tree. into_repeats: also opens repeated nodes. NOMEM. */
NUMEL_MUST bool groups_list(struct groups *g, const struct fold *f, unsigned depth, bool into_repeats,
                            struct arena *a, numel_error *e);

#endif
