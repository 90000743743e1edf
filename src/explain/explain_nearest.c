/*
 * explain_nearest.c -- the nearest account, which is shown with its remainder if none fits.
 *
 * The nearest account takes the fewest bits together with its remainder. A small remainder takes few bits. A
 * round multiple of the layers, of the width E, or of both takes even fewer, since arithmetic errors look
 * like that.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

enum { REST_COST = 8 }; /* for any remainder */

static unsigned rest_bits(const struct ledger *l, uint64_t rest)
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

/* The part of a remainder that a rounded claim's digits hide costs nothing. */
static unsigned rounded_rest_bits(const struct window *w, uint64_t rest)
{
    unsigned bits = explain_bits(rest);
    return bits - (unsigned)num_min(bits, explain_bits(w->high - w->low));
}

void nearest_try(struct explaining *s, struct account a)
{
    uint64_t claim = s->x->claim.n.value;
    uint64_t rest = a.counted > claim ? a.counted - claim : claim - a.counted;
    const struct window *written = &s->windows[0];
    if (a.cost + REST_COST >= s->nearest_cost || a.counted == 0 || rest > INT64_MAX) return;
    unsigned cost = a.cost + REST_COST +
                    (written->exact ? rest_bits(s->x->ledger, rest) : rounded_rest_bits(written, rest));
    if (cost >= s->nearest_cost) return;
    s->nearest_cost = cost;
    a.shown = a.counted;
    a.rest = a.counted > claim ? -(int64_t)rest : (int64_t)rest;
    s->nearest = a;
}

const char *explain_factors(const struct explanation *x, int64_t rest)
{
    char a[TEXT_NUMBER], b[TEXT_NUMBER], k[TEXT_NUMBER];
    const struct ledger *l = x->ledger;
    uint64_t size = num_size(rest);
    uint64_t L = (uint64_t)ledger_symbol(l, "L"), E = (uint64_t)ledger_symbol(l, "E");
    bool layers = L > 1 && size && size % L == 0, width = E > 1 && size && size % E == 0;
    const char *text = "";
    if (layers && E && size / L % E == 0)
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
