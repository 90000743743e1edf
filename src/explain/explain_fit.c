/*
 * explain_fit.c -- walks the ways of counting and keeps those that fit a window of the claim.
 *
 * Every set of up to a few steps is counted; there are thousands of sets, each a sum over about a dozen
 * cells. If one fits beyond doubt, further steps are not tried, since they would explain nothing. An exact
 * claim is also solved for each size of the model; a rounded one is tried with the vocabularies in use.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

enum { WAYS_MOST = 4000000 }; /* limit on sets counted in total */

/* ---- keeping ------------------------------------------------------------------------------ */

/* Accounts with equal hashes count the same entries at the same sizes, whatever their steps. */
static uint64_t same_hash(const struct explaining *s, const struct account *a)
{
    uint64_t h =
        UINT64_C(0xcbf29ce484222325) ^ a->unit ^ (uint64_t)(a->dimension + 1) << 8 ^ a->resized << 16;
    if (!s->c->scope) return h ^ ((uintptr_t)s->c->name << 16);
    return h ^ cells_hash(s, a->steps) * UINT64_C(0x100000001b3);
}

static bool keep(struct explaining *s, struct account a, const struct window *w)
{
    struct explanation *x = s->x;
    if (a.cost > s->limit || x->count == ACCOUNTS_MOST) return true;
    if (a.dimension != NO_DIMENSION && x->claim.n.exact && a.cost > x->odd_bits + 1) return true;
    a.shown = (uint64_t)window_shown(w, a.counted);
    a.same = same_hash(s, &a);
    if (!memory_grow(x->ledger->arena->memory, (void **)&x->accounts, &x->cap, x->count + 1,
                     sizeof *x->accounts, s->error))
        return false;
    x->accounts[x->count++] = a;
    return true;
}

/* SEARCH_BACK if it fits so well that further steps would explain nothing. */
static enum search_next try_windows(struct explaining *s, struct account a)
{
    enum search_next next = SEARCH_DEEPER;
    unsigned cost = a.cost;
    for (unsigned i = 0; i < s->window_count; i++) {
        const struct window *w = &s->windows[i];
        if (a.counted < w->low || a.counted >= w->high) continue;
        a.unit = w->unit;
        a.reading = w->reading;
        a.cost = cost + w->cost;
        if (!keep(s, a, w)) return SEARCH_FAILED;
        if (w->unit == 0 && w->reading != CLAIM_NAME && w->exact == s->x->claim.n.exact) next = SEARCH_BACK;
        if (w->unit == 0) break; /* further readings are weaker */
    }
    return next;
}

bool fit_is_loose(const struct explanation *x, const struct account *a)
{
    const struct counting *c = &x->countings[a->counting];
    return !x->claim.n.exact &&
           (unit_errors[a->unit].loose || a->reading == CLAIM_NAME || (c->scope && c->scope->loose));
}

/* ---- mistaken sizes ----------------------------------------------------------------------- */

struct account dimension_resize(const struct explaining *s, struct account a, int dimension, uint64_t v,
                                uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dimensions[dimension].value;
    a.dimension = dimension;
    a.resized = v;
    a.cost += dimension_rows[dimension].cost + dimension_cost(dimension, v, from, s->x->claim.n.exact);
    a.counted = v > from ? a.counted + (v - from) * grows : a.counted - (from - v) * grows;
    return a;
}

static bool try_size(struct explaining *s, const struct account *a, int dimension, uint64_t v, uint64_t grows)
{
    struct account b = dimension_resize(s, *a, dimension, v, grows);
    return b.cost > s->limit || try_windows(s, b) != SEARCH_FAILED;
}

/* If some value of a size gives the exact claim, tries it. */
static bool solve(struct explaining *s, const struct account *a, int dimension, uint64_t grows)
{
    uint64_t claim = s->windows[0].low, from = (uint64_t)s->x->ledger->dimensions[dimension].value;
    uint64_t apart = claim > a->counted ? claim - a->counted : a->counted - claim;
    if (apart == 0 || apart % grows) return true;
    uint64_t more = apart / grows;
    if (claim < a->counted && more >= from) return true;
    uint64_t v = claim > a->counted ? from + more : from - more;
    bool far = v > 16 * from && !(dimension == DIMENSION_VOCABULARY && dimension_is_known(v));
    return far || try_size(s, a, dimension, v, grows);
}

/* Tries the vocabularies in use, since a rounded claim does not determine one. */
static bool try_known(struct explaining *s, const struct account *a, uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dimensions[DIMENSION_VOCABULARY].value;
    for (size_t i = 0; embedded_token_counts[i]; i++)
        if (embedded_token_counts[i] != from &&
            !try_size(s, a, DIMENSION_VOCABULARY, embedded_token_counts[i], grows))
            return false;
    return true;
}

static bool try_sizes(struct explaining *s, const struct account *a)
{
    for (int d = 0; d < DIMENSIONS; d++) {
        uint64_t grows = cells_growth(s, a->steps, d);
        if (grows == 0) continue;
        if (s->windows[0].exact && !solve(s, a, d, grows)) return false;
        if (!s->windows[0].exact && d == DIMENSION_VOCABULARY && !try_known(s, a, grows)) return false;
    }
    return true;
}

/* ---- the walk ----------------------------------------------------------------------------- */

struct account account_of(const struct search_way *w)
{
    return (struct account){ .counting = (uint32_t)w->sum,
                             .steps = w->taken,
                             .dimension = NO_DIMENSION,
                             .counted = w->value,
                             .cost = w->price };
}

enum search_next fit_visit(void *to, const struct search_way *w)
{
    struct explaining *s = to;
    struct account a = account_of(w);
    enum search_next next = try_windows(s, a);
    if (next != SEARCH_DEEPER) return next;
    if (!try_sizes(s, &a)) return SEARCH_FAILED;
    nearest_try(s, a);
    return SEARCH_DEEPER;
}

static enum search_next begin(void *ctx, struct search_way *w, uint64_t *usable)
{
    struct explaining *s = ctx;
    s->c = &s->x->countings[w->sum];
    if (!cells_make(s)) return SEARCH_FAILED;
    w->value = s->c->value;
    w->price = s->c->cost;
    *usable = s->usable;
    return SEARCH_DEEPER;
}

static bool count(void *ctx, struct search_way *w)
{
    w->value = cells_count(ctx, w->taken);
    return w->value > 0;
}

/* People usually leave out one table, but not always the same one. For a model it is the head. For active
 * parameters it is the embeddings: a token uses some of the experts and the head, but only one row of the
 * embeddings. */
static unsigned step_cost(void *ctx, uint64_t taken, unsigned step)
{
    const struct explaining *s = ctx;
    bool active = taken & s->used;
    if (steps[step].kind != STEP_WITHOUT) return steps[step].cost;
    if (steps[step].all == TRAIT_HEAD) return steps[step].cost + 2 * active;
    if (steps[step].all == TRAIT_TABLE) return steps[step].cost + (active || !s->tied);
    return steps[step].cost;
}

bool explain_walk(struct explaining *s, search_visitor *visit, void *to)
{
    const struct search search = { .ctx = s,
                                   .sums = s->x->counting_count,
                                   .choices = step_rows,
                                   .price_most = s->limit,
                                   .choices_most = s->deep,
                                   .ways_most = WAYS_MOST,
                                   .apart = { s->raw | s->full, s->used | s->one },
                                   .begin = begin,
                                   .count = count,
                                   .price = step_cost };
    return search_walk(&search, visit, to);
}
