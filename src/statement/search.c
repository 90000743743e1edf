/*
 * search.c -- the walk over sets of choices, and its two most frequent uses: to find the cheapest way that
 * gives a number, and to find which of several named numbers it is.
 *
 * Sets are built in rising order of choices, so each is visited once. There are at most 64 choices, so
 * recursion is at most 64 deep.
 */
#include "statement/search.h"

struct walk {
    const struct search *s;
    search_visitor *visit;
    void *to;
    uint64_t usable; /* choices usable with the current sum */
    uint64_t ways;   /* number visited */
};

/* True if another choice from the same `apart` set is already taken. */
static bool is_apart(const struct search *s, uint64_t taken, uint64_t choice)
{
    for (unsigned i = 0; i < SEARCH_APART; i++)
        if (choice & s->apart[i] && taken & s->apart[i]) return true;
    return false;
}

static bool descend(struct walk *w, const struct search_way *way, unsigned from, unsigned deep)
{
    const struct search *s = w->s;
    if (w->ways == s->ways_most) return true;
    w->ways++;
    enum search_next next = w->visit(w->to, way);
    if (next != SEARCH_DEEPER) return next != SEARCH_FAILED;
    for (unsigned i = from; deep && i < s->choices; i++) {
        uint64_t bit = UINT64_C(1) << i;
        struct search_way more = *way;
        if (!(w->usable & bit) || is_apart(s, way->taken, bit)) continue;
        more.taken |= bit;
        more.price += s->price(s->ctx, way->taken, i);
        if (more.price > s->price_most || !s->count(s->ctx, &more) || more.value == way->value) continue;
        if (!descend(w, &more, i + 1, deep - 1)) return false;
    }
    return true;
}

bool search_walk(const struct search *s, search_visitor *visit, void *to)
{
    struct walk w = { .s = s, .visit = visit, .to = to };
    for (size_t i = 0; i < s->sums; i++) {
        struct search_way way = { .sum = i };
        w.usable = 0;
        enum search_next next = s->begin(s->ctx, &way, &w.usable);
        if (next == SEARCH_FAILED) return false;
        bool go = next == SEARCH_DEEPER && way.price <= s->price_most;
        if (go && !descend(&w, &way, 0, s->choices_most)) return false;
    }
    return true;
}

/* ---- the cheapest ------------------------------------------------------------------------- */

struct cheapest {
    uint64_t low, high, below;
    struct search_way *best;
    bool found;
};

static bool is_better(const struct search_way *a, const struct search_way *b)
{
    if (a->price != b->price) return a->price < b->price;
    return a->sum != b->sum ? a->sum < b->sum : a->taken < b->taken;
}

static enum search_next look(void *to, const struct search_way *w)
{
    struct cheapest *c = to;
    bool inside = w->value >= c->low && w->value <= c->high;
    if (w->value < c->low && w->value > c->below) c->below = w->value;
    if (!inside || (c->found && !is_better(w, c->best))) return SEARCH_DEEPER;
    *c->best = *w;
    c->found = true;
    return SEARCH_DEEPER;
}

bool search_cheapest(const struct search *s, uint64_t low, uint64_t high, struct search_way *best,
                     uint64_t *below)
{
    struct cheapest c = { .low = low, .high = high, .best = best };
    bool walked = search_walk(s, look, &c);
    if (below) *below = c.below;
    return walked && c.found;
}

/* ---- named numbers ------------------------------------------------------------------------ */

struct named {
    const struct search_sum *sums;
};

static enum search_next begin_named(void *ctx, struct search_way *w, uint64_t *usable)
{
    const struct named *n = ctx;
    (void)usable;
    w->value = n->sums[w->sum].value;
    return SEARCH_DEEPER;
}

const void *search_what(const struct search_sum *sums, size_t count, uint64_t low, uint64_t high)
{
    struct named named = { sums };
    struct search s = { .ctx = &named, .sums = count, .ways_most = UINT64_MAX, .begin = begin_named };
    struct search_way best;
    return search_cheapest(&s, low, high, &best, NULL) ? sums[best.sum].what : NULL;
}
