/* runtime.c -- cells, rows and types in the caches of runtimes; see runtime.h. */
#include "memory/runtime.h"

#include "base/num.h"
#include "base/text.h"
#include "memory/groups.h"

/* ---- types ------------------------------------------------------------------------------------ */

static const struct kv_type kv_types[] = {
    { "f16", 1, 2 },    { "bf16", 1, 2 },   { "f32", 1, 4 },      { "f64", 1, 8 },
    { "fp8", 1, 1 },    { "q8_0", 32, 34 }, { "q5_1", 32, 24 },   { "q5_0", 32, 22 },
    { "q4_1", 32, 20 }, { "q4_0", 32, 18 }, { "iq4_nl", 32, 18 },
};

const struct kv_type *kv_type_at(size_t i)
{
    return i < sizeof kv_types / sizeof *kv_types ? &kv_types[i] : NULL;
}

const struct kv_type *kv_type_find(numel_str name)
{
    for (size_t i = 0; i < sizeof kv_types / sizeof *kv_types; i++)
        if (text_equal(name, kv_types[i].name)) return &kv_types[i];
    return NULL;
}

NUMEL_MUST static bool too_large(numel_error *e)
{
    return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the cache does not fit in 64 bits");
}

/* The bytes of a row. */
NUMEL_MUST static bool row_bytes(uint64_t *out, uint64_t elements, const struct kv_type *t, numel_error *e)
{
    if (elements % t->elements)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                         "a row of %" PRIu64 " elements is no whole number of blocks of %s, which are of %u",
                         elements, t->name, (unsigned)t->elements);
    return num_mul(out, elements / t->elements, t->bytes) || too_large(e);
}

/* ---- cells ------------------------------------------------------------------------------------ */

enum {
    CELLS = 256,     /* llama.cpp rounds the number of cells up to a multiple of this */
    SCHEDULED = 2048 /* vLLM: tokens per step, the default max_num_batched_tokens */
};

struct cells {
    uint64_t each, streams; /* cells per stream; number of streams */
};

NUMEL_MUST static bool exact_cells(struct cells *out, const struct cache_site *c,
                                   const struct memory_run *run, numel_error *e)
{
    const struct cache_use use = { run->context, run->source, run->batch };
    (void)e;
    *out = (struct cells){ cache_kept(c, &use), run->batch };
    return true;
}

/* The context is split among sequences, or unified. */
NUMEL_MUST static bool llama_cells(struct cells *out, const struct cache_site *c,
                                   const struct memory_run *run, numel_error *e)
{
    uint64_t all, seqs = run->seqs ? run->seqs : run->batch, n, window, sharing = run->unified ? seqs : 1;
    if (!num_mul(&all, run->context, run->batch) || !num_align(&all, all, CELLS)) return too_large(e);
    *out = (struct cells){ all, 1 };
    if (!run->unified) {
        if (!num_align(&out->each, all / seqs, CELLS)) return too_large(e);
        out->streams = seqs;
    } else if (c->line->apart) {
        out->streams = seqs;
    }
    if (c->every) out->each = (out->each + (uint64_t)c->every - 1) / (uint64_t)c->every;
    if (c->window > 0 && !run->swa_full) {
        if (!num_mul(&window, (uint64_t)c->window, sharing) || !num_add(&n, window, run->ubatch))
            return too_large(e);
        out->each = num_min(out->each, n);
    }
    return num_align(&out->each, out->each, CELLS) || too_large(e);
}

static uint64_t blocks_of(uint64_t tokens, uint64_t block) { return tokens / block + (tokens % block != 0); }

uint64_t runtime_blocks(uint64_t tokens, int64_t window, uint64_t block)
{
    uint64_t blocks = blocks_of(tokens, block);
    if (window <= 0) return blocks;
    return num_min(blocks, blocks_of(num_min((uint64_t)window - 1 + SCHEDULED, tokens), block) + 1);
}

NUMEL_MUST static bool vllm_cells(struct cells *out, const struct cache_site *c, const struct memory_run *run,
                                  numel_error *e)
{
    const struct cache_use use = { run->context, run->source, run->batch };
    bool last = c->window > 0 && c->every; /* groups of tokens, which do not need pages */
    uint64_t n = c->window > 0 && !last ? run->context : cache_kept(c, &use);
    *out = (struct cells){ n, run->batch };
    return last || num_mul(&out->each, runtime_blocks(n, c->window, RUNTIME_BLOCK), RUNTIME_BLOCK) ||
           too_large(e);
}

/* ---- runtimes --------------------------------------------------------------------------------- */

struct rules {
    const char *name, *source;
    bool (*cells)(struct cells *, const struct cache_site *, const struct memory_run *, numel_error *);
    uint64_t state_bytes; /* per element of a state; 0: as keys and values, but at least 2 */
    bool one_latent;      /* the two parts of MLA form one row */
    bool no_source;       /* keeps nothing of an encoder's output */
    bool short_conv;      /* keeps all inputs of a kernel except the newest */
    bool said_state;      /* a recurrent state has the type that the configuration names */
    bool groups;          /* different layers share a pool of blocks (groups.h) */
};

static const struct rules rules[RUNTIMES] = {
    { "transformers", "as its caches were measured", exact_cells, 0, false, false, false, false, false },
    { "llama.cpp", "as its allocations were measured", llama_cells, 4, true, true, true, false, false },
    { "vllm", "by its rule, not measured", vllm_cells, 0, true, false, true, true, true },
};

const char *runtime_name(enum runtime r) { return rules[r].name; }
const char *runtime_source(enum runtime r) { return rules[r].source; }

/* ---- a layer ---------------------------------------------------------------------------------- */

/* Adds `count` rows of `elements` elements in `each` bytes. */
NUMEL_MUST static bool add(struct layer_use *out, enum cache_kind kind, uint64_t count, uint64_t elements,
                           uint64_t each, numel_error *e)
{
    uint64_t n, bytes;
    if (!num_mul(&n, count, elements) || !num_mul(&bytes, count, each) ||
        !num_add(&out->elements[kind], out->elements[kind], n) || !num_add(&out->bytes, out->bytes, bytes))
        return too_large(e);
    return true;
}

NUMEL_MUST static bool add_state(struct layer_use *out, const struct cache_site *c,
                                 const struct memory_run *run, numel_error *e)
{
    const struct rules *r = &rules[run->runtime];
    uint64_t n = c->site.elements, sequences = run->batch, before = out->bytes;
    uint64_t width = c->line->kind == CACHE_CONV && r->short_conv ? (uint64_t)c->width : 0, bytes;
    uint64_t size = r->state_bytes ? r->state_bytes : num_max(run->k->bytes / run->k->elements, 2);
    if (r->said_state && c->line->kind == CACHE_RECURRENT && run->state_bytes) size = run->state_bytes;
    if (run->runtime == RUNTIME_LLAMA_CPP && run->seqs) sequences = run->seqs;
    if (width && n % width == 0) n = n / width * (width - 1);
    if (!num_mul(&bytes, n, size)) return too_large(e);
    if (!add(out, c->line->kind, sequences, n, bytes, e)) return false;
    out->fixed += out->bytes - before; /* part of the bytes, which fit in 64 bits */
    return true;
}

static const struct kv_type *type_of(const struct cache_site *c, const struct memory_run *run)
{
    bool other = c->line->kind == CACHE_OTHER && text_ends(c->line->name, "_v");
    return other || c->line->kind == CACHE_V || c->line->kind == CACHE_CROSS_V ? run->v : run->k;
}

NUMEL_MUST static bool add_source(struct layer_use *out, const struct cache_site *c,
                                  const struct memory_run *run, numel_error *e)
{
    uint64_t bytes = 0, count, before = out->bytes;
    if (rules[run->runtime].no_source) return true;
    if (!num_mul(&count, run->source, run->batch)) return too_large(e);
    if (!row_bytes(&bytes, c->site.elements, type_of(c, run), e) ||
        !add(out, c->line->kind, count, c->site.elements, bytes, e))
        return false;
    out->fixed += out->bytes - before;
    return true;
}

/* The bytes that one more token of a sequence needs. */
static uint64_t next_of(const struct cache_site *c, const struct memory_run *run, uint64_t each)
{
    struct cache_use use = { run->context, run->source, 1 };
    uint64_t now = cache_kept(c, &use), then;
    use.tokens += run->context < UINT64_MAX;
    then = cache_kept(c, &use);
    return then > now ? each : 0;
}

NUMEL_MUST static bool add_tokens(struct layer_use *out, const struct cache_site *c, uint64_t elements,
                                  const struct memory_run *run, numel_error *e)
{
    struct cells cells = { 0, 0 };
    uint64_t bytes = 0, count;
    if (!row_bytes(&bytes, elements, type_of(c, run), e) || !rules[run->runtime].cells(&cells, c, run, e))
        return false;
    if (!num_mul(&count, cells.each, cells.streams)) return too_large(e);
    if (!num_add(&out->next, out->next, next_of(c, run, bytes))) return too_large(e);
    return add(out, c->line->kind, count, elements, bytes, e);
}

/* The widest V in any layer. If V is stored across tokens, every V takes that width. */
static uint64_t widest_v(const struct expansion *x)
{
    uint64_t most = 0;
    for (size_t i = 0; i < x->cache_count; i++)
        if (x->caches[i].line->kind == CACHE_V && !x->caches[i].line->latent)
            most = num_max(most, x->caches[i].site.elements);
    return most;
}

/* MLA: the elements of V, which are part of K's row; else 0. */
static uint64_t beside_latent(const struct expansion *x, size_t from, size_t to)
{
    uint64_t n = 0;
    for (size_t i = from; i < to; i++)
        if (x->caches[i].line->latent && x->caches[i].line->kind == CACHE_V) n = x->caches[i].site.elements;
    return n;
}

NUMEL_MUST static bool add_site(struct layer_use *out, const struct expansion *x, size_t i, uint64_t latent,
                                const struct memory_run *run, numel_error *e)
{
    const struct cache_site *c = &x->caches[i];
    const struct cache_line *line = c->line;
    uint64_t n = c->site.elements;
    if (line->kind == CACHE_SHARED) return true;
    if (line->per == PER_SOURCE) return add_source(out, c, run, e);
    if (line->per == PER_SEQUENCE) return add_state(out, c, run, e);
    if (line->latent && rules[run->runtime].one_latent) {
        if (line->kind == CACHE_V) return true;
        if (!num_add(&n, n, latent)) return too_large(e);
    }
    bool across = run->runtime == RUNTIME_LLAMA_CPP && run->no_flash && line->kind == CACHE_V;
    return add_tokens(out, c, across ? widest_v(x) : n, run, e);
}

size_t memory_layer_end(const struct expansion *x, size_t i)
{
    size_t k = i;
    while (k < x->cache_count && x->caches[k].site.turn == x->caches[i].site.turn) k++;
    return k;
}

bool memory_layer(struct layer_use *out, const struct expansion *x, size_t from, size_t to,
                  const struct memory_run *run, numel_error *e)
{
    uint64_t latent = beside_latent(x, from, to);
    *out = (struct layer_use){ .bytes = 0 };
    for (size_t i = from; i < to; i++)
        if (!add_site(out, x, i, latent, run, e)) return false;
    return true;
}

/* ---- all layers ------------------------------------------------------------------------------- */

NUMEL_MUST static bool add_times(uint64_t *sum, uint64_t each, uint64_t times)
{
    uint64_t n;
    return num_mul(&n, each, times) && num_add(sum, *sum, n);
}

bool memory_cache(struct cache_bytes *out, const struct expansion *x, const struct memory_run *run,
                  numel_error *e)
{
    *out = (struct cache_bytes){ .bytes = 0 };
    for (size_t i = 0, to; i < x->cache_count; i = to) {
        struct layer_use l;
        uint64_t times = site_turns(&x->caches[i].site);
        to = memory_layer_end(x, i);
        if (!memory_layer(&l, x, i, to, run, e)) return false;
        for (unsigned k = 0; k < CACHE_KINDS; k++)
            if (!add_times(&out->elements[k], l.elements[k], times) ||
                !add_times(&out->total, l.elements[k], times))
                return too_large(e);
        if (!add_times(&out->bytes, l.bytes, times) || !add_times(&out->fixed, l.fixed, times) ||
            !add_times(&out->next, l.next, times))
            return too_large(e);
    }
    return !rules[run->runtime].groups || memory_groups(out, x, run, e);
}
