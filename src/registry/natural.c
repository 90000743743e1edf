/* natural.c -- see natural.h. */
#include "registry/natural.h"

#include "base/num.h"
#include "base/text.h"

#include <stdlib.h>

enum { PLACES = PATTERN_SLOTS + 1 };

struct piece { /* the text of a pattern before its number k, or behind its last one */
    numel_str text;
    uint32_t pattern;
    bool last, *told;
};

struct row {
    const uint32_t *at; /* the name: rank of a text, number, rank of a text, ... */
    uint32_t length, tensor;
};

struct ranking {
    const struct patterns *all;
    uint32_t *ranks; /* PLACES a pattern */
    struct piece *pieces;
    bool told;
};

/* ---- texts -------------------------------------------------------------------------------- */

static struct piece piece_of(struct ranking *g, uint32_t pattern, unsigned k)
{
    const struct pattern *x = &g->all->items[pattern];
    size_t from = k ? (size_t)x->at[k - 1] + x->digits[k - 1] : 0;
    size_t to = k < x->slots ? x->at[k] : x->sample.n;
    return (struct piece){ text_slice(x->sample, from, to), pattern, k == x->slots, &g->told };
}

/* The one begins with the other, which a number follows. */
static int beside_number(const struct piece *shorter, numel_str longer)
{
    char next = longer.p[shorter->text.n];
    if (next >= '0' && next <= '9') *shorter->told = false;
    return next < '0' ? 1 : -1;
}

static int by_text(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    size_t n = x->text.n < y->text.n ? x->text.n : y->text.n;
    bool begins = n == 0 || memcmp(x->text.p, y->text.p, n) == 0;
    if (begins && n < y->text.n && !x->last) return beside_number(x, y->text);
    if (begins && n < x->text.n && !y->last) return -beside_number(y, x->text);
    if (begins && x->text.n == y->text.n) return y->last - x->last;
    return text_natural(x->text, y->text);
}

/* Texts that stand at one place of names, numbered in their order. */
static void rank_place(struct ranking *g, unsigned k)
{
    uint32_t n = 0, rank = 0;
    for (uint32_t i = 0; i < g->all->count; i++)
        if (g->all->items[i].slots >= k) g->pieces[n++] = piece_of(g, i, k);
    if (n) qsort(g->pieces, n, sizeof *g->pieces, by_text);
    for (uint32_t i = 0; i < n; i++) {
        rank += i && by_text(&g->pieces[i - 1], &g->pieces[i]) != 0;
        g->ranks[(size_t)g->pieces[i].pattern * PLACES + k] = rank;
    }
}

/* ---- names -------------------------------------------------------------------------------- */

static int by_row(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    for (uint32_t i = 0; i < x->length && i < y->length; i++)
        if (x->at[i] != y->at[i]) return x->at[i] < y->at[i] ? -1 : 1;
    return num_order(x->tensor, y->tensor);
}

/* Writes the row of a name behind *to, which moves on. */
static struct row row_of(const struct ranking *g, const struct registry *r, uint32_t tensor, uint32_t **to)
{
    const struct pattern *x = registry_pattern(r, tensor);
    const uint32_t *ranks = &g->ranks[(size_t)r->patterns.of[tensor] * PLACES];
    struct row row = { *to, 2 * (uint32_t)x->slots + 1, tensor };
    uint32_t numbers[PATTERN_SLOTS];
    pattern_numbers(x, r->tensors[tensor].name, numbers);
    for (unsigned k = 0; k < x->slots; k++) {
        *(*to)++ = ranks[k];
        *(*to)++ = numbers[k];
    }
    *(*to)++ = ranks[x->slots];
    return row;
}

static size_t numbers_of(const struct registry *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->patterns.count; i++)
        n += (size_t)r->patterns.items[i].count * (2u * r->patterns.items[i].slots + 1);
    return n;
}

bool natural_order(const struct registry *r, uint32_t *order, bool *known, numel_error *e)
{
    struct arena a;
    arena_init(&a, r->memory);
    struct ranking g = { .all = &r->patterns, .told = true };
    size_t patterns = r->patterns.count + 1;
    g.ranks = arena_alloc(&a, patterns * PLACES * sizeof *g.ranks);
    g.pieces = arena_alloc(&a, patterns * sizeof *g.pieces);
    struct row *rows = arena_alloc(&a, (r->count + 1) * sizeof *rows);
    uint32_t *numbers = arena_alloc(&a, (numbers_of(r) + 1) * sizeof *numbers);
    bool ok = g.ranks && g.pieces && rows && numbers;
    for (unsigned k = 0; ok && k < PLACES; k++) rank_place(&g, k);
    *known = g.told;
    for (uint32_t i = 0; ok && *known && i < r->count; i++) rows[i] = row_of(&g, r, i, &numbers);
    if (ok && *known && r->count) qsort(rows, r->count, sizeof *rows, by_row);
    for (uint32_t i = 0; ok && *known && i < r->count; i++) order[i] = rows[i].tensor;
    arena_done(&a);
    return ok || error_nomem(e);
}
