/*
 * explain.c -- makes an explanation: walks everything that may be counted, sorts the accounts that fit the
 * claim by cost, and judges whether the best one fits by chance.
 *
 * Accounts that only repeat a cheaper one are dropped: they count the same entries under other names, or
 * contain an unneeded step. If no account fits, the nearest one is kept.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

#include <stdlib.h>

enum {
    STEPS_DEEP = 4, /* most steps for an exact claim; a rounded one has one less */
    WEAK = 8        /* listed accounts may cost this much more than their claim is worth */
};

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

/* Puts loose accounts last. The active count of a mixture comes first: it is published next to the total
 * and equally certain. */
static int by_worth(const void *p, const void *q)
{
    const struct account *a = p, *b = q;
    if (a->active != b->active) return a->active ? -1 : 1;
    return a->loose != b->loose ? (a->loose ? 1 : -1) : by_cost(p, q);
}

/* True for the active count of the model, or of its language model alone. */
static bool is_active(const struct explaining *s, const struct account *a)
{
    uint64_t language = 0;
    for (unsigned i = 0; i < step_rows; i++)
        if (steps[i].any == (TRAIT_TOWER | TRAIT_PROJECTOR)) language |= UINT64_C(1) << i;
    return !s->x->claim.n.exact && a->counting == 0 && a->steps & s->used &&
           !(a->steps & ~(s->used | language)) && a->dimension == NO_DIMENSION && a->unit == 0 &&
           a->reading <= CLAIM_CUT;
}

/* True if the account counts the same entries as a better one, has unneeded steps, or solves for a size
 * only to compensate for something left out. */
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

static void choose(const struct explaining *s, unsigned limit)
{
    struct explanation *x = s->x;
    size_t kept = 0;
    for (size_t i = 0; i < x->count; i++) {
        x->accounts[i].loose = fit_is_loose(x, &x->accounts[i]);
        x->accounts[i].active = is_active(s, &x->accounts[i]);
    }
    if (x->count) qsort(x->accounts, x->count, sizeof *x->accounts, by_worth);
    for (size_t i = 0; i < x->count; i++) {
        bool idle = false;
        for (size_t k = 0; !idle && k < kept; k++) idle = is_idle(x, &x->accounts[i], &x->accounts[k]);
        if (!idle) x->accounts[kept++] = x->accounts[i];
    }
    x->count = kept;
    while (x->count > 1 && x->accounts[0].cost <= limit && x->accounts[x->count - 1].cost > limit) x->count--;
}

/* True if a claim of two digits has a second account at equal cost, which leaves it undecided because two
 * digits fit so many counts. */
static bool is_tied(const struct explanation *x)
{
    uint64_t digits = x->claim.n.mantissa;
    while (!x->claim.n.pointed && digits % 10 == 0) digits /= 10;
    return digits < 100 && x->count > 1 && x->accounts[1].cost == x->accounts[0].cost;
}

/* ---- hidden steps ------------------------------------------------------------------------- */

/* The account's count with other steps, but the same dimension. */
static uint64_t count_again(const struct explaining *s, const struct account *a, uint64_t taken)
{
    struct account b = { .counted = cells_count(s, taken) };
    if (a->dimension == NO_DIMENSION || b.counted == 0) return b.counted;
    uint64_t grows = cells_growth(s, taken, a->dimension);
    return dimension_resize(s, b, a->dimension, a->resized, grows).counted;
}

/* Excludes buffers that only old files have, which are not worth a line. */
static bool may_be_hidden(const struct explaining *s, const struct account *a, unsigned step)
{
    uint64_t bit = UINT64_C(1) << step, sizes = s->raw | s->full, experts = s->used | s->one;
    bool rare = steps[step].all & TRAIT_BUFFER && steps[step].all & TRAIT_EXTRA;
    bool apart = (bit & sizes && a->steps & sizes) || (bit & experts && a->steps & experts);
    return s->usable & bit && !(a->steps & bit) && !rare && !apart;
}

/* Finds single steps on top of the best account that the claim's digits would not show. */
static bool find_hidden(struct explaining *s)
{
    struct explanation *x = s->x;
    const struct account *a = &x->accounts[0];
    uint64_t low, high;
    s->c = &x->countings[a->counting];
    if (x->claim.n.exact || a->unit || !s->c->scope) return true;
    if (!cells_make(s)) return false;
    if (!claim_window(&x->claim, (enum claim_reading)a->reading, &low, &high)) return true;
    for (unsigned i = 0; i < step_rows && x->hidden_count < HIDDEN_MOST; i++) {
        if (!may_be_hidden(s, a, i)) continue;
        uint64_t v = count_again(s, a, a->steps | UINT64_C(1) << i);
        if (v == a->counted || v < low || v >= high) continue;
        x->hidden[x->hidden_count++] =
            (struct hidden){ steps[i].line.text, (int64_t)v - (int64_t)a->counted };
    }
    return true;
}

/* ---- end to end --------------------------------------------------------------------------- */

/* Keeps the nearest account if none fits. */
static bool keep_nearest(struct explaining *s)
{
    struct explanation *x = s->x;
    if (s->nearest_cost == UINT32_MAX) return true;
    if (!memory_grow(x->ledger->arena->memory, (void **)&x->accounts, &x->cap, 1, sizeof *x->accounts,
                     s->error))
        return false;
    x->accounts[x->count++] = s->nearest;
    return true;
}

static bool run(struct explaining *s)
{
    struct explanation *x = s->x;
    if (!explain_countings(x, s->error) || !explain_walk(s, fit_visit, s)) return false;
    choose(s, s->limit - WEAK);
    x->fits = x->count > 0;
    if (!x->fits) return keep_nearest(s);
    if (!explain_chance(s)) return false;
    x->tied = !x->accounts[0].active && is_tied(x);
    x->explained = x->accounts[0].active || (x->explained && !x->tied);
    if (!x->explained) qsort(x->accounts, x->count, sizeof *x->accounts, by_cost);
    return find_hidden(s);
}

/* The most that an account which solves for a size may cost. Model sizes, and numbers derived from them,
 * are multiples of powers of two and of the width, so some size solves for most such numbers. */
static unsigned odd_bits(uint64_t claim, uint64_t E)
{
    uint64_t v = claim >> __builtin_ctzll(claim), odd = E ? E >> __builtin_ctzll(E) : 1;
    return explain_bits(v % odd == 0 ? v / odd : v);
}

/* The number of bits that the digits are worth. */
static unsigned claim_bits(const struct explanation *x)
{
    unsigned all = explain_bits(x->claim.n.value);
    return all - (unsigned)num_min(all, explain_bits(x->high - x->low));
}

static bool is_head_tied(const struct ledger *l)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].traits & TRAIT_TIED && l->entries[i].traits & TRAIT_HEAD) return true;
    return false;
}

bool explain(struct explanation *x, const struct claim *c, struct ledger *l, numel_error *e)
{
    struct explaining s = { .x = x,
                            .nearest_cost = UINT32_MAX,
                            .error = e,
                            .full = explain_steps_of(STEP_FULL),
                            .raw = explain_steps_of(STEP_RAW),
                            .used = explain_steps_of(STEP_USED),
                            .one = explain_steps_of(STEP_ONE),
                            .tied = is_head_tied(l) };
    *x = (struct explanation){ .claim = *c, .ledger = l };
    claim_window(c, CLAIM_WRITTEN, &x->low, &x->high);
    x->bits = claim_bits(x);
    x->odd_bits = odd_bits(c->n.value, (uint64_t)ledger_symbol(l, "E"));
    s.limit = WEAK + (c->n.exact ? x->bits : (unsigned)num_max(x->bits, 8) - 2);
    s.deep = c->n.exact ? STEPS_DEEP : STEPS_DEEP - 1;
    windows_make(&s);
    bool ok = run(&s);
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
