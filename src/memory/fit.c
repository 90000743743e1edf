/*
 * fit.c -- the longest context and the largest batch that fit: what grows with them is looked for by halves. Weights that
 * take more by themselves do not fit, whatever else is not known; what takes less does not fit for that where activations
 * are not estimated.
 */
#include "memory/memory.h"

enum { LONGEST = 40, MOST = 24 }; /* 2 to the: beyond, nothing grows */

NUMEL_MUST static bool fits(const struct memory *m, uint64_t context, uint64_t batch)
{
    numel_error e = { .code = NUMEL_OK };
    uint64_t total;
    return memory_total_at(m, context, batch, &total, &e) && total <= m->ask.fit;
}

/* The largest n up to 2^bits with which it fits; 0: none. */
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
    m->fit.known = !w->estimated && w->bytes > m->ask.fit; /* of several, of those that are known */
    if (!memory_known(m)) return;
    m->fit.fits = fits(m, m->ask.run.context, m->ask.run.batch);
    m->fit.known = m->rule || !m->fit.fits;
    m->fit.context = search(m, LONGEST, true);
    m->fit.batch = search(m, MOST, false);
    m->fit.unlimited = m->fit.context == UINT64_C(1) << LONGEST;
}
