/*
 * keep.c -- copies what is needed of a model's memory after the model is closed: its texts, and its
 * expansion's cache sites with their lines and turns.
 */
#include "memory/memory.h"

/* Copies the turns of a site, starting with the innermost. Adjacent sites with the same turns share the
 * copy. */
NUMEL_MUST static bool keep_turns(struct cache_site *c, const struct cache_site *from,
                                  const struct cache_site *last, const struct cache_site *last_from,
                                  struct arena *a, numel_error *e)
{
    const struct turn **at = &c->site.turn;
    if (last && last_from->site.turn == from->site.turn) {
        c->site.turn = last->site.turn;
        return true;
    }
    for (const struct turn *t = from->site.turn; t; t = t->outer) {
        struct turn *own = arena_copy(a, t, sizeof *t);
        if (!own) return error_nomem(e);
        own->loop = NULL;
        *at = own;
        at = &own->outer;
    }
    return true;
}

NUMEL_MUST static bool keep_line(struct cache_site *c, struct arena *a, numel_error *e)
{
    struct cache_line *line = arena_copy(a, c->line, sizeof *line);
    if (!line) return error_nomem(e);
    line->name.p = arena_text(a, line->name.p ? line->name.p : "", line->name.n);
    c->line = line;
    return line->name.p || error_nomem(e);
}

NUMEL_MUST static bool keep_caches(struct expansion *own, const struct expansion *x, struct arena *a,
                                   numel_error *e)
{
    if (!memory_grow(a->memory, (void **)&own->caches, &own->cache_cap, x->cache_count, sizeof *own->caches,
                     e))
        return false;
    for (size_t i = 0; i < x->cache_count; i++) {
        struct cache_site *c = &own->caches[i];
        *c = x->caches[i];
        if (!keep_turns(c, &x->caches[i], i ? c - 1 : NULL, &x->caches[i ? i - 1 : 0], a, e) ||
            !keep_line(c, a, e))
            return false;
        own->cache_count++;
    }
    return true;
}

NUMEL_MUST static bool keep_text(const char **text, struct arena *a, numel_error *e)
{
    if (!*text) return true;
    *text = arena_text(a, *text, strlen(*text));
    return *text || error_nomem(e);
}

bool memory_keep(struct memory *m, numel_error *e)
{
    struct arena *a = m->arena;
    m->handle = NULL;
    if (!keep_text(&m->cache_why, a, e) || !keep_text(&m->weights.note, a, e)) return false;
    for (size_t i = 0; i < m->weights.type_count; i++)
        if (!keep_text(&m->weights.types[i].name, a, e)) return false;
    if (!m->x) return true;
    struct expansion *own = memory_resize(a->memory, NULL, sizeof *own), *x = m->x;
    if (!own) return error_nomem(e);
    *own = (struct expansion){ .folded = true };
    arena_init(&own->arena, a->memory);
    arena_init(&own->values, a->memory);
    factors_init(&own->factors, &own->arena);
    m->x = own;
    bool ok = keep_caches(own, x, a, e);
    expansion_free(x);
    return ok;
}
