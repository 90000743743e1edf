/*
 * explain_dimensions.c -- the cost of mistaking one size for another, and the number of equally cheap values.
 *
 * A value costs little if it is known, padded, round, or off by a power of two. Model sizes, and numbers
 * derived from them, are multiples of the same powers of two, so a remainder divisible by E proves little;
 * any other value is therefore expensive. The digits of a rounded claim do not determine a value, so it is
 * one of about sixty known ones, which costs 6 bits.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

static bool is_padded(uint64_t v, uint64_t from)
{
    uint64_t up;
    for (uint64_t to = 16; to <= 4096; to *= 2)
        if (num_align(&up, from, to) && up == v) return true;
    return false;
}

bool dimension_is_known(uint64_t v)
{
    size_t i = 0;
    while (embedded_token_counts[i] && embedded_token_counts[i] != v) i++;
    return embedded_token_counts[i] != 0;
}

unsigned dimension_cost(int dimension, uint64_t v, uint64_t from, bool exact)
{
    uint64_t apart = v > from ? v - from : from - v;
    uint64_t odd = apart ? apart >> __builtin_ctzll(apart) : 0; /* 0 has no lowest bit */
    unsigned cost = 5 + explain_bits(odd);
    if (v % 1000 == 0) cost = (unsigned)num_min(cost, explain_bits(v / 1000) + 3u);
    if (v % 10000 == 0) cost = (unsigned)num_min(cost, explain_bits(v / 10000) + 1u);
    if (dimension != DIMENSION_VOCABULARY) return cost;
    if (dimension_is_known(v)) cost = (unsigned)num_min(cost, exact ? 3 : 6);
    return is_padded(v, from) ? (unsigned)num_min(cost, 2) : cost;
}

/* The count of numbers from 1 to `most` whose odd part is below `odd`. */
static uint64_t count_odd_parts(uint64_t most, uint64_t odd)
{
    uint64_t sum = 0;
    for (; most; most /= 2) sum += (num_min(most, odd - 1) + 1) / 2;
    return sum;
}

static uint64_t multiples(uint64_t by, uint64_t low, uint64_t high)
{
    return low > high ? 0 : high / by - (low - 1) / by;
}

/* An upper bound: values that are cheap for two reasons count twice. */
uint64_t dimension_values(int dimension, uint64_t from, uint64_t low, uint64_t high, unsigned cost)
{
    uint64_t sum = 0;
    low = num_max(low, 1);
    if (low > high) return 0;
    if (cost >= 1) sum += multiples(10000, low, num_min(high, (UINT64_C(10000) << num_min(cost, 30)) - 1));
    if (cost >= 3) sum += multiples(1000, low, num_min(high, (UINT64_C(1000) << num_min(cost - 2, 30)) - 1));
    for (size_t i = 0; dimension == DIMENSION_VOCABULARY && cost >= 3 && embedded_token_counts[i]; i++)
        sum += embedded_token_counts[i] >= low && embedded_token_counts[i] <= high;
    if (cost < 5) return sum;
    uint64_t odd = UINT64_C(1) << num_min(cost - 4, 40);
    if (high > from) sum += count_odd_parts(high - from, odd);
    if (low > from) sum -= count_odd_parts(low - from - 1, odd);
    if (low < from) sum += count_odd_parts(from - low, odd);
    if (high < from) sum -= count_odd_parts(from - high - 1, odd);
    return sum;
}
