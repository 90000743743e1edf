/*
 * explain_chance.c -- measures whether a wrong figure would have been explained as well.
 *
 * Take the figures written like the claim, from half to twice its value. An account fits those in a window
 * around its count, as wide as the digits leave open. All accounts that cost no more than the best are walked
 * again. The union of their windows is the share of wrong figures that an equally cheap account would fit,
 * for this model, these digits and this cost. The windows of an exact figure have one element. A size that
 * can be solved adds one window for each equally cheap value; in that case only multiples of the width count
 * as neighbours, since matrices are multiples of it.
 *
 * Let w be the window's width relative to the figure; the digits are then worth log2(1/w) bits. The windows
 * cover as much as n disjoint ones, and picking one of n takes log2(n) bits. The account explains the figure
 * if half of the figure's bits, plus one, suffice to pick it: log2(n) <= log2(1/w) / 2 + 1, which is n * w <=
 * 2 * sqrt(w). So n may be 40 if w is 1/400, and 400 if w is 1/40,000. Figures of many digits may use all but
 * eight bits, n * w <= 1/256. This explains about 4 % of wrong figures of three digits, and 1 % of those of
 * four. In addition, the account may not cost more than half of the figure's worth plus two bits, even if it
 * is the only one.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

#include <stdlib.h>

enum { SPANS_MOST = 1000000 };

struct span {
    uint64_t from, to; /* range of figures, excluding `to` */
};

struct solvable { /* an account with a size that can be solved */
    uint64_t counted, grows;
    int dimension;
    unsigned cost; /* without the size's value */
};

struct cover {
    const struct explaining *s;
    const struct account *best;
    struct span *spans;
    size_t count, cap;
    struct solvable *solvables;
    size_t solvable_count, solvable_cap;
    uint64_t low, high; /* the figures considered */
    bool full;          /* there are more than SPANS_MOST */
};

/* ---- windows of the accounts -------------------------------------------------------------- */

static bool add_span(struct cover *c, uint64_t shown, const struct window *w)
{
    const struct explaining *s = c->s;
    uint64_t from = shown >= w->above ? shown - w->above + 1 : 0;
    uint64_t to = shown + w->below + 1; /* shown has at most 63 bits, below 60 */
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

static bool cover_windows(struct cover *c, const struct account *a)
{
    const struct explanation *x = c->s->x;
    for (unsigned i = 0; i < c->s->window_count; i++) {
        const struct window *w = &c->s->windows[i];
        struct account read = *a;
        wide shown = window_shown(w, a->counted);
        read.unit = w->unit;
        read.reading = w->reading;
        if (a->cost + w->cost > c->best->cost || shown > INT64_MAX || fit_is_loose(x, &read)) continue;
        if (x->claim.n.exact && w->reading > c->best->reading) continue;
        if (!add_span(c, (uint64_t)shown, w)) return false;
    }
    return true;
}

/* For a rounded claim, tries each vocabulary in use. */
static bool cover_known(struct cover *c, const struct account *a, uint64_t grows)
{
    uint64_t from = (uint64_t)c->s->x->ledger->dimensions[DIMENSION_VOCABULARY].value;
    for (size_t i = 0; grows && embedded_token_counts[i]; i++) {
        struct account b = dimension_resize(c->s, *a, DIMENSION_VOCABULARY, embedded_token_counts[i], grows);
        if (embedded_token_counts[i] != from && !cover_windows(c, &b)) return false;
    }
    return true;
}

static bool add_solvable(struct cover *c, const struct account *a, int dimension, uint64_t grows)
{
    const struct explaining *s = c->s;
    unsigned cost = a->cost + dimension_rows[dimension].cost;
    if (grows == 0 || cost > c->best->cost || c->full) return true;
    if (c->solvable_count == SPANS_MOST) return c->full = true;
    if (!memory_grow(s->x->ledger->arena->memory, (void **)&c->solvables, &c->solvable_cap,
                     c->solvable_count + 1, sizeof *c->solvables, s->error))
        return false;
    c->solvables[c->solvable_count++] = (struct solvable){ a->counted, grows, dimension, cost };
    return true;
}

static enum search_next cover_visit(void *to, const struct search_way *w)
{
    struct cover *c = to;
    struct account a = account_of(w);
    bool exact = c->s->x->claim.n.exact, ok = cover_windows(c, &a);
    if (!exact) ok = ok && cover_known(c, &a, cells_growth(c->s, a.steps, DIMENSION_VOCABULARY));
    for (int d = 0; ok && exact && d < DIMENSIONS; d++)
        ok = add_solvable(c, &a, d, cells_growth(c->s, a.steps, d));
    return ok ? SEARCH_DEEPER : SEARCH_FAILED;
}

/* ---- the share that they cover ------------------------------------------------------------ */

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

/* The number of values of its size that bring it into the neighbourhood at no more than the best account's
 * cost. */
static uint64_t values_of(const struct cover *c, const struct solvable *v)
{
    uint64_t from = (uint64_t)c->s->x->ledger->dimensions[v->dimension].value, low = 1, high = 16 * from;
    if (v->counted < c->low) low = from + (c->low - v->counted) / v->grows + 1;
    else if ((v->counted - c->low) / v->grows < from) low = from - (v->counted - c->low) / v->grows;
    if (v->counted <= c->high) high = num_min(high, from + (c->high - v->counted) / v->grows);
    else if ((v->counted - c->high) / v->grows < from) high = from - (v->counted - c->high) / v->grows;
    else high = 0;
    return dimension_values(v->dimension, from, low, high, c->best->cost - v->cost);
}

static int by_kind(const void *p, const void *q)
{
    const struct solvable *a = p, *b = q;
    if (a->dimension != b->dimension) return a->dimension < b->dimension ? -1 : 1;
    if (a->counted != b->counted) return a->counted < b->counted ? -1 : 1;
    if (a->grows != b->grows) return a->grows < b->grows ? -1 : 1;
    return a->cost < b->cost ? -1 : a->cost > b->cost;
}

/* Accounts with the same count and growth have the same solutions, which count once. */
static wide solved(struct cover *c)
{
    wide sum = 0;
    if (c->solvable_count) qsort(c->solvables, c->solvable_count, sizeof *c->solvables, by_kind);
    for (size_t i = 0; i < c->solvable_count; i++) {
        const struct solvable *v = &c->solvables[i];
        bool again =
            i && v[-1].dimension == v->dimension && v[-1].counted == v->counted && v[-1].grows == v->grows;
        if (!again) sum += values_of(c, v);
    }
    return sum;
}

/* The common divisor of the claim and its neighbours. With a solved size, this is that of claim and width,
 * since every matrix is a multiple of the width. */
static uint64_t grain(const struct cover *c)
{
    uint64_t E = (uint64_t)ledger_symbol(c->s->x->ledger, "E");
    return c->best->dimension == NO_DIMENSION || E == 0 ? 1 : num_gcd(c->s->x->claim.n.value, E);
}

/* ---- the judgement ------------------------------------------------------------------------ */

/* True if n * w, which is covered / value, is at most 1/256, or its square at most 4 * w; in integers. */
static bool is_rare(wide covered, uint64_t width, uint64_t value)
{
    if (covered <= value / 256) return true;
    return covered <= value && covered * covered <= (wide)4 * width * value;
}

static void judge(struct cover *c, struct explanation *x)
{
    uint64_t low, high, unit = grain(c), near = c->high - c->low;
    if (!claim_window(&x->claim, (enum claim_reading)c->best->reading, &low, &high)) return;
    wide sum = covered(c);
    if (x->claim.n.exact) {
        sum += solved(c);
        sum = sum > near / unit ? near : sum * unit;
    }
    if (c->full || sum > near) sum = near;
    x->met = (unsigned)(sum * 1000 / near);
    x->explained =
        c->best->cost <= explain_bits_most(x) && is_rare(sum, num_max(high - low, unit), x->claim.n.value);
}

bool explain_chance(struct explaining *s)
{
    struct explanation *x = s->x;
    uint64_t value = x->claim.n.value;
    struct cover c = { .s = s, .best = &x->accounts[0], .low = value - value / 2, .high = value * 2 };
    if (c.best->loose) return true;
    s->limit = c.best->cost;
    bool ok = explain_walk(s, cover_visit, &c);
    if (ok) judge(&c, x);
    memory_release(x->ledger->arena->memory, c.spans);
    memory_release(x->ledger->arena->memory, c.solvables);
    return ok;
}
