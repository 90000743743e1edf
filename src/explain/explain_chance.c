/*
 * explain_chance.c -- would a false figure have been explained as well?
 *
 * The figures near the claim, from half of it to twice it, that are written like it: an account is met by
 * those in a window around what it counts, as wide as the digits leave open. All accounts that cost no
 * more than the best are walked again, and their windows laid over each other: what they cover is the
 * share of false figures that an account as cheap would meet, measured for this model, these digits and
 * this price. An exact figure has windows of one element; a size that can be solved for gives it one for
 * each value as cheap, and then all multiples of the width count as neighbours, since matrices are such.
 *
 * Let w be the window's width as a share of the figure: the digits are worth log2(1/w) bits. The windows
 * cover as much as n that do not touch would: to pick one of n takes log2(n) bits. The account explains the
 * figure when half of the figure's bits, and one more, do to pick it, log2(n) <= log2(1/w) / 2 + 1, that is
 * n * w <= 2 * sqrt(w): n is 40 at most where w is 1/400, and 400 where it is 1/40,000. Figures of many
 * digits may use all but eight bits, n * w <= 1/256. So of false figures of three digits some 4 % are
 * explained, of four 1 %. Nor may the account cost more to tell than half of what the figure is worth,
 * and two bits, however alone it stands.
 */
#include "explain/explain_search.h"

#include "base/num.h"

#include <stdlib.h>

enum { SPANS_MOST = 1000000 };

struct span {
    uint64_t from, to; /* of figures: to is not in */
};

struct solvable { /* an account that a size can be solved for */
    uint64_t counted, grows;
    int dimension;
    unsigned cost; /* without the value */
};

struct cover {
    struct span *spans;
    size_t count, cap;
    struct solvable *solvables;
    size_t solvable_count, solvable_cap;
    uint64_t low, high; /* the neighbourhood */
    bool full;          /* more than is kept */
};

static bool add_span(struct search *s, uint64_t shown, const struct window *w)
{
    struct cover *c = s->cover;
    uint64_t from = shown >= w->above ? shown - w->above + 1 : 0;
    uint64_t to = shown + w->below + 1; /* shown has 63 bits, below 60 */
    from = num_max(from, c->low);
    to = num_min(to, c->high);
    if (from >= to || c->full) return true;
    if (c->count == SPANS_MOST) return c->full = true;
    if (!memory_grow(s->x->ledger->arena->memory, (void **)&c->spans, &c->cap, c->count + 1, sizeof *c->spans,
                     s->error))
        return false;
    c->spans[c->count++] = (struct span){ from, to };
    return true;
}

static bool cover_windows(struct search *s, const struct account *a)
{
    for (unsigned i = 0; i < s->window_count; i++) {
        const struct window *w = &s->windows[i];
        struct account read = *a;
        wide shown = (wide)a->counted * unit_errors[w->unit].times / unit_errors[w->unit].parts;
        read.unit = w->unit;
        read.reading = w->reading;
        if (a->cost + w->cost > s->limit || shown > INT64_MAX) continue;
        if (s->x->claim.n.exact && w->reading > s->x->accounts[0].reading) continue;
        if (explain_is_loose(s->x, &read)) continue;
        if (!add_span(s, (uint64_t)shown, w)) return false;
    }
    return true;
}

static bool add_solvable(struct search *s, const struct account *a, int dimension, uint64_t grows)
{
    struct cover *c = s->cover;
    unsigned cost = a->cost + dimension_rows[dimension].cost;
    if (cost > s->limit || c->full) return true;
    if (c->solvable_count == SPANS_MOST) return c->full = true;
    if (!memory_grow(s->x->ledger->arena->memory, (void **)&c->solvables, &c->solvable_cap,
                     c->solvable_count + 1, sizeof *c->solvables, s->error))
        return false;
    c->solvables[c->solvable_count++] = (struct solvable){ a->counted, grows, dimension, cost };
    return true;
}

/* The values of its size that bring it into the neighbourhood, as cheap as the best account. */
static uint64_t values_of(const struct search *s, const struct solvable *v)
{
    const struct cover *c = s->cover;
    uint64_t from = (uint64_t)s->x->ledger->dimensions[v->dimension].value, low = 1, high = 16 * from;
    if (v->counted < c->low) low = from + (c->low - v->counted) / v->grows + 1;
    else if ((v->counted - c->low) / v->grows < from) low = from - (v->counted - c->low) / v->grows;
    if (v->counted <= c->high) high = num_min(high, from + (c->high - v->counted) / v->grows);
    else if ((v->counted - c->high) / v->grows < from) high = from - (v->counted - c->high) / v->grows;
    else high = 0;
    return dimension_values(v->dimension, from, low, high, s->limit - v->cost);
}

static int by_kind(const void *p, const void *q)
{
    const struct solvable *a = p, *b = q;
    if (a->dimension != b->dimension) return a->dimension < b->dimension ? -1 : 1;
    if (a->counted != b->counted) return a->counted < b->counted ? -1 : 1;
    if (a->grows != b->grows) return a->grows < b->grows ? -1 : 1;
    return a->cost < b->cost ? -1 : a->cost > b->cost;
}

/* What one size does to one number is the same, however the number was come by. */
static wide solved(const struct search *s)
{
    struct cover *c = s->cover;
    wide sum = 0;
    if (c->solvable_count) qsort(c->solvables, c->solvable_count, sizeof *c->solvables, by_kind);
    for (size_t i = 0; i < c->solvable_count; i++) {
        const struct solvable *v = &c->solvables[i];
        bool again =
            i && v[-1].dimension == v->dimension && v[-1].counted == v->counted && v[-1].grows == v->grows;
        if (!again) sum += values_of(s, v);
    }
    return sum;
}

static bool cover_known(struct search *s, const struct account *a, uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dimensions[DIMENSION_VOCABULARY].value;
    for (size_t i = 0; vocabularies[i]; i++) {
        uint64_t v = vocabularies[i];
        struct account b = *a;
        if (v == from) continue;
        b.dimension = DIMENSION_VOCABULARY;
        b.cost +=
            dimension_rows[DIMENSION_VOCABULARY].cost + dimension_cost(DIMENSION_VOCABULARY, v, from, false);
        b.counted = v > from ? b.counted + (v - from) * grows : b.counted - (from - v) * grows;
        if (!cover_windows(s, &b)) return false;
    }
    return true;
}

static bool cover_account(struct search *s, const struct account *a, bool *stop)
{
    (void)stop;
    if (!cover_windows(s, a)) return false;
    for (int d = 0; d < DIMENSIONS; d++) {
        uint64_t grows = s->x->ledger->dimensions[d].symbol ? cells_growth(s, a->steps, d) : 0;
        if (grows == 0 || grows > INT64_MAX >> 22) continue;
        if (s->x->claim.n.exact) {
            if (!add_solvable(s, a, d, grows)) return false;
        } else if (d == DIMENSION_VOCABULARY && !cover_known(s, a, grows)) {
            return false;
        }
    }
    return true;
}

static int by_place(const void *p, const void *q)
{
    const struct span *a = p, *b = q;
    return a->from < b->from ? -1 : a->from > b->from;
}

static uint64_t covered(struct cover *c)
{
    uint64_t sum = 0, end = 0;
    if (c->count) qsort(c->spans, c->count, sizeof *c->spans, by_place);
    for (size_t i = 0; i < c->count; i++) {
        uint64_t from = num_max(c->spans[i].from, end);
        if (c->spans[i].to <= from) continue;
        sum += c->spans[i].to - from;
        end = c->spans[i].to;
    }
    return sum;
}

/* n * w is covered / value: at most 1/256, or its square at most 4 * w; in integers. */
static bool is_rare(wide covered, uint64_t width, uint64_t value)
{
    if (covered <= value / 256) return true;
    return covered <= value && covered * covered <= (wide)4 * width * value;
}

bool explain_chance(struct search *s)
{
    struct explanation *x = s->x;
    const struct account *best = &x->accounts[0];
    uint64_t value = x->claim.n.value, low, high, unit = best->dimension == NO_DIMENSION ? 1 : s->unit;
    struct cover c = { .low = value - value / 2, .high = value * 2 };
    if (best->loose) return true;
    s->cover = &c;
    s->limit = best->cost;
    s->visit = cover_account;
    bool ok = search_walk(s);
    if (ok && claim_window(&x->claim, (enum claim_reading)best->reading, &low, &high)) {
        wide sum = covered(&c), near = c.high - c.low;
        if (x->claim.n.exact) sum = (sum + solved(s)) * unit;
        if (c.full || sum > near) sum = near;
        x->met = (unsigned)(sum * 1000 / near);
        uint64_t width = num_max(high - low, unit);
        x->explained = best->cost <= explain_bits_most(x) && is_rare(sum, width, value);
    }
    memory_release(x->ledger->arena->memory, c.spans);
    memory_release(x->ledger->arena->memory, c.solvables);
    return ok;
}
