/*
 * num.h -- arithmetic on numbers from a file.
 *
 * Every sum and product of such numbers goes through here. A result that does not fit in 64 bits returns
 * false and never wraps. Loads need no alignment and do not depend on the host's byte order.
 */
#ifndef NUMEL_BASE_NUM_H
#define NUMEL_BASE_NUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline bool num_add(uint64_t *r, uint64_t a, uint64_t b) { return !__builtin_add_overflow(a, b, r); }

static inline bool num_mul(uint64_t *r, uint64_t a, uint64_t b) { return !__builtin_mul_overflow(a, b, r); }

/* True if [offset, offset+n) is inside [0, size). Never computes offset+n, which may wrap. */
static inline bool num_inside(uint64_t offset, uint64_t n, uint64_t size)
{
    return offset <= size && n <= size - offset;
}

/* Rounds v up to a multiple of a, which may be any number but 0. */
static inline bool num_align(uint64_t *r, uint64_t v, uint64_t a)
{
    uint64_t over = v % a;
    return over == 0 ? (*r = v, true) : num_add(r, v, a - over);
}

/* a + b; UINT64_MAX if it is larger. */
static inline uint64_t num_capped(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

/* The absolute value. */
static inline uint64_t num_size(int64_t v) { return v < 0 ? 0 - (uint64_t)v : (uint64_t)v; }
/* a - b; 0 if b is larger. */
static inline uint64_t num_left(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
static inline uint64_t num_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t num_max(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Compares for qsort(). */
static inline int num_order(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* The greatest common divisor; num_gcd(0, n) is n. */
static inline uint64_t num_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Eight bytes as an unsigned integer, written so that compilers emit a single load. */
static inline uint64_t num_load64(const uint8_t *p, bool big_endian)
{
    uint64_t v = (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
                 (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
    return big_endian ? __builtin_bswap64(v) : v;
}

/* n bytes (1 to 8) as an unsigned integer. */
static inline uint64_t num_load(const uint8_t *p, unsigned n, bool big_endian)
{
    uint64_t v = 0;
    if (n == 8) return num_load64(p, big_endian);
    for (unsigned i = 0; i < n; i++) v = v << 8 | p[big_endian ? i : n - 1 - i];
    return v;
}

/* n bytes (up to 8) as stored, in this machine's byte order; the other bytes are 0. */
static inline uint64_t num_bytes(const void *p, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, p, n);
    return word;
}
static inline uint64_t num_word(const void *p) { return num_bytes(p, 8); }

static inline void num_store_le64(uint8_t *p, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++) p[i] = (uint8_t)(v >> (8 * i));
}

#endif
