/*
 * explain.c -- the search; see explain.h.
 *
 * Every set of up to STEPS_DEEP steps is counted: there are some thousands, each a sum over a dozen
 * cells (explain_cells.c). What fits a window of the claim is kept; where it fits, further steps are not tried, since
 * they would explain nothing. An exact claim is also solved for each size, a rounded one tried with the
 * vocabularies that people use. Those go that only repeat a cheaper one; at last explain_chance.c walks once
 * more, up to the price of the best, to tell whether a false figure would have fared as well.
 */
#include "explain/explain_search.h"

#include "base/num.h"

#include <stdlib.h>

enum {
    STEPS_DEEP = 4,  /* at most, for an exact claim; a rounded one has one less */
    NODES = 4000000, /* sets counted in all */
    BYTES_COST = 4,  /* of the cheapest slip that is one of bytes */
    REST_COST = 8,   /* of having a rest at all */
    WEAK = 8         /* what an account may cost more than its claim is worth, and be listed */
};

/* ---- windows ------------------------------------------------------------------------------ */

static uint64_t ceiling(wide v, wide by)
{
    wide r = (v + by - 1) / by;
    return r > UINT64_MAX ? UINT64_MAX : (uint64_t)r;
}

/* What is stated in bytes is no slip. */
static unsigned unit_error_cost(const struct unit_error *u, const struct claim *c)
{
    return u->cost - (c->n.kind == NUMBER_OF_BYTES && u->bytes ? BYTES_COST : 0u);
}

static void make_windows(struct search *s)
{
    const struct claim *c = &s->x->claim;
    const unsigned costs[CLAIM_READINGS] = { 0, 1, c->n.exact ? 5 : 1, c->n.pointed ? 7 : 5 };
    for (unsigned r = 0; r < CLAIM_READINGS; r++) {
        uint64_t low, high;
        if (!claim_window(c, (enum claim_reading)r, &low, &high)) continue;
        for (unsigned u = 0; u < unit_error_rows && s->window_count < WINDOWS; u++) {
            if ((c->n.exact && !unit_errors[u].exact) || (u && r)) continue;
            s->windows[s->window_count++] = (struct window){
                .low = ceiling((wide)low * unit_errors[u].parts, unit_errors[u].times),
                .high = ceiling((wide)high * unit_errors[u].parts, unit_errors[u].times),
                .unit = (uint8_t)u,
                .reading = (uint8_t)r,
                .exact = c->n.exact && u == 0 && r == 0,
                .below = c->n.value - num_min(low, c->n.value),
                .above = high - num_min(high, c->n.value),
                .cost = unit_error_cost(&unit_errors[u], c) + costs[r],
            };
        }
    }
}

/* ---- what fits ---------------------------------------------------------------------------- */

static uint64_t same_hash(const struct search *s, const struct account *a)
{
    uint64_t h =
        UINT64_C(0xcbf29ce484222325) ^ a->unit ^ (uint64_t)(a->dimension + 1) << 8 ^ a->resized << 16;
    const struct ledger *l = s->x->ledger;
    if (!s->c->scope) return h ^ ((uintptr_t)s->c->name << 16);
    for (size_t i = 0; i < l->count; i++)
        if (explain_takes(s->c, a->steps, &l->entries[i]))
            h = (h ^ (i + 1) ^ explain_size(s->x, s->c, a->steps, &l->entries[i]) << 20) *
                UINT64_C(0x100000001b3);
    return h;
}

static bool keep(struct search *s, struct account a)
{
    struct explanation *x = s->x;
    const struct unit_error *u = &unit_errors[a.unit];
    if (a.cost > s->limit || x->count == ACCOUNTS_MOST) return true;
    if (a.dimension != NO_DIMENSION && x->claim.n.exact && a.cost > x->odd_bits + 1) return true;
    a.counting = (uint32_t)(s->c - x->countings);
    a.shown = (uint64_t)((wide)a.counted * u->times / u->parts);
    a.same = same_hash(s, &a);
    if (!memory_grow(x->ledger->arena->memory, (void **)&x->accounts, &x->cap, x->count + 1,
                     sizeof *x->accounts, s->error))
        return false;
    x->accounts[x->count++] = a;
    return true;
}

/* *stop: it fits so well that further steps would explain nothing. */
static bool try_windows(struct search *s, struct account a, bool *stop)
{
    unsigned cost = a.cost;
    for (unsigned i = 0; i < s->window_count; i++) {
        const struct window *w = &s->windows[i];
        if (a.counted < w->low || a.counted >= w->high) continue;
        a.unit = w->unit;
        a.reading = w->reading;
        a.cost = cost + w->cost;
        if (!keep(s, a)) return false;
        if (w->unit == 0 && w->reading != CLAIM_NAME && w->exact == s->x->claim.n.exact) *stop = true;
        if (w->unit == 0) break; /* a stronger reading comes before a weaker one */
    }
    return true;
}

/* ---- sizes taken for others --------------------------------------------------------------- */

static bool resized(struct search *s, struct account a, int dimension, uint64_t v, uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dimensions[dimension].value;
    uint64_t change = (v > from ? v - from : from - v) * grows;
    bool stop = false;
    a.dimension = dimension;
    a.resized = v;
    a.cost += dimension_rows[dimension].cost + dimension_cost(dimension, v, from, s->x->claim.n.exact);
    a.counted = v > from ? a.counted + change : a.counted - change;
    return a.cost > s->limit || try_windows(s, a, &stop);
}

/* The value of a size with which an exact claim is met, if there is one. */
static bool solve(struct search *s, const struct account *a, int dimension, uint64_t grows)
{
    uint64_t claim = s->windows[0].low, from = (uint64_t)s->x->ledger->dimensions[dimension].value;
    uint64_t apart = claim > a->counted ? claim - a->counted : a->counted - claim;
    if (apart == 0 || apart % grows) return true;
    uint64_t steps_apart = apart / grows;
    if (claim < a->counted && steps_apart >= from) return true;
    uint64_t v = claim > a->counted ? from + steps_apart : from - steps_apart;
    bool far = v > 16 * from && !(dimension == DIMENSION_VOCABULARY && dimension_is_known(v));
    return far || resized(s, *a, dimension, v, grows);
}

/* Digits do not tell which: those that people use. */
static bool try_known(struct search *s, const struct account *a, uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dimensions[DIMENSION_VOCABULARY].value;
    for (size_t i = 0; vocabularies[i]; i++)
        if (vocabularies[i] != from && !resized(s, *a, DIMENSION_VOCABULARY, vocabularies[i], grows))
            return false;
    return true;
}

static bool try_dials(struct search *s, const struct account *a)
{
    for (int d = 0; d < DIMENSIONS; d++) {
        uint64_t grows = s->x->ledger->dimensions[d].symbol ? cells_growth(s, a->steps, d) : 0;
        if (grows == 0 || grows > INT64_MAX >> 22) continue;
        if (s->windows[0].exact && !solve(s, a, d, grows)) return false;
        if (!s->windows[0].exact && d == DIMENSION_VOCABULARY && !try_known(s, a, grows)) return false;
    }
    return true;
}

/* ---- what does not fit -------------------------------------------------------------------- */

/* Bits to tell a rest: the smaller the better, and better still a round multiple of the layers, of E, or
 * of both, as unit_errors of arithmetic are. */
static unsigned tell_rest(const struct ledger *l, uint64_t rest)
{
    uint64_t L = (uint64_t)ledger_symbol(l, "L"), E = (uint64_t)ledger_symbol(l, "E");
    const uint64_t by[] = { L, E, L * E };
    unsigned best = explain_bits(rest), size = explain_bits(rest) / 4;
    for (unsigned i = 0; rest && i < 3; i++) {
        if (by[i] <= 1 || rest % by[i]) continue;
        uint64_t times = rest / by[i];
        best = (unsigned)num_min(best, explain_bits(times >> __builtin_ctzll(times)) + 2 + i / 2);
    }
    return best + size;
}

static void try_nearest(struct search *s, struct account a)
{
    uint64_t claim = s->x->claim.n.value, low = s->windows[0].low, high = s->windows[0].high;
    uint64_t rest = a.counted > claim ? a.counted - claim : claim - a.counted;
    if (a.cost + REST_COST >= s->nearest_cost || a.counted == 0 || rest > INT64_MAX) return;
    unsigned bits = s->windows[0].exact ? tell_rest(s->x->ledger, rest)
                                        : explain_bits(rest) -
                                              (unsigned)num_min(explain_bits(rest), explain_bits(high - low));
    if (a.cost + REST_COST + bits >= s->nearest_cost) return;
    s->nearest_cost = a.cost + REST_COST + bits;
    a.counting = (uint32_t)(s->c - s->x->countings);
    a.shown = a.counted;
    a.rest = a.counted > claim ? -(int64_t)rest : (int64_t)rest;
    s->nearest = a;
}

const char *explain_factors(const struct explanation *x, int64_t rest)
{
    char a[TEXT_NUMBER], b[TEXT_NUMBER], k[TEXT_NUMBER];
    const struct ledger *l = x->ledger;
    uint64_t size = rest < 0 ? 0 - (uint64_t)rest : (uint64_t)rest;
    uint64_t L = (uint64_t)ledger_symbol(l, "L"), E = (uint64_t)ledger_symbol(l, "E");
    bool layers = L > 1 && size && size % L == 0, width = E > 1 && size && size % E == 0;
    const char *text = "";
    if (layers && size / L % E == 0)
        text = arena_format(l->arena, "%s x %s, L x %s E", text_number(a, L), text_number(b, size / L),
                            text_number(k, size / L / E));
    else if (layers)
        text =
            arena_format(l->arena, "%s x %s, a multiple of L", text_number(a, L), text_number(b, size / L));
    else if (width)
        text =
            arena_format(l->arena, "%s x %s, a multiple of E", text_number(a, size / E), text_number(b, E));
    return text ? text : "";
}

/* ---- all sets of steps -------------------------------------------------------------------- */

static bool excluded(const struct search *s, uint64_t taken, uint64_t bit)
{
    uint64_t sizes = s->raw | s->full, experts = s->used | s->one;
    return (bit & sizes && taken & sizes) || (bit & experts && taken & experts);
}

/* One table is mostly not counted, and which depends. A model is taken without its head; a token
 * passes some of the experts, its head, and a single row of the embeddings. */
static unsigned step_cost(const struct search *s, uint64_t taken, unsigned step)
{
    bool active = taken & s->used;
    if (steps[step].kind != STEP_WITHOUT) return steps[step].cost;
    if (steps[step].all == TRAIT_HEAD) return steps[step].cost + 2 * active;
    if (steps[step].all == TRAIT_TABLE) return steps[step].cost + (active || !s->tied);
    return steps[step].cost;
}

static bool search_account(struct search *s, const struct account *a, bool *stop)
{
    if (!try_windows(s, *a, stop)) return false;
    if (*stop) return true;
    if (!try_dials(s, a)) return false;
    try_nearest(s, *a);
    return true;
}

static bool descend(struct search *s, const struct account *a, unsigned from, unsigned deep)
{
    bool stop = false;
    if (++s->nodes > NODES || a->counted == 0) return true;
    if (!s->visit(s, a, &stop)) return false;
    if (stop) return true;
    for (unsigned i = from; deep && i < step_rows; i++) {
        uint64_t bit = UINT64_C(1) << i;
        struct account next = *a;
        if (!(s->usable & bit) || excluded(s, a->steps, bit)) continue;
        next.steps |= bit;
        next.cost += step_cost(s, a->steps, i);
        if (next.cost > s->limit) continue;
        next.counted = cells_count(s, next.steps);
        if (next.counted == a->counted) continue; /* nothing is left for this step to do */
        if (!descend(s, &next, i + 1, deep - 1)) return false;
    }
    return true;
}

bool search_walk(struct search *s)
{
    s->nodes = 0;
    for (size_t i = 0; i < s->x->counting_count; i++) {
        s->c = &s->x->countings[i];
        if (!cells_make(s)) return false;
        struct account a = {
            .counting = (uint32_t)i, .dimension = NO_DIMENSION, .counted = s->c->value, .cost = s->c->cost
        };
        if (s->c->cost <= s->limit && !descend(s, &a, 0, s->deep)) return false;
    }
    return true;
}

/* ---- the best ----------------------------------------------------------------------------- */

static unsigned step_count(const struct account *a)
{
    return (unsigned)__builtin_popcountll(a->steps) + (a->dimension != NO_DIMENSION) + (a->unit != 0);
}

static int by_cost(const void *p, const void *q)
{
    const struct account *a = p, *b = q;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    if (step_count(a) != step_count(b)) return step_count(a) < step_count(b) ? -1 : 1;
    if (a->counting != b->counting) return a->counting < b->counting ? -1 : 1;
    if (a->steps != b->steps) return a->steps < b->steps ? -1 : 1;
    return a->resized < b->resized ? -1 : a->resized > b->resized;
}

/* What explains nothing stands behind what may. */
static int by_worth(const void *p, const void *q)
{
    const struct account *a = p, *b = q;
    return a->loose != b->loose ? (a->loose ? 1 : -1) : by_cost(p, q);
}

/* The same things counted, or a fit with steps that it does not need, or one with a size solved for
 * that differs by leaving out what is as large. */
static bool is_idle(const struct explanation *x, const struct account *a, const struct account *better)
{
    if (x->countings[a->counting].class && a->shown == better->shown) return true;
    if (x->countings[better->counting].stored && a->dimension == NO_DIMENSION &&
        a->counted == better->counted)
        return a->unit == better->unit;
    if (a->same == better->same && a->unit == better->unit) return true;
    if (a->dimension != NO_DIMENSION && a->dimension == better->dimension && a->resized == better->resized &&
        a->counting == better->counting && a->shown == better->shown)
        return true;
    return a->counting == better->counting && a->unit == better->unit &&
           (better->dimension == NO_DIMENSION ||
            (better->dimension == a->dimension && better->resized == a->resized)) &&
           (a->steps & better->steps) == better->steps;
}

static void choose(struct explanation *x, unsigned limit)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->count; i++) x->accounts[i].loose = explain_is_loose(x, &x->accounts[i]);
    if (x->count) qsort(x->accounts, x->count, sizeof *x->accounts, by_worth);
    for (size_t i = 0; i < x->count; i++) {
        bool idle = false;
        for (size_t k = 0; !idle && k < kept; k++) idle = is_idle(x, &x->accounts[i], &x->accounts[k]);
        if (!idle) x->accounts[kept++] = x->accounts[i];
    }
    x->count = kept;
    while (x->count > 1 && x->accounts[0].cost <= limit && x->accounts[x->count - 1].cost > limit) x->count--;
}

bool explain_is_loose(const struct explanation *x, const struct account *a)
{
    const struct counting *c = &x->countings[a->counting];
    return !x->claim.n.exact &&
           (unit_errors[a->unit].loose || a->reading == CLAIM_NAME || (c->scope && c->scope->loose));
}

/* Two digits fit so much that a second account as cheap leaves no choice between them. */
static bool is_tied(const struct explanation *x)
{
    uint64_t digits = x->claim.n.mantissa;
    while (!x->claim.n.pointed && digits % 10 == 0) digits /= 10;
    return digits < 100 && x->count > 1 && x->accounts[1].cost == x->accounts[0].cost;
}

/* What the account has with another set of steps, its dimension as it stands. */
static uint64_t count_again(const struct search *s, const struct account *a, uint64_t taken)
{
    uint64_t v = cells_count(s, taken);
    if (a->dimension == NO_DIMENSION || v == 0) return v;
    uint64_t from = (uint64_t)s->x->ledger->dimensions[a->dimension].value,
             grows = cells_growth(s, taken, a->dimension);
    return a->resized > from ? v + (a->resized - from) * grows : v - (from - a->resized) * grows;
}

/* Single further steps, of the best account, that the digits would not show. */
static void find_hidden(struct search *s)
{
    struct explanation *x = s->x;
    const struct account *a = &x->accounts[0];
    uint64_t low, high;
    s->c = &x->countings[a->counting];
    if (x->claim.n.exact || a->unit || !s->c->scope || !cells_make(s) ||
        !claim_window(&x->claim, (enum claim_reading)a->reading, &low, &high))
        return;
    for (unsigned i = 0; i < step_rows && x->hidden_count < HIDDEN_MOST; i++) {
        uint64_t bit = UINT64_C(1) << i;
        bool rare = steps[i].all & TRAIT_BUFFER && steps[i].all & TRAIT_EXTRA;
        if (!(s->usable & bit) || a->steps & bit || rare || excluded(s, a->steps, bit)) continue;
        uint64_t v = count_again(s, a, a->steps | bit);
        if (v == a->counted || v < low || v >= high) continue;
        x->hidden[x->hidden_count++] = (struct hidden){ steps[i].name, (int64_t)v - (int64_t)a->counted };
    }
}

static bool run(struct search *s)
{
    struct explanation *x = s->x;
    s->visit = search_account;
    if (!search_walk(s)) return false;
    choose(x, s->limit - WEAK);
    x->fits = x->count > 0;
    if (x->fits && !explain_chance(s)) return false;
    x->tied = is_tied(x);
    x->explained = x->explained && !x->tied;
    if (x->fits && !x->explained) qsort(x->accounts, x->count, sizeof *x->accounts, by_cost);
    if (x->fits) find_hidden(s);
    if (x->fits || s->nearest_cost == UINT32_MAX) return true;
    if (!memory_grow(x->ledger->arena->memory, (void **)&x->accounts, &x->cap, 1, sizeof *x->accounts,
                     s->error))
        return false;
    x->accounts[x->count++] = s->nearest;
    return true;
}

/* What an account with a size solved for may cost at most: models are multiples of powers of two and of
 * their width, and so is what people make of them, so that some size solves for most such numbers. */
static unsigned odd_bits(const struct claim *c, uint64_t E)
{
    uint64_t v = c->n.value >> __builtin_ctzll(c->n.value), odd = E ? E >> __builtin_ctzll(E) : 1;
    return explain_bits(v % odd == 0 ? v / odd : v);
}

static uint64_t common(uint64_t a, uint64_t b) /* their greatest common divisor; b may be 0 */
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

bool explain(struct explanation *x, const struct claim *c, struct ledger *l, numel_error *e)
{
    uint64_t E = (uint64_t)ledger_symbol(l, "E");
    *x = (struct explanation){ .claim = *c, .ledger = l };
    struct search s = { .x = x,
                        .nearest_cost = UINT32_MAX,
                        .error = e,
                        .full = explain_steps_of(STEP_FULL),
                        .raw = explain_steps_of(STEP_RAW),
                        .used = explain_steps_of(STEP_USED),
                        .one = explain_steps_of(STEP_ONE) };
    claim_window(c, CLAIM_WRITTEN, &x->low, &x->high);
    x->bits = explain_bits(c->n.value) -
              (unsigned)num_min(explain_bits(c->n.value), explain_bits(x->high - x->low));
    s.unit = E ? common(c->n.value, E) : 1;
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].traits & TRAIT_TIED && l->entries[i].traits & TRAIT_HEAD) s.tied = true;
    x->odd_bits = odd_bits(c, E);
    make_windows(&s);
    s.limit = WEAK + (c->n.exact ? x->bits : (unsigned)num_max(x->bits, 8) - 2);
    s.deep = c->n.exact ? STEPS_DEEP : STEPS_DEEP - 1;
    bool ok = explain_countings(x, e) && run(&s);
    memory_release(l->arena->memory, s.cells);
    if (!ok) explain_done(x);
    return ok;
}

void explain_done(struct explanation *x)
{
    memory_release(x->ledger->arena->memory, x->accounts);
    memory_release(x->ledger->arena->memory, x->countings);
    x->accounts = NULL;
    x->countings = NULL;
}
