/* natural.c -- see natural.h. */
#include "registry/natural.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <stdlib.h>

enum { PLACES = PATTERN_SLOTS + 1 };

struct piece { /* the text of a pattern before number k, or after the last number */
    numel_str text;
    uint32_t pattern;
    bool last, *told;
};

struct ranking {
    const struct patterns *all;
    uint32_t *ranks; /* PLACES per pattern */
    struct piece *pieces;
    unsigned slots; /* the most numbers in a name */
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

/* Compares the shorter text, which a number follows, with a longer one that begins with it. */
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

/* Ranks the texts at place k of all patterns. */
static void rank_place(struct ranking *g, unsigned k)
{
    uint32_t n = 0, rank = 0;
    for (uint32_t i = 0; i < g->all->count; i++)
        if (g->all->items[i].slots >= k) g->pieces[n++] = piece_of(g, i, k);
    if (n) qsort(g->pieces, n, sizeof *g->pieces, by_text);
    if (n) g->slots = k;
    for (uint32_t i = 0; i < n; i++) {
        rank += i && by_text(&g->pieces[i - 1], &g->pieces[i]) != 0;
        g->ranks[(size_t)g->pieces[i].pattern * PLACES + k] = rank;
    }
}

/* ---- names -------------------------------------------------------------------------------- */

/* The value in a column: even columns have the ranks of texts, odd ones the numbers; 0 after the name's
 * last text. */
static uint32_t cell(const struct ranking *g, const struct registry *r, size_t tensor, size_t column)
{
    const struct pattern *x = registry_pattern(r, tensor);
    uint32_t numbers[PATTERN_SLOTS];
    if (column > 2u * x->slots) return 0;
    if (column % 2 == 0) return g->ranks[r->patterns.of[tensor] * (size_t)PLACES + column / 2];
    pattern_numbers(x, r->tensors[tensor].name, numbers);
    return numbers[column / 2];
}

/* Sorts by one byte of a column, stably. */
static void sort_by(const uint32_t *column, unsigned shift, const uint32_t *from, uint32_t *to, size_t n)
{
    size_t starts[256 + 1] = { 0 };
    for (size_t i = 0; i < n; i++) starts[(column[i] >> shift & 255) + 1]++;
    for (size_t k = 1; k < 256; k++) starts[k] += starts[k - 1];
    for (size_t i = 0; i < n; i++) to[starts[column[from[i]] >> shift & 255]++] = from[i];
}

/* Radix sort, from the last column to the first. `other` and `column` have room for all tensors. */
static void sort_rows(const struct ranking *g, const struct registry *r, uint32_t *order, uint32_t *other,
                      uint32_t *column)
{
    uint32_t *from = order, *to = other;
    for (uint32_t i = 0; i < r->count; i++) order[i] = i;
    for (size_t c = 2 * (size_t)g->slots + 1; c-- > 0;) {
        uint32_t largest = 0;
        for (size_t i = 0; i < r->count; i++) largest |= column[i] = cell(g, r, i, c);
        for (unsigned shift = 0; shift < 32 && largest >> shift; shift += 8) {
            sort_by(column, shift, from, to, r->count);
            uint32_t *sorted = to;
            to = from;
            from = sorted;
        }
    }
    for (size_t i = 0; i < r->count; i++) order[i] = from[i];
}

bool natural_order(const struct registry *r, uint32_t *order, bool *known, numel_error *e)
{
    struct arena a;
    arena_init(&a, r->memory);
    struct ranking g = { .all = &r->patterns, .told = true };
    size_t patterns = r->patterns.count + 1;
    g.ranks = arena_alloc(&a, patterns * PLACES * sizeof *g.ranks);
    g.pieces = arena_alloc(&a, patterns * sizeof *g.pieces);
    uint32_t *other = arena_alloc(&a, (r->count + 1) * sizeof *other);
    uint32_t *column = arena_alloc(&a, (r->count + 1) * sizeof *column);
    bool ok = g.ranks && g.pieces && column && other;
    for (unsigned k = 0; ok && k < PLACES; k++) rank_place(&g, k);
    *known = g.told;
    if (ok && *known) sort_rows(&g, r, order, other, column);
    arena_done(&a);
    return ok || error_nomem(e);
}
