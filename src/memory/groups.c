/*
 * groups.c -- the size of vLLM's pool of blocks for a model whose layers keep different caches; see groups.h.
 *
 * Evaluating a layer at a context of 0 gives its constant part and the bytes of its next token, so the rules
 * stay in runtime.c.
 */
#include "memory/groups.h"

#include "base/num.h"

enum {
    SORTS = 64,     /* limit */
    MLA_BLOCK = 128 /* blocks of latent rows grow in multiples of this many tokens */
};

enum attends { ATTENDS_ALL, ATTENDS_WINDOW, ATTENDS_SOURCE, ATTENDS_STATE };

/* Layers with equal caches. */
struct sort {
    enum attends attends;
    int64_t window; /* -1: no window */
    uint64_t bytes; /* per token; for a state, in total */
    bool latent;
    uint64_t layers;
};

struct sorts {
    struct sort of[SORTS];
    size_t count;
    bool one_kind; /* they differ only in bytes, so they form one group */
    bool unlike; /* no rule applies: a layer keeps rows for different lengths, or there are too many sorts */
};

NUMEL_MUST static bool too_large(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the cache does not fit in 64 bits");
}

/* ---- sorts of layers -------------------------------------------------------------------------- */

NUMEL_MUST static bool add_sort(struct sorts *s, const struct sort *sort, numel_error *e)
{
    struct sort *k = s->of;
    if (!sort->bytes || !sort->layers) return true;
    if (s->count && (k->attends != sort->attends || k->window != sort->window)) s->one_kind = false;
    while (k < s->of + s->count && (k->attends != sort->attends || k->window != sort->window ||
                                    k->bytes != sort->bytes || k->latent != sort->latent))
        k++;
    if (k < s->of + s->count) return num_add(&k->layers, k->layers, sort->layers) || too_large(e);
    if (s->count < SORTS) s->of[s->count++] = *sort;
    else s->unlike = true;
    return true;
}

/* Sets *sort to the window of a layer's rows; false if they have different ones. */
static bool find_window(struct sort *sort, const struct expansion *x, size_t from, size_t to)
{
    bool found = false;
    for (size_t i = from; i < to; i++) {
        const struct cache_site *c = &x->caches[i];
        int64_t window = c->window > 0 ? c->window : -1;
        if (c->line->kind == CACHE_SHARED || c->line->per != PER_TOKEN) continue;
        if (c->every > 1 || c->rest > 0 || window == 1 || (found && window != sort->window)) return false;
        sort->window = window;
        sort->latent |= c->line->latent;
        found = true;
    }
    sort->attends = sort->window > 0 ? ATTENDS_WINDOW : ATTENDS_ALL;
    return true;
}

/* Adds the layer in sites [from, to): its attention, its state and its cache for an encoder are separate
 * sorts. */
NUMEL_MUST static bool add_layer(struct sorts *s, const struct expansion *x, size_t from, size_t to,
                                 const struct memory_run *run, numel_error *e)
{
    struct memory_run empty = *run;
    struct layer_use use, with;
    uint64_t layers = site_turns(&x->caches[from].site);
    struct sort tokens = { ATTENDS_ALL, -1, 0, false, layers };
    empty.context = empty.source = 0;
    empty.batch = 1;
    if (!memory_layer(&use, x, from, to, &empty, e)) return false;
    empty.source = 1;
    if (!memory_layer(&with, x, from, to, &empty, e)) return false;
    if (!find_window(&tokens, x, from, to)) s->unlike = true;
    tokens.bytes = use.next;
    return add_sort(s, &tokens, e) &&
           add_sort(s, &(struct sort){ ATTENDS_STATE, -1, use.bytes, false, layers }, e) &&
           add_sort(s, &(struct sort){ ATTENDS_SOURCE, -1, with.bytes - use.bytes, false, layers }, e);
}

/* ---- pages ------------------------------------------------------------------------------------ */

struct page {
    uint64_t bytes, row; /* row: the widest; bytes / row is the number of tokens in the shortest block */
};

/* Finds the page for the widest row, large enough for a state. */
NUMEL_MUST static bool find_page(struct page *page, const struct sorts *s, numel_error *e)
{
    uint64_t state = 0, least;
    bool latent = false;
    *page = (struct page){ .row = 0 };
    for (size_t i = 0; i < s->count; i++) {
        const struct sort *k = &s->of[i];
        uint64_t *most = k->attends == ATTENDS_STATE ? &state : &page->row;
        *most = num_max(*most, k->bytes);
        latent |= k->latent;
    }
    return (num_mul(&least, page->row, latent && state ? MLA_BLOCK : RUNTIME_BLOCK) &&
            num_align(&page->bytes, num_max(state, least), least)) ||
           too_large(e);
}

/* The number of pages of one layer that a request takes. */
NUMEL_MUST static bool pages_of(uint64_t *out, const struct sort *k, const struct page *page,
                                const struct memory_run *run, numel_error *e)
{
    *out = 1;
    if (k->attends == ATTENDS_STATE) return true;
    if (page->row % k->bytes)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                         "%s has no page for rows of %" PRIu64 " and of %" PRIu64
                         " bytes: one must be a multiple of the other",
                         runtime_name(run->runtime), page->row, k->bytes);
    uint64_t tokens = k->attends == ATTENDS_SOURCE ? run->source : run->context;
    *out = runtime_blocks(tokens, k->window, page->bytes / k->bytes);
    return true;
}

/* The number of layers in a group: that of the rarest sort, or if the commonest sort has less than half as
 * many again, that of the commonest. */
static uint64_t group_size(const struct sorts *s)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < s->count; i++) {
        least = num_min(least, s->of[i].layers);
        most = num_max(most, s->of[i].layers);
    }
    return most - least < (least + 1) / 2 ? most : least;
}

NUMEL_MUST static bool add_groups(struct cache_bytes *out, const struct sort *k, const struct page *page,
                                  uint64_t size, const struct memory_run *run, numel_error *e)
{
    uint64_t pages, layers, bytes;
    if (!pages_of(&pages, k, page, run, e)) return false;
    if (!num_align(&layers, k->layers, size) || !num_mul(&bytes, layers, pages) ||
        !num_mul(&bytes, bytes, page->bytes) || !num_mul(&bytes, bytes, run->batch) ||
        !num_add(&out->bytes, out->bytes, bytes))
        return too_large(e);
    out->groups += layers / size;
    if (k->attends == ATTENDS_STATE || k->attends == ATTENDS_SOURCE) out->fixed += bytes;
    return true;
}

bool memory_groups(struct cache_bytes *out, const struct expansion *x, const struct memory_run *run,
                   numel_error *e)
{
    struct sorts s = { .one_kind = true };
    struct page page;
    for (size_t i = 0, to; i < x->cache_count; i = to) {
        to = memory_layer_end(x, i);
        if (!add_layer(&s, x, i, to, run, e)) return false;
    }
    if (s.one_kind || s.unlike) return true;
    if (!find_page(&page, &s, e)) return false;
    out->bytes = out->fixed = 0;
    out->group_layers = group_size(&s);
    for (size_t i = 0; i < s.count; i++)
        if (!add_groups(out, &s.of[i], &page, out->group_layers, run, e)) return false;
    return true;
}
