/*
 * groups.c -- walks the tree and lists what is closed and what repeats.
 */
#include "reporter/groups.h"

#include <string.h>

bool groups_add(struct groups *g, const struct group_row *row, struct arena *a, numel_error *e)
{
    struct group_row *grown = arena_grow(a, g->items, g->count, &g->cap, sizeof *grown);
    if (!grown) return error_nomem(e);
    g->items = grown; /* in the arena: rows are few, or all are wanted */
    g->items[g->count++] = *row;
    return true;
}

struct listing {
    struct groups *groups;
    const struct fold *fold;
    struct arena *arena;
    bool into_repeats;
    numel_error *error;
};

NUMEL_MUST static bool add_node(struct listing *l, const struct fold_node *n, const char *name,
                                unsigned level)
{
    char types[96];
    fold_types(l->fold, n->types, types, sizeof types);
    struct group_row row = { .name = name,
                             .level = level,
                             .repeats = n->repeats,
                             .times = n->times,
                             .tensors = n->tensors,
                             .each = n->each,
                             .elements = n->elements,
                             .bytes = n->bytes,
                             .types = arena_text(l->arena, types, strlen(types)),
                             .leaf = n->child ? NULL : n->tensor };
    return row.types ? groups_add(l->groups, &row, l->arena, l->error) : error_nomem(l->error);
}

NUMEL_MUST static bool list(struct listing *l, const struct fold_node *node, const char *prefix,
                            unsigned level, unsigned depth)
{
    for (const struct fold_node *c = node->child; c; c = c->next) {
        bool repeated = c->repeats > 1, open = c->child && depth > 1;
        const char *dot = prefix[0] && !c->own ? "." : "";
        const char *name = arena_format(l->arena, "%s%s%s", prefix, dot, c->label);
        if (!name) return error_nomem(l->error);
        if (repeated && !l->into_repeats) open = false;
        if ((!open || repeated) && !add_node(l, c, name, level)) return false;
        if (open && !list(l, c, repeated ? "" : name, level + (repeated ? 1 : 0), depth - 1)) return false;
    }
    return true;
}

bool groups_list(struct groups *g, const struct fold *f, unsigned depth, bool into_repeats, struct arena *a,
                 numel_error *e)
{
    struct listing l = { g, f, a, into_repeats, e };
    return list(&l, f->root, "", 0, depth);
}
