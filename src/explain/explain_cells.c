/* explain_cells.c -- groups a counting's entries into cells, so that a set of steps is counted fast. */
#include "explain/explain_internal.h"

#include "base/num.h"

/* ---- cells -------------------------------------------------------------------------------- */

static uint64_t entry_hash(uint64_t entry, uint64_t size)
{
    uint64_t h = (entry + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ size * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 30) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

static void add_hashes(const struct explaining *s, struct cell *c, const struct entry *n)
{
    uint64_t entry = (uint64_t)(n - s->x->ledger->entries), by = s->c->divide;
    c->hash += entry_hash(entry, n->elements / by);
    c->full_hash += entry_hash(entry, n->full / by);
    c->raw_hash += entry_hash(entry, n->raw / by);
}

static bool add_cell(struct explaining *s, const struct entry *n)
{
    struct cell c = { .without = explain_steps_on(n, STEP_WITHOUT), .stack = 1 };
    if (explain_needs_step(s->c, n) && !(c.with = explain_steps_on(n, STEP_WITH))) return true;
    if (n->traits & TRAIT_EXPERT) c.stack = n->stack;
    size_t i = 0;
    while (i < s->cell_count &&
           (s->cells[i].without != c.without || s->cells[i].with != c.with || s->cells[i].stack != c.stack))
        i++;
    if (i == s->cell_count) {
        if (!memory_grow(s->x->ledger->arena->memory, (void **)&s->cells, &s->cell_cap, i + 1,
                         sizeof *s->cells, s->error))
            return false;
        s->cells[s->cell_count++] = c;
    }
    add_hashes(s, &s->cells[i], n);
    s->cells[i].size += n->elements / s->c->divide; /* part of sums that fit in 63 bits */
    s->cells[i].full += n->full / s->c->divide;
    s->cells[i].raw += n->raw / s->c->divide;
    for (int d = 0; d < DIMENSIONS; d++)
        if (d != DIMENSION_LAYERS || s->c->divide == 1) s->cells[i].grows[d] += n->grows[d] / s->c->divide;
    return true;
}

/* True if a cheaper step affects exactly the same cells, so that this one adds nothing. */
static bool is_double(const struct explaining *s, unsigned step)
{
    uint64_t bit = UINT64_C(1) << step;
    for (unsigned k = 0; k < step_rows; k++) {
        uint64_t other = UINT64_C(1) << k;
        bool same = k != step && steps[k].kind == steps[step].kind &&
                    (steps[k].cost < steps[step].cost || (steps[k].cost == steps[step].cost && k < step));
        for (size_t i = 0; same && i < s->cell_count; i++)
            same = !(s->cells[i].without & bit) == !(s->cells[i].without & other) &&
                   !(s->cells[i].with & bit) == !(s->cells[i].with & other);
        if (same) return true;
    }
    return false;
}

static void find_usable(struct explaining *s)
{
    uint64_t changes = 0;
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
        if (changes >> i & 1 && !(sets && is_double(s, i))) s->usable |= UINT64_C(1) << i;
    }
    if (s->c->scope && s->c->scope->no_steps) s->usable = 0;
}

bool cells_make(struct explaining *s)
{
    s->cell_count = 0;
    const size_t count = s->c->scope ? s->x->ledger->count : 0;
    for (size_t i = explain_first(s->c); i < count; i = explain_next(s->x, s->c, i))
        if (explain_in_scope(s->c, &s->x->ledger->entries[i]) && !add_cell(s, &s->x->ledger->entries[i]))
            return false;
    find_usable(s);
    return true;
}

static bool is_in(const struct cell *c, uint64_t taken)
{
    return !(c->without & taken) && (c->with & taken) == c->with;
}

static uint64_t scaled(const struct explaining *s, const struct cell *c, uint64_t v, uint64_t taken)
{
    if (c->stack <= 1 || !(taken & (s->used | s->one))) return v;
    return v / c->stack * explain_experts(s->x->ledger, taken, c->stack);
}

uint64_t cells_count(const struct explaining *s, uint64_t taken)
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

uint64_t cells_hash(const struct explaining *s, uint64_t taken)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < s->cell_count; i++) {
        const struct cell *c = &s->cells[i];
        uint64_t hash = taken & s->raw    ? c->raw_hash
                        : taken & s->full ? c->full_hash
                                          : c->hash,
                 used = c->stack;
        if (c->stack > 1) used = explain_experts(s->x->ledger, taken, c->stack);
        if (is_in(c, taken)) sum += used == c->stack ? hash : hash * (2 * used + 3);
    }
    return sum;
}

uint64_t cells_growth(const struct explaining *s, uint64_t taken, int dimension)
{
    const uint64_t most = INT64_MAX >> 22; /* leaves room for multiplying by a 22-bit size */
    uint64_t sum = 0;
    if (!s->x->ledger->dimensions[dimension].symbol) return 0;
    for (size_t i = 0; i < s->cell_count; i++)
        if (is_in(&s->cells[i], taken)) sum += scaled(s, &s->cells[i], s->cells[i].grows[dimension], taken);
    return sum > most ? 0 : sum;
}
