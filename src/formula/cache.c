/* cache.c -- sums up the cache lines of a spec; see cache.h. */
#include "formula/cache.h"

#include "base/num.h"

bool cache_known(const struct expansion *x) { return x->cache_count && error_free(&x->cache_why); }

uint64_t cache_kept(const struct cache_site *c, const struct cache_use *use)
{
    uint64_t n = use->tokens;
    if (c->line->per == PER_SEQUENCE) return 1;
    if (c->line->per == PER_SOURCE) return use->source;
    if (c->every) n /= (uint64_t)c->every;
    if (c->rest) return n % (uint64_t)c->rest;
    /* transformers cuts a window of one by [-0:], which keeps everything */
    if (c->window > 1 && n >= (uint64_t)c->window) return (uint64_t)c->window - 1;
    return n;
}

bool cache_sum(struct cache_sums *out, const struct expansion *x, const struct cache_use *use, numel_error *e)
{
    *out = (struct cache_sums){ .total = 0 };
    for (size_t i = 0; i < x->cache_count; i++) {
        const struct cache_site *c = &x->caches[i];
        uint64_t n = cache_kept(c, use);
        if (c->line->kind == CACHE_SHARED) continue;
        if (!num_mul(&n, n, c->site.elements) || !num_mul(&n, n, site_turns(&c->site)) ||
            !num_mul(&n, n, use->sequences) || !num_add(&out->total, out->total, n))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the cache does not fit in 64 bits");
        out->elements[c->line->kind] += n; /* cannot overflow: part of the total */
    }
    return true;
}

/* ---- layers ----------------------------------------------------------------------------------- */

const char *cache_layer_name(enum cache_layer_kind kind)
{
    static const char *const names[] = { "full",   "sliding", "mla",   "indexed",
                                         "linear", "hybrid",  "cross", "shared" };
    return names[kind];
}

struct kept { /* by one layer */
    bool tokens, source, once, state, latent, indexed;
    int64_t window;
};

static void note(struct kept *k, const struct cache_site *c)
{
    if (c->line->kind == CACHE_SHARED) return;
    k->tokens |= c->line->per == PER_TOKEN;
    k->source |= c->line->per == PER_SOURCE;
    k->once |= c->line->per == PER_SEQUENCE;
    k->state |= c->line->kind == CACHE_CONV || c->line->kind == CACHE_RECURRENT;
    k->latent |= c->line->latent;
    k->indexed |= c->line->kind == CACHE_INDEX_K;
    if (!c->every && c->window > k->window) k->window = c->window;
}

static enum cache_layer_kind kind_of(const struct kept *k)
{
    if (k->tokens && k->state) return LAYER_HYBRID;
    if (k->once && !k->tokens) return LAYER_LINEAR;
    if (k->indexed) return LAYER_INDEXED;
    if (k->window >= 0) return LAYER_SLIDING;
    if (k->latent) return LAYER_MLA;
    if (k->tokens) return LAYER_FULL;
    return k->source ? LAYER_CROSS : LAYER_SHARED;
}

static void add_layers(struct cache_layers *out, size_t *n, const struct kept *k, uint64_t count)
{
    struct cache_layers l = { kind_of(k), k->window, count };
    size_t i = 0;
    while (i < *n && (out[i].kind != l.kind || out[i].window != l.window)) i++;
    if (i == CACHE_LAYERS) i--;
    else if (i == *n) out[(*n)++] = (struct cache_layers){ l.kind, l.window, 0 };
    if (!num_add(&out[i].count, out[i].count, count)) out[i].count = UINT64_MAX;
}

size_t cache_layers(struct cache_layers out[CACHE_LAYERS], const struct expansion *x)
{
    size_t n = 0;
    for (size_t i = 0, k; i < x->cache_count; i = k) {
        struct kept kept = { .window = -1 };
        for (k = i; k < x->cache_count && x->caches[k].site.turn == x->caches[i].site.turn; k++)
            note(&kept, &x->caches[k]);
        add_layers(out, &n, &kept, site_turns(&x->caches[i].site));
    }
    return n;
}
