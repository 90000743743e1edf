/*
 * expand_cache.c -- the part of an expansion that lists what layers keep while generating; see expand.h and
 * cache.h.
 *
 * A cache needs keys that no tensor needs: a window, a kernel's width. If one is missing or wrong, the
 * tensors are still known. So a cache line that cannot be evaluated does not end the expansion: the reason is
 * kept, and the cache counts as unknown from there on.
 */
#include "formula/expand_internal.h"

static struct expansion *own(const struct spec_walk *w) { return ((struct expanding *)w->ctx)->x; }

static void weaken(struct site *site, const struct value *v)
{
    if (v->evidence > site->evidence) site->evidence = v->evidence;
}

/* A number of tokens; `otherwise` if the line has none, or if it is null. */
static bool tokens_of(struct spec_walk *w, uint32_t node, const char *what, int64_t otherwise, int64_t *out,
                      struct site *site)
{
    struct value v;
    *out = otherwise;
    if (!node) return true;
    if (!eval(w->env, node, &v)) return false;
    if (v.kind == VALUE_NULL) return weaken(site, &v), true;
    if (!eval_int(w->env, node, 1, what, &v)) return false;
    *out = v.i;
    return weaken(site, &v), true;
}

static bool find_sizes(struct spec_walk *w, struct cache_site *c)
{
    const struct cache_line *line = c->line;
    struct value v;
    if (line->kind == CACHE_SHARED) return true;
    if (!eval_int(w->env, line->size, 0, "a size", &v)) return false;
    c->site.elements = (uint64_t)v.i;
    weaken(&c->site, &v);
    if (!tokens_of(w, line->window, "a window", -1, &c->window, &c->site) ||
        !tokens_of(w, line->every, "a step", 0, &c->every, &c->site) ||
        !tokens_of(w, line->rest, "a step", 0, &c->rest, &c->site) ||
        !tokens_of(w, line->width, "a kernel's width", 0, &c->width, &c->site))
        return false;
    if (!c->width || c->site.elements % (uint64_t)c->width == 0) return true;
    return eval_fail(w->env, line->width, NUMEL_E_SPEC, "the size is not a multiple of the kernel's width");
}

/* Sets *kept if the line applies. */
static bool evaluate(struct spec_walk *w, struct cache_site *c, bool *kept)
{
    *kept = true;
    if (c->line->when && !eval_bool(w->env, c->line->when, kept, &c->site.evidence)) return false;
    return !*kept || find_sizes(w, c);
}

NUMEL_MUST static bool keep(struct spec_walk *w, const struct cache_site *c)
{
    struct expansion *x = own(w);
    if (x->cache_count == EXPAND_CACHES)
        return error_set(&x->cache_why, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d caches of layers",
                         EXPAND_CACHES);
    if (!memory_grow(x->arena.memory, (void **)&x->caches, &x->cache_cap, x->cache_count + 1,
                     sizeof *x->caches, w->env->error))
        return false;
    x->caches[x->cache_count++] = *c;
    return true;
}

bool expand_cache(struct spec_walk *w)
{
    struct expansion *x = own(w);
    struct cache_site c = { .line = w->line->cache, .window = -1 };
    numel_error *kept = w->env->error;
    bool there;
    if (w->line->cache->none || !x->keeps || w->at.extra.p || !error_free(&x->cache_why)) return true;
    c.site = (struct site){ .line = walk_at(w),
                            .rows = 1,
                            .stack = 1,
                            .elements = 0,
                            .group = NO_GROUP,
                            .layer = w->at.turn ? w->at.turn->at : -1,
                            .evidence = w->at.evidence,
                            .counted = true,
                            .turn = w->at.turn };
    w->env->error = &x->cache_why;
    bool known = evaluate(w, &c, &there);
    w->env->error = kept;
    if (x->cache_why.code == NUMEL_E_NOMEM) return error_nomem(kept);
    if (known && there && !keep(w, &c) && !error_free(kept)) return false;
    return true;
}
