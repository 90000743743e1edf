/*
 * fit.c -- finds the longest context and the largest batch that fit, by binary search. If the weights alone
 * are too large, the model does not fit, even if the rest is unknown. Without an estimate of activations, a
 * sum that fits proves nothing.
 */
#include "memory/memory.h"

enum { LONGEST = 40, MOST = 24 }; /* exponents of 2; if these fit, there is no limit */

NUMEL_MUST static bool fits(const struct memory *m, uint64_t context, uint64_t batch)
{
    numel_error e = { .code = NUMEL_OK };
    uint64_t total;
    return memory_total_at(m, context, batch, &total, &e) && total <= m->ask.fit;
}

/* The largest n up to 2^bits that fits; 0 if none does. */
static uint64_t search(const struct memory *m, unsigned bits, bool context)
{
    uint64_t low = 0, high = (UINT64_C(1) << bits) + 1;
    while (high - low > 1) {
        uint64_t n = low + (high - low) / 2;
        bool ok = context ? fits(m, n, m->ask.run.batch) : fits(m, m->ask.run.context, n);
        *(ok ? &low : &high) = n;
    }
    return low;
}

void memory_fit(struct memory *m)
{
    const struct memory_weights *w = &m->weights;
    if (!m->ask.fit) return;
    m->fit.known = !w->estimated && w->bytes > m->ask.fit; /* for several models, w only has the known ones */
    if (!memory_known(m)) return;
    m->fit.fits = fits(m, m->ask.run.context, m->ask.run.batch);
    m->fit.known = m->rule || !m->fit.fits;
    m->fit.context = search(m, LONGEST, true);
    m->fit.batch = search(m, MOST, false);
    m->fit.unlimited = m->fit.context == UINT64_C(1) << LONGEST;
}
