/*
 * real.h -- int(factor * n), as Python computes it, without a double that holds a count.
 */
#ifndef NUMEL_FORMULA_REAL_H
#define NUMEL_FORMULA_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Rounds the product to 53 bits as IEEE 754 multiplication does (half to even), then truncates.
 * False when the factor is negative or no number, n is outside 0 to 2^53, or the result does not
 * fit. frexp and ldexp move the binary point only, so they are exact. */
static inline bool real_product(double factor, int64_t n, int64_t *out)
{
    __extension__ typedef unsigned __int128 wide;
    int exponent, bits = 0;
    if (!(factor >= 0) || !(factor < 9007199254740992.0) || n < 0 || n > INT64_C(1) << 53) return false;
    double fraction = frexp(factor, &exponent);
    wide product = (wide)(uint64_t)ldexp(fraction, 53) * (uint64_t)n;
    exponent -= 53;
    for (wide p = product; p; p >>= 1) bits++;
    if (bits > 53) {
        int cut = bits - 53;
        wide half = (wide)1 << (cut - 1), rest = product & (((wide)1 << cut) - 1);
        product >>= cut;
        if (rest > half || (rest == half && (product & 1))) product++;
        exponent += cut;
    }
    if (exponent > 10 || (exponent == 10 && product >> 53)) return false; /* 2^63 or more */
    *out = exponent >= 0    ? (int64_t)((uint64_t)product << exponent)
           : exponent > -64 ? (int64_t)((uint64_t)product >> -exponent)
                            : 0;
    return true;
}

#endif
