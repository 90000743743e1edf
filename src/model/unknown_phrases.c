/*
 * unknown_phrases.c -- finds small expressions of a configuration's integers by their value.
 *
 * All phrases that the words allow are made once and sorted by value and cost, so a size is found by binary
 * search. The table of usual names is for configuration keys; meaning.h has the meanings of tensor names.
 */
#include "model/unknown.h"

#include "base/num.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- words -------------------------------------------------------------------------------- */

static const struct usual {
    const char *name, *keys;
} usual[] = {
    { "E", " hidden_size n_embd d_model dim embed_dim embedding_length " },
    { "V", " vocab_size n_vocab " },
    { "F", " intermediate_size ffn_dim n_inner d_ff hidden_dim ffn_hidden_size feed_forward_length " },
    { "H", " num_attention_heads n_head n_heads num_heads attention.head_count " },
    { "K", " num_key_value_heads n_kv_heads attention.head_count_kv " },
    { "D", " head_dim attention.key_length " },
    { "L", " num_hidden_layers n_layer n_layers num_layers block_count " },
    { "N", " num_local_experts n_routed_experts num_experts expert_count " },
    { "Fe", " moe_intermediate_size expert_feed_forward_length " },
    { "P", " max_position_embeddings n_positions n_ctx context_length " },
};

static const char *short_name(const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        for (const char *at = usual[i].keys; (at = strstr(at, key)); at++)
            if (at[-1] == ' ' && at[n] == ' ') return usual[i].name;
    return NULL;
}

static unsigned find_word(const struct phrases *p, const char *name)
{
    unsigned i = 0;
    while (i < p->word_count && strcmp(p->words[i].name, name) != 0) i++;
    return i < p->word_count ? i : NO_WORD;
}

void phrases_add_word(struct phrases *p, const char *name, const char *from, int64_t value, bool counts)
{
    if (p->word_count == WORD_COUNT) return;
    p->words[p->word_count++] =
        (struct word_of){ .name = name, .from = from, .scope = "", .value = value, .counts = counts };
}

void phrases_add_number(struct phrases *p, const struct config_number *n)
{
    const char *leaf = strrchr(n->key, '.'), *name = short_name(n->key);
    bool nested = leaf && !name;
    if (nested) name = short_name(leaf + 1);
    if (name && find_word(p, name) != NO_WORD) name = NULL;
    unsigned i = p->word_count;
    phrases_add_word(p, name ? name : n->key, n->key, n->value, strstr(n->key, "layer") != NULL);
    if (i == p->word_count) return;
    struct word_of *w = &p->words[i];
    w->known = name != NULL;
    w->counts |= name && (name[0] == 'L' || name[0] == 'N');
    if (nested && strncmp(n->key, "text", 4) != 0 && strncmp(n->key, "llm", 3) != 0) w->scope = n->key;
}

/* ---- phrases ------------------------------------------------------------------------------ */

struct making {
    struct phrases *p;
    enum phrase_use use;
};

static bool product(const struct phrases *p, unsigned k, unsigned a, unsigned b, uint64_t *out)
{
    *out = k;
    if (a != NO_WORD && !num_mul(out, *out, (uint64_t)p->words[a].value)) return false;
    return b == NO_WORD || num_mul(out, *out, (uint64_t)p->words[b].value);
}

static void put(struct making *g, struct phrase x)
{
    struct phrases *p = g->p;
    uint64_t first, second, v;
    unsigned *n = &p->count[g->use];
    if (*n == PHRASES || !product(p, x.k, x.a, x.b, &first) || !product(p, x.m, x.c, x.d, &second) ||
        !num_add(&v, first, second) || !num_add(&v, v, x.plus) || v <= x.minus)
        return;
    v -= x.minus;
    if (x.divide > 1 && v % x.divide) return;
    x.value = x.divide > 1 ? v / x.divide : v;
    x.order = (uint16_t)*n;
    if (x.value > 1) p->items[g->use][(*n)++] = x;
}

static uint8_t strange(const struct phrases *p, unsigned a) { return p->words[a].known ? 0 : 1; }

#define WORDS1(A) .k = 1, .a = (uint8_t)(A), .b = NO_WORD
#define WORDS2(K, A, B) .k = (uint8_t)(K), .a = (uint8_t)(A), .b = (uint8_t)(B)

/* Products of small numbers occur everywhere, so a small number without a usual name is only used alone. */
static bool tiny(const struct phrases *p, unsigned a) { return p->words[a].value < 16 && !p->words[a].known; }

static bool is_word(const struct word_of *w, const char *name) { return strcmp(w->name, name) == 0; }

/* Makes phrases of one word, alone and with a small number. */
static void put_word(struct making *g, unsigned a)
{
    const struct phrases *p = g->p;
    uint8_t odd = strange(p, a);
    put(g, (struct phrase){ WORDS1(a), .cost = (uint8_t)(odd + (p->words[a].counts ? 3 : 0)) });
    if (p->words[a].counts || tiny(p, a)) return;
    for (unsigned k = 2; k <= 4; k++)
        put(g, (struct phrase){ WORDS2(k, a, NO_WORD), .cost = (uint8_t)(5 + odd) });
    for (unsigned k = 2; k <= 8 && p->words[a].value >= 256; k *= 2)
        put(g, (struct phrase){ WORDS1(a), .divide = (uint8_t)k, .cost = (uint8_t)(9 + odd) });
    for (unsigned k = 1; k <= 4; k++)
        put(g, (struct phrase){ WORDS1(a), .plus = (uint8_t)k, .cost = (uint8_t)(12 + odd) });
}

/* Makes phrases of two words: products, their small multiples, sums. */
static void put_pair(struct making *g, unsigned a, unsigned b)
{
    const struct phrases *p = g->p;
    const struct word_of *x = &p->words[a], *y = &p->words[b];
    uint8_t odd = (uint8_t)(strange(p, a) + strange(p, b) + (a == b ? 4 : 0));
    bool heads = (is_word(x, "H") || is_word(x, "K")) && is_word(y, "D");
    if (x->counts || y->counts || strcmp(x->scope, y->scope) != 0 || tiny(p, a) || tiny(p, b)) return;
    if (is_word(x, "D") && (is_word(y, "H") || is_word(y, "K"))) {
        put_pair(g, b, a); /* always H*D, whatever the order of the keys */
        return;
    }
    put(g, (struct phrase){ WORDS2(1, a, b), .cost = heads ? 4 : (uint8_t)(6 + odd) });
    for (unsigned k = 2; k <= 3; k++)
        put(g, (struct phrase){ WORDS2(k, a, b), .cost = heads ? 6 : (uint8_t)(11 + 2 * k + odd) });
    if (a != b && x->value >= 16 && y->value >= 16)
        put(g, (struct phrase){ .k = 1,
                                .a = (uint8_t)a,
                                .b = NO_WORD,
                                .m = 1,
                                .c = (uint8_t)b,
                                .d = NO_WORD,
                                .cost = (uint8_t)(10 + odd) });
}

/* H*a + H*b, which is likely if both are parts of a head. */
static void put_head_parts(struct making *g, unsigned h, unsigned i, unsigned j)
{
    const struct word_of *x = &g->p->words[i], *y = &g->p->words[j];
    bool parts = strstr(x->from, "head_dim") && strstr(y->from, "head_dim");
    if (i == h || j == h || x->counts || y->counts || tiny(g->p, i) || tiny(g->p, j)) return;
    put(g,
        (struct phrase){ WORDS2(1, h, i), .m = 1, .c = (uint8_t)h, .d = (uint8_t)j, .cost = parts ? 4 : 18 });
}

/* Queries, keys and values together; heads made of two parts. */
static void put_heads(struct making *g)
{
    const struct phrases *p = g->p;
    unsigned h = find_word(p, "H"), k = find_word(p, "K"), d = find_word(p, "D");
    if (h == NO_WORD) return;
    if (k != NO_WORD && d != NO_WORD)
        put(g, (struct phrase){ WORDS2(1, h, d), .m = 2, .c = (uint8_t)k, .d = (uint8_t)d, .cost = 7 });
    for (unsigned i = 0; i < p->word_count && i < WORD_PAIRS; i++)
        for (unsigned j = i + 1; j < p->word_count && j < WORD_PAIRS; j++) put_head_parts(g, h, i, j);
}

static void put_repeats(struct making *g)
{
    const struct phrases *p = g->p;
    unsigned layers = find_word(p, "L");
    for (unsigned i = 0; i < p->word_count; i++) {
        bool size = p->words[i].known && !p->words[i].counts;
        put(g, (struct phrase){ WORDS1(i), .cost = (uint8_t)(size ? 5 : strange(p, i)) });
        if (!p->words[i].counts) continue;
        uint8_t odd = strange(p, i);
        for (unsigned k = 1; k <= 4; k++)
            put(g, (struct phrase){ WORDS1(i), .minus = (uint8_t)k, .cost = (uint8_t)(8 + odd) });
        for (unsigned k = 2; k <= 4; k++)
            put(g, (struct phrase){ WORDS1(i), .divide = (uint8_t)k, .cost = (uint8_t)(10 + odd) });
    }
    for (unsigned i = 0; layers != NO_WORD && i < p->word_count; i++) { /* L - first_k_dense */
        int64_t rest = p->words[layers].value - p->words[i].value;
        if (i != layers && !p->words[i].known && rest > 1 && p->words[i].value <= 255)
            put(g, (struct phrase){ WORDS1(layers), .less = (uint8_t)(i + 1),
                                    .minus = (uint8_t)p->words[i].value, .cost = 7 });
    }
}

static int by_value(const void *a, const void *b)
{
    const struct phrase *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Sets D to E / H if no key has the head size. */
static void derive_head(struct phrases *p)
{
    unsigned e = find_word(p, "E"), h = find_word(p, "H");
    for (unsigned i = 0; i < p->word_count; i++)
        if (strstr(p->words[i].from, "head_dim")) return;
    if (find_word(p, "D") != NO_WORD || e == NO_WORD || h == NO_WORD ||
        p->words[e].value % p->words[h].value || p->words[e].value == p->words[h].value)
        return;
    unsigned i = p->word_count;
    phrases_add_word(p, "D", "E / H", p->words[e].value / p->words[h].value, false);
    if (i == p->word_count) return;
    p->words[i].known = true;
}

/* Moves words with a usual name to the front: only the first WORD_PAIRS are paired. */
static void known_first(struct phrases *p)
{
    for (unsigned i = 1; i < p->word_count; i++)
        for (unsigned k = i; k > 0 && p->words[k].known && !p->words[k - 1].known; k--) {
            struct word_of w = p->words[k];
            p->words[k] = p->words[k - 1];
            p->words[k - 1] = w;
        }
}

bool phrases_make(struct phrases *p, struct arena *a, numel_error *e)
{
    derive_head(p);
    known_first(p);
    for (unsigned use = 0; use < 2; use++) {
        struct making g = { p, (enum phrase_use)use };
        p->items[use] = arena_alloc(a, PHRASES * sizeof(struct phrase));
        p->count[use] = 0;
        if (!p->items[use]) return error_nomem(e);
        if (use == PHRASE_REPEATS) put_repeats(&g);
        for (unsigned i = 0; use == PHRASE_SIZE && i < p->word_count; i++) {
            put_word(&g, i);
            for (unsigned k = i; i < WORD_PAIRS && k < p->word_count && k < WORD_PAIRS; k++)
                put_pair(&g, i, k);
        }
        if (use == PHRASE_SIZE) put_heads(&g);
        if (p->count[use]) qsort(p->items[use], p->count[use], sizeof(struct phrase), by_value);
    }
    return true;
}

/* ---- finding ------------------------------------------------------------------------------ */

/* A word from vision_config is preferred in names that contain "vision". */
static unsigned cost_in(const struct phrases *p, const struct phrase *x, const char *name)
{
    const char *scope = p->words[x->a].scope;
    size_t n = strcspn(scope, "_.");
    for (const char *at = name; n && *at; at++)
        if (strncmp(at, scope, n) == 0) return x->cost;
    return x->cost + (n ? 5u : 2u); /* unscoped words rank lower in such names */
}

static bool single(const struct phrase *x)
{
    return x->k == 1 && x->b == NO_WORD && !x->m && !x->plus && !x->minus && x->divide < 2;
}

/* H*D or K*D with a declared D. If D were E / H, H*D would always equal E. */
static bool heads_declared(const struct phrases *p, const struct phrase *x)
{
    if (x->cost != 4 || x->b == NO_WORD || x->m || x->divide > 1) return false;
    return is_word(&p->words[x->b], "D") && strcmp(p->words[x->b].from, "E / H") != 0;
}

const struct phrase *phrases_find(const struct phrases *p, enum phrase_use use, uint64_t value,
                                  const char *name, const struct phrase **others, unsigned *room)
{
    const struct phrase *items = p->items[use], *best = NULL;
    unsigned low = 0, high = p->count[use], n = 0;
    while (low < high) {
        unsigned mid = low + (high - low) / 2;
        if (items[mid].value < value) low = mid + 1;
        else high = mid;
    }
    for (unsigned i = low; i < p->count[use] && items[i].value == value; i++) {
        if (value < 8 && !single(&items[i])) continue; /* other phrases fit any small number */
        if (!best || cost_in(p, &items[i], name) < cost_in(p, best, name)) best = &items[i];
    }
    for (unsigned i = low; best && n < *room && i < p->count[use] && items[i].value == value; i++) {
        unsigned far = cost_in(p, &items[i], name) - cost_in(p, best, name);
        bool alike = single(&items[i]) == single(best) && far <= (single(best) ? 1u : 0u);
        if (single(best) && heads_declared(p, &items[i])) alike = true;
        if (alike && &items[i] != best) others[n++] = &items[i];
    }
    *room = n;
    return best;
}

static struct poly word_poly(struct phrases *p, struct factors *f, unsigned i)
{
    if (i == NO_WORD) return poly_number(f, 1);
    p->words[i].used = true;
    return poly_factor(f, text_of(p->words[i].name), p->words[i].value);
}

static struct poly divided(struct phrases *p, struct factors *f, const struct phrase *x)
{
    p->words[x->a].used = true;
    const char *text = arena_format(f->arena, "(%s/%u)", p->words[x->a].name, x->divide);
    if (!text) return f->failed = true, (struct poly){ .lost = true };
    return poly_factor(f, text_of(text), (int64_t)x->value);
}

struct poly phrase_poly(struct phrases *p, struct factors *f, const struct phrase *x)
{
    if (x->divide > 1) return divided(p, f, x);
    struct poly sum = poly_multiply(f, poly_number(f, x->k), word_poly(p, f, x->a));
    sum = poly_multiply(f, sum, word_poly(p, f, x->b));
    if (x->m) {
        struct poly more = poly_multiply(f, poly_number(f, x->m), word_poly(p, f, x->c));
        sum = poly_add(f, sum, poly_multiply(f, more, word_poly(p, f, x->d)));
    }
    if (x->less) return poly_subtract(f, sum, word_poly(p, f, x->less - 1u));
    return poly_add(f, sum, poly_number(f, (int64_t)x->plus - x->minus));
}
