/*
 * groups.c -- walks the tree and lists closed nodes and repeated nodes.
 */
#include "reporter/groups.h"

#include "base/text.h"

struct listing {
    struct groups *groups; /* without items: only counts them */
    const struct fold *fold;
    struct arena *arena;
    bool into_repeats;
    numel_error *error;
};

/* "F16", or all types of a node. */
NUMEL_MUST static const char *types_of(const struct listing *l, uint64_t types)
{
    char text[96];
    for (unsigned i = 0; i < l->fold->type_count; i++)
        if (types == (uint64_t)1 << i) return l->fold->types[i]->name;
    fold_types(l->fold, types, text, sizeof text);
    return arena_text(l->arena, text, strlen(text));
}

NUMEL_MUST static bool add_node(struct listing *l, const struct fold_node *n, const char *name,
                                unsigned level)
{
    struct group_row row = { .name = name, .node = n, .level = level };
    size_t i = l->groups->count++;
    if (!l->groups->items) return true;
    row.types = types_of(l, n->types);
    l->groups->items[i] = row;
    return row.types || error_nomem(l->error);
}

NUMEL_MUST static bool list(struct listing *l, const struct fold_node *node, const char *prefix,
                            unsigned level, unsigned depth)
{
    for (const struct fold_node *c = node->child; c; c = c->next) {
        bool repeated = c->repeats > 1, open = c->child && depth > 1;
        const char *name = c->label;
        if (l->groups->items && prefix[0])
            name = arena_join(l->arena, text_of(prefix), text_of(c->own ? "" : "."), text_of(c->label)).p;
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
    *g = (struct groups){ .items = NULL };
    if (!list(&l, f->root, "", 0, depth)) return false;
    g->items = arena_alloc(a, g->count * sizeof *g->items);
    g->count = 0;
    return g->items ? list(&l, f->root, "", 0, depth) : error_nomem(e);
}
