/*
 * explain.c -- the search; see explain.h.
 *
 * A counting's entries are first gathered into cells: entries that the same steps concern, in sums.
 * Then every set of up to STEPS_DEEP steps is counted: there are some thousands, each a sum over a dozen
 * cells. What fits a window of the claim is kept; where it fits, further steps are not tried, since
 * they would explain nothing. An exact claim is also solved for each size, a rounded one tried with the
 * vocabularies that people use. At last those go that only repeat a cheaper one.
 */
#include "claim/explain_parts.h"

#include "base/num.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

enum {
    STEPS_DEEP = 4,        /* at most, for an exact claim; a rounded one has one less */
    NODES = 4000000,       /* sets counted in all */
    WINDOWS = 32,
    REST_COST = 8,         /* of having a rest at all */
    SURE = 4,              /* bits that a size solved for must leave of what its claim is worth */
    WEAK = 8               /* what an account may cost more than its claim is worth, if none costs less */
};

struct window { /* of elements */
    uint64_t low, high;
    uint8_t slip, reading;
    bool exact;
    unsigned cost;
};

struct cell {
    uint32_t without, with; /* steps that leave it out; that take it in (0: is in) */
    uint64_t stack;
    uint64_t size, full, raw, grows[DIALS];
};

struct search {
    struct explanation *x;
    const struct counting *c;
    struct cell *cells;
    size_t cell_count, cell_cap;
    struct window windows[WINDOWS];
    unsigned window_count;
    uint32_t usable; /* steps that change anything here */
    uint32_t full, raw, used, one;
    unsigned limit, deep;
    uint64_t nodes;
    struct account nearest;
    unsigned nearest_cost;
    numel_error *error;
};

/* ---- windows ------------------------------------------------------------------------------ */

static uint64_t ceiling(wide v, wide by)
{
    wide r = (v + by - 1) / by;
    return r > UINT64_MAX ? UINT64_MAX : (uint64_t)r;
}

static void make_windows(struct search *s)
{
    const struct claim *c = &s->x->claim;
    const unsigned costs[CLAIM_READINGS] = { 0, 2, c->exact ? 5 : 2, c->pointed ? 7 : 5 };
    for (unsigned r = 0; r < CLAIM_READINGS; r++) {
        uint64_t low, high;
        if (!claim_window(c, (enum claim_reading)r, &low, &high)) continue;
        for (unsigned u = 0; u < slip_rows && s->window_count < WINDOWS; u++) {
            if ((c->exact && !slips[u].exact) || (u && r)) continue;
            s->windows[s->window_count++] = (struct window){
                .low = ceiling((wide)low * slips[u].parts, slips[u].times),
                .high = ceiling((wide)high * slips[u].parts, slips[u].times),
                .slip = (uint8_t)u, .reading = (uint8_t)r, .exact = c->exact && u == 0 && r == 0,
                .cost = slips[u].cost + costs[r],
            };
        }
    }
}

/* ---- cells -------------------------------------------------------------------------------- */

static bool add_cell(struct search *s, const struct entry *n)
{
    struct cell c = { .without = explain_steps_on(n, STEP_WITHOUT), .stack = 1 };
    if (explain_needs_step(s->c, n) && !(c.with = explain_steps_on(n, STEP_WITH))) return true;
    if (n->traits & TRAIT_EXPERT) c.stack = n->stack;
    size_t i = 0;
    while (i < s->cell_count && (s->cells[i].without != c.without || s->cells[i].with != c.with ||
                                 s->cells[i].stack != c.stack))
        i++;
    if (i == s->cell_count) {
        if (!memory_grow(s->x->ledger->arena->memory, (void **)&s->cells, &s->cell_cap, i + 1,
                         sizeof *s->cells, s->error))
            return false;
        s->cells[s->cell_count++] = c;
    }
    s->cells[i].size += n->elements / s->c->divide; /* of sums that fit in 63 bits */
    s->cells[i].full += n->full / s->c->divide;
    s->cells[i].raw += n->raw / s->c->divide;
    for (int d = 0; d < DIALS; d++)
        if (d != DIAL_LAYERS || s->c->divide == 1)
            s->cells[i].grows[d] += n->grows[d] / s->c->divide;
    return true;
}

/* A step that concerns the very cells of a cheaper one says nothing new. */
static bool is_double(const struct search *s, unsigned step)
{
    uint32_t bit = UINT32_C(1) << step;
    for (unsigned k = 0; k < step_rows; k++) {
        uint32_t other = UINT32_C(1) << k;
        bool same = k != step && steps[k].kind == steps[step].kind &&
                    (steps[k].cost < steps[step].cost || (steps[k].cost == steps[step].cost && k < step));
        for (size_t i = 0; same && i < s->cell_count; i++)
            same = !(s->cells[i].without & bit) == !(s->cells[i].without & other) &&
                   !(s->cells[i].with & bit) == !(s->cells[i].with & other);
        if (same) return true;
    }
    return false;
}

static void find_usable(struct search *s)
{
    uint32_t changes = 0;
    s->usable = 0;
    for (size_t i = 0; i < s->cell_count; i++) {
        const struct cell *c = &s->cells[i];
        changes |= c->with | c->without;
        if (c->full != c->size) changes |= s->full;
        if (c->raw != c->size) changes |= s->raw;
        if (c->stack > 1 && s->x->ledger->used) changes |= s->used;
        if (c->stack > 1) changes |= s->one;
    }
    for (unsigned i = 0; i < step_rows; i++) {
        bool sets = steps[i].kind == STEP_WITH || steps[i].kind == STEP_WITHOUT;
        if (changes >> i & 1 && !(sets && is_double(s, i))) s->usable |= UINT32_C(1) << i;
    }
    if (s->c->scope && s->c->scope->no_steps) s->usable = 0;
}

static bool make_cells(struct search *s)
{
    s->cell_count = 0;
    for (size_t i = 0; s->c->scope && i < s->x->ledger->count; i++)
        if (explain_in_scope(s->c, &s->x->ledger->entries[i]) &&
            !add_cell(s, &s->x->ledger->entries[i]))
            return false;
    find_usable(s);
    return true;
}

static bool is_in(const struct cell *c, uint32_t taken)
{
    return !(c->without & taken) && (!c->with || c->with & taken);
}

static uint64_t scaled(const struct search *s, const struct cell *c, uint64_t v, uint32_t taken)
{
    if (c->stack <= 1 || !(taken & (s->used | s->one))) return v;
    return v / c->stack * explain_experts(s->x->ledger, taken, c->stack);
}

static uint64_t count_cells(const struct search *s, uint32_t taken)
{
    uint64_t sum = 0;
    if (!s->c->scope) return s->c->value;
    for (size_t i = 0; i < s->cell_count; i++) {
        const struct cell *c = &s->cells[i];
        uint64_t v = taken & s->raw ? c->raw : taken & s->full ? c->full : c->size;
        if (is_in(c, taken) && !num_add(&sum, sum, scaled(s, c, v, taken))) return 0;
    }
    return sum <= INT64_MAX ? sum : 0;
}

static uint64_t growth(const struct search *s, uint32_t taken, int dial)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cell_count; i++)
        if (is_in(&s->cells[i], taken)) sum += scaled(s, &s->cells[i], s->cells[i].grows[dial], taken);
    return sum;
}

/* ---- what fits ---------------------------------------------------------------------------- */

static uint64_t same_hash(const struct search *s, const struct account *a)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ a->slip ^ (uint64_t)(a->dial + 1) << 8 ^ a->dialed << 16;
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
    const struct unit_slip *u = &slips[a.slip];
    if (a.cost > s->limit || x->count == ACCOUNTS_MOST) return true;
    if (a.dial != NO_DIAL && x->claim.exact && a.cost > x->odd_bits) return true;
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
        a.slip = w->slip;
        a.reading = w->reading;
        a.cost = cost + w->cost;
        if (!keep(s, a)) return false;
        if (w->slip == 0 && w->reading != CLAIM_NAME && w->exact == s->x->claim.exact) *stop = true;
        if (w->slip == 0) break; /* a stronger reading comes before a weaker one */
    }
    return true;
}

/* ---- sizes taken for others --------------------------------------------------------------- */

static bool is_padded(uint64_t v, uint64_t from)
{
    uint64_t up;
    for (uint64_t to = 16; to <= 4096; to *= 2)
        if (num_align(&up, from, to) && up == v) return true;
    return false;
}

static bool is_known(uint64_t v)
{
    size_t i = 0;
    while (vocabularies[i] && vocabularies[i] != v) i++;
    return vocabularies[i] != 0;
}

/* Bits to say the value of a dial: little when it is known, round, or off by a round number. Sizes of
 * models, and what people make of them, are multiples of the same powers of two: that a rest can be
 * divided by E proves little, so a value that is nothing of the kind is dear. */
static unsigned dial_cost(int dial, uint64_t v, uint64_t from)
{
    uint64_t apart = v > from ? v - from : from - v;
    unsigned cost = 5 + explain_bits(apart >> __builtin_ctzll(apart));
    if (v % 1000 == 0) cost = (unsigned)num_min(cost, explain_bits(v / 1000) + 3u);
    if (v % 10000 == 0) cost = 2;
    if (dial != DIAL_VOCABULARY) return cost;
    if (is_known(v)) cost = (unsigned)num_min(cost, 3);
    return is_padded(v, from) ? (unsigned)num_min(cost, 2) : cost;
}

static bool dialed(struct search *s, struct account a, int dial, uint64_t v, uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dials[dial].value;
    uint64_t change = (v > from ? v - from : from - v) * grows;
    bool stop = false;
    a.dial = dial;
    a.dialed = v;
    a.cost += dial_rows[dial].cost + dial_cost(dial, v, from);
    a.counted = v > from ? a.counted + change : a.counted - change;
    return a.cost > s->limit || try_windows(s, a, &stop);
}

/* The value of a size with which an exact claim is met, if there is one. */
static bool solve(struct search *s, const struct account *a, int dial, uint64_t grows)
{
    uint64_t claim = s->windows[0].low, from = (uint64_t)s->x->ledger->dials[dial].value;
    uint64_t apart = claim > a->counted ? claim - a->counted : a->counted - claim;
    if (apart == 0 || apart % grows) return true;
    uint64_t steps_apart = apart / grows;
    if (claim < a->counted && steps_apart >= from) return true;
    uint64_t v = claim > a->counted ? from + steps_apart : from - steps_apart;
    bool far = v > 16 * from && !(dial == DIAL_VOCABULARY && is_known(v));
    return far || dialed(s, *a, dial, v, grows);
}

/* Digits do not tell which: those that people use. */
static bool try_known(struct search *s, const struct account *a, uint64_t grows)
{
    uint64_t from = (uint64_t)s->x->ledger->dials[DIAL_VOCABULARY].value;
    for (size_t i = 0; vocabularies[i]; i++)
        if (vocabularies[i] != from && !dialed(s, *a, DIAL_VOCABULARY, vocabularies[i], grows))
            return false;
    return true;
}

static bool try_dials(struct search *s, const struct account *a)
{
    for (int d = 0; d < DIALS; d++) {
        uint64_t grows = s->x->ledger->dials[d].symbol ? growth(s, a->steps, d) : 0;
        if (grows == 0 || grows > INT64_MAX >> 22) continue;
        if (s->windows[0].exact && !solve(s, a, d, grows)) return false;
        if (!s->windows[0].exact && d == DIAL_VOCABULARY && !try_known(s, a, grows)) return false;
    }
    return true;
}

/* ---- what does not fit -------------------------------------------------------------------- */

/* Bits to tell a rest: the smaller the better, and better still a round multiple of the layers, of E, or
 * of both, as slips of arithmetic are. */
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
    uint64_t claim = s->x->claim.value, low = s->windows[0].low, high = s->windows[0].high;
    uint64_t rest = a.counted > claim ? a.counted - claim : claim - a.counted;
    if (a.cost + REST_COST >= s->nearest_cost || a.counted == 0 || rest > INT64_MAX) return;
    unsigned bits = s->windows[0].exact
                        ? tell_rest(s->x->ledger, rest)
                        : explain_bits(rest) - (unsigned)num_min(explain_bits(rest), explain_bits(high - low));
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
        text = arena_format(l->arena, "%s x %s, L x %s E", text_number(a, L),
                            text_number(b, size / L), text_number(k, size / L / E));
    else if (layers)
        text = arena_format(l->arena, "%s x %s, a multiple of L", text_number(a, L),
                            text_number(b, size / L));
    else if (width)
        text = arena_format(l->arena, "%s x %s, a multiple of E", text_number(a, size / E),
                            text_number(b, E));
    return text ? text : "";
}

/* ---- all sets of steps -------------------------------------------------------------------- */

static bool excluded(const struct search *s, uint32_t taken, uint32_t bit)
{
    uint32_t sizes = s->raw | s->full, experts = s->used | s->one;
    return (bit & sizes && taken & sizes) || (bit & experts && taken & experts);
}

static bool descend(struct search *s, const struct account *a, unsigned from, unsigned deep)
{
    bool stop = false;
    if (++s->nodes > NODES || a->counted == 0) return true;
    if (!try_windows(s, *a, &stop)) return false;
    if (stop) return true;
    if (!try_dials(s, a)) return false;
    try_nearest(s, *a);
    for (unsigned i = from; deep && i < step_rows; i++) {
        uint32_t bit = UINT32_C(1) << i;
        struct account next = *a;
        if (!(s->usable & bit) || excluded(s, a->steps, bit)) continue;
        next.steps |= bit;
        next.cost += steps[i].cost;
        if (next.cost > s->limit) continue;
        next.counted = count_cells(s, next.steps);
        if (next.counted == a->counted) continue; /* nothing is left for this step to do */
        if (!descend(s, &next, i + 1, deep - 1)) return false;
    }
    return true;
}

static bool search_all(struct search *s)
{
    for (size_t i = 0; i < s->x->counting_count; i++) {
        s->c = &s->x->countings[i];
        if (!make_cells(s)) return false;
        struct account a = { .dial = NO_DIAL, .counted = s->c->value, .cost = s->c->cost };
        if (s->c->cost <= s->limit && !descend(s, &a, 0, s->deep)) return false;
    }
    return true;
}

/* ---- the best ----------------------------------------------------------------------------- */

static unsigned step_count(const struct account *a)
{
    return (unsigned)__builtin_popcount(a->steps) + (a->dial != NO_DIAL) + (a->slip != 0);
}

static int by_cost(const void *p, const void *q)
{
    const struct account *a = p, *b = q;
    if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
    if (step_count(a) != step_count(b)) return step_count(a) < step_count(b) ? -1 : 1;
    if (a->counting != b->counting) return a->counting < b->counting ? -1 : 1;
    if (a->steps != b->steps) return a->steps < b->steps ? -1 : 1;
    return a->dialed < b->dialed ? -1 : a->dialed > b->dialed;
}

/* The same things counted, or a fit with steps that it does not need, or one with a size solved for
 * that differs by leaving out what is as large. */
static bool is_idle(const struct explanation *x, const struct account *a,
                    const struct account *better)
{
    if (x->countings[a->counting].class && a->shown == better->shown) return true;
    if (a->same == better->same && a->slip == better->slip) return true;
    if (a->dial != NO_DIAL && a->dial == better->dial && a->dialed == better->dialed &&
        a->counting == better->counting && a->shown == better->shown)
        return true;
    return a->counting == better->counting && a->slip == better->slip &&
           (better->dial == NO_DIAL || (better->dial == a->dial && better->dialed == a->dialed)) &&
           (a->steps & better->steps) == better->steps;
}

static void choose(struct explanation *x, unsigned limit)
{
    size_t kept = 0;
    if (x->count) qsort(x->accounts, x->count, sizeof *x->accounts, by_cost);
    for (size_t i = 0; i < x->count; i++) {
        bool idle = false;
        for (size_t k = 0; !idle && k < kept; k++) idle = is_idle(x, &x->accounts[i], &x->accounts[k]);
        if (!idle) x->accounts[kept++] = x->accounts[i];
    }
    x->count = kept;
    x->weak = x->count && x->accounts[0].cost > limit;
    if (x->count && x->claim.exact && x->accounts[0].dial != NO_DIAL)
        x->weak = x->weak || x->accounts[0].cost + SURE > x->odd_bits;
    while (x->count > 1 && x->accounts[0].cost <= limit && x->accounts[x->count - 1].cost > limit) x->count--;
}

/* What the account has with another set of steps, its dial as it stands. */
static uint64_t count_again(const struct search *s, const struct account *a, uint32_t taken)
{
    uint64_t v = count_cells(s, taken);
    if (a->dial == NO_DIAL || v == 0) return v;
    uint64_t from = (uint64_t)s->x->ledger->dials[a->dial].value, grows = growth(s, taken, a->dial);
    return a->dialed > from ? v + (a->dialed - from) * grows : v - (from - a->dialed) * grows;
}

/* Single further steps, of the best account, that the digits would not show. */
static void find_hidden(struct search *s)
{
    struct explanation *x = s->x;
    const struct account *a = &x->accounts[0];
    uint64_t low, high;
    s->c = &x->countings[a->counting];
    if (x->claim.exact || a->slip || !s->c->scope || !make_cells(s) ||
        !claim_window(&x->claim, (enum claim_reading)a->reading, &low, &high))
        return;
    for (unsigned i = 0; i < step_rows && x->hidden_count < HIDDEN_MOST; i++) {
        uint32_t bit = UINT32_C(1) << i;
        if (!(s->usable & bit) || a->steps & bit || excluded(s, a->steps, bit)) continue;
        uint64_t v = count_again(s, a, a->steps | bit);
        if (v == a->counted || v < low || v >= high) continue;
        x->hidden[x->hidden_count++] =
            (struct hidden){ steps[i].name, (int64_t)v - (int64_t)a->counted };
    }
}

static bool run(struct search *s)
{
    struct explanation *x = s->x;
    bool ok = search_all(s);
    if (!ok) return false;
    choose(x, s->limit - WEAK);
    x->explained = x->count > 0;
    if (x->explained) find_hidden(s);
    if (x->explained || s->nearest_cost == UINT32_MAX) return true;
    if (!memory_grow(x->ledger->arena->memory, (void **)&x->accounts, &x->cap, 1,
                     sizeof *x->accounts, s->error))
        return false;
    x->accounts[x->count++] = s->nearest;
    return true;
}

/* What an exact claim is worth where sizes are solved for. Models are multiples of powers of two and
 * of their width, and so is what people make of them: that a claim is one too proves nothing. */
static unsigned odd_bits(const struct claim *c, const struct ledger *l)
{
    uint64_t v = c->value >> __builtin_ctzll(c->value), E = (uint64_t)ledger_symbol(l, "E");
    uint64_t odd = E ? E >> __builtin_ctzll(E) : 1;
    return explain_bits(v % odd == 0 ? v / odd : v);
}

bool explain(struct explanation *x, const struct claim *c, struct ledger *l, numel_error *e)
{
    *x = (struct explanation){ .claim = *c, .ledger = l };
    struct search s = { .x = x, .nearest_cost = UINT32_MAX, .error = e,
                        .full = explain_steps_of(STEP_FULL), .raw = explain_steps_of(STEP_RAW),
                        .used = explain_steps_of(STEP_USED), .one = explain_steps_of(STEP_ONE) };
    claim_window(c, CLAIM_WRITTEN, &x->low, &x->high);
    x->bits = explain_bits(c->value) - (unsigned)num_min(explain_bits(c->value), explain_bits(x->high - x->low));
    x->odd_bits = odd_bits(c, l);
    make_windows(&s);
    s.limit = WEAK + (c->exact ? x->bits : (unsigned)num_max(x->bits, 8) - 2);
    s.deep = c->exact ? STEPS_DEEP : STEPS_DEEP - 1;
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
