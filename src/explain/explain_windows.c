/*
 * explain_windows.c -- the counts that a claim may stand for, by reading of its digits (claim.h) and by unit
 * that may have been mistaken (explain_tables.c). Stronger readings come first.
 *
 * Units are only tried for a claim read as written, because two errors in one figure explain too much.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

enum { BYTES_COST = 4 }; /* the cost of the cheapest unit of bytes */

static uint64_t ceiling(wide v, wide by)
{
    wide r = (v + by - 1) / by;
    return r > UINT64_MAX ? UINT64_MAX : (uint64_t)r;
}

/* For a claim in bytes, a unit of bytes is not an error. */
static unsigned unit_cost(const struct unit_error *u, const struct claim *c)
{
    return u->cost - (c->n.kind == NUMBER_OF_BYTES && u->bytes ? BYTES_COST : 0u);
}

static struct window window_of(const struct claim *c, enum claim_reading r, unsigned unit, uint64_t low,
                               uint64_t high)
{
    const unsigned costs[CLAIM_READINGS] = { 0, 1, c->n.exact ? 5 : 1, c->n.pointed ? 7 : 5 };
    const struct unit_error *u = &unit_errors[unit];
    return (struct window){ .low = ceiling((wide)low * u->parts, u->times),
                            .high = ceiling((wide)high * u->parts, u->times),
                            .unit = (uint8_t)unit,
                            .reading = (uint8_t)r,
                            .exact = c->n.exact && unit == 0 && r == 0,
                            .below = c->n.value - num_min(low, c->n.value),
                            .above = high - num_min(high, c->n.value),
                            .cost = unit_cost(u, c) + costs[r] };
}

void windows_make(struct explaining *s)
{
    const struct claim *c = &s->x->claim;
    for (unsigned r = 0; r < CLAIM_READINGS; r++) {
        uint64_t low, high;
        if (!claim_window(c, (enum claim_reading)r, &low, &high)) continue;
        for (unsigned u = 0; u < unit_error_rows && s->window_count < WINDOWS; u++)
            if ((!c->n.exact || unit_errors[u].exact) && !(u && r))
                s->windows[s->window_count++] = window_of(c, (enum claim_reading)r, u, low, high);
    }
}

wide window_shown(const struct window *w, uint64_t counted)
{
    return (wide)counted * unit_errors[w->unit].times / unit_errors[w->unit].parts;
}
