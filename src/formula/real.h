/*
 * real.h -- what Python computes with doubles, as whole numbers, without holding a count in a double.
 *
 * A real is fraction * 2^exponent with a fraction of at most 53 bits: a non-negative double. Each operation
 * rounds as in IEEE 754, ties to even. frexp and ldexp only move the binary point, so they are exact.
 */
#ifndef NUMEL_FORMULA_REAL_H
#define NUMEL_FORMULA_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 real_wide;

struct real {
    uint64_t fraction;
    int exponent;
};

enum real_way { REAL_DOWN, REAL_UP, REAL_EVEN /* to nearest, ties to even */ };

static inline struct real real_rounded(real_wide value, int exponent)
{
    int bits = 0;
    for (real_wide p = value; p; p >>= 1) bits++;
    if (bits > 53) {
        int cut = bits - 53;
        real_wide half = (real_wide)1 << (cut - 1), rest = value & (((real_wide)1 << cut) - 1);
        value >>= cut;
        if (rest > half || (rest == half && (value & 1))) value++;
        exponent += cut;
    }
    return (struct real){ (uint64_t)value, exponent };
}

/* False if it is negative, NaN, or at least 2^53. */
static inline bool real_of(double factor, struct real *out)
{
    int exponent;
    if (!(factor >= 0) || !(factor < 9007199254740992.0)) return false;
    double fraction = frexp(factor, &exponent);
    *out = (struct real){ (uint64_t)ldexp(fraction, 53), exponent - 53 };
    return true;
}

static inline struct real real_times(struct real a, struct real b)
{
    return real_rounded((real_wide)a.fraction * b.fraction, a.exponent + b.exponent);
}

/* a + halves / 2, both below 2^53. Drops what is too small to change a whole number. */
static inline struct real real_plus_halves(struct real a, uint64_t halves)
{
    real_wide whole = halves;
    if (a.exponent >= 0) return real_rounded(((real_wide)a.fraction << (a.exponent + 1)) + whole, -1);
    if (a.exponent < -72) return real_rounded(whole, -1);
    return real_rounded(a.fraction + (whole << (-1 - a.exponent)), a.exponent);
}

/* False if it does not fit. */
static inline bool real_whole(struct real a, enum real_way way, int64_t *out)
{
    if (a.exponent > 10 || (a.exponent == 10 && a.fraction >> 53)) return false; /* 2^63 or more */
    if (a.exponent >= 0) return *out = (int64_t)(a.fraction << a.exponent), true;
    if (a.exponent <= -64) return *out = way == REAL_UP && a.fraction, true;
    uint64_t whole = a.fraction >> -a.exponent, rest = a.fraction - (whole << -a.exponent);
    uint64_t half = UINT64_C(1) << (-a.exponent - 1);
    bool up = way == REAL_UP ? rest > 0 : way == REAL_EVEN && (rest > half || (rest == half && (whole & 1)));
    return *out = (int64_t)(whole + up), true;
}

/* factor * n as a whole number; Python's int() is REAL_DOWN. False if the factor is negative or NaN, n is
 * outside 0 to 2^53, or the result does not fit. */
static inline bool real_product(double factor, int64_t n, enum real_way way, int64_t *out)
{
    struct real f;
    return n >= 0 && n <= INT64_C(1) << 53 && real_of(factor, &f) &&
           real_whole(real_times(f, (struct real){ (uint64_t)n, 0 }), way, out);
}

/* MobileNet's make_divisible(factor * n, d, least): the nearest multiple of d, at least `least`, and at least
 * 90 % of the product. False as for real_product(), and for d outside 1 to 2^31. */
static inline bool real_divisible(double factor, int64_t n, int64_t d, int64_t least, int64_t *out)
{
    struct real f, tenths;
    int64_t value, enough;
    if (n < 0 || n > INT64_C(1) << 53 || d < 1 || d > INT64_C(1) << 31 || least > INT64_C(1) << 53)
        return false;
    if (!real_of(factor, &f) || !real_of(0.9, &tenths)) return false;
    struct real product = real_times(f, (struct real){ (uint64_t)n, 0 });
    if (!real_whole(product, REAL_UP, &value) || value > INT64_C(1) << 53) return false;
    if (!real_whole(real_plus_halves(product, (uint64_t)d), REAL_DOWN, &value)) return false;
    value = value / d * d;
    if (value < least) value = least;
    if (!real_whole(real_times(tenths, product), REAL_UP, &enough)) return false;
    *out = value < enough ? value + d : value;
    return true;
}

#endif
