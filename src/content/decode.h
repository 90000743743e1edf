/*
 * decode.h -- the numbers that elements represent: one row per type.
 *
 *   SINGLE    floats that a float holds exactly: F32, BF16, F16, the 8-bit types
 *   DOUBLE    F64
 *   SIGNED    integers, exact in 64 bits
 *   UNSIGNED  the same without a sign; U64 as the bits of an int64_t
 *
 * Types without a row (floats of 4 and 6 bits, pairs) are bytes to callers; blocks with scales have rows of
 * their own (dequant.h). Elements are little-endian; decode_turn() converts those of a big-endian file.
 */
#ifndef NUMEL_CONTENT_DECODE_H
#define NUMEL_CONTENT_DECODE_H

#include <numel.h>

enum decode_class { DECODE_SINGLE, DECODE_DOUBLE, DECODE_SIGNED, DECODE_UNSIGNED };

struct decoder {
    const char *type; /* its name in the table of types */
    uint16_t bytes;   /* of an element, or of a block */
    enum decode_class is;
    void (*single)(const uint8_t *p, size_t n, float *out);
    void (*whole)(const uint8_t *p, size_t n, int64_t *out);
    uint16_t elements; /* of a block: divides DECODE_STEP; 0: not a block type */
    void (*block)(const uint8_t *p, float *out);
};

enum { DECODE_STEP = 256 };

/* Elements of a unit that can be decoded by itself. */
static inline size_t decode_unit(const struct decoder *how) { return how->elements ? how->elements : 1; }
/* Bytes of n elements, which are whole units. */
static inline uint64_t decode_bytes(const struct decoder *how, uint64_t n)
{
    return n / decode_unit(how) * how->bytes;
}

extern const struct decoder decode_floats; /* this machine's floats, of no type */

/* The row of that type, or NULL. */
const struct decoder *decode_find(const numel_dtype *type);
/* n elements, whole units of a SINGLE. */
void decode_single(const struct decoder *how, const uint8_t *p, size_t n, float *out);
/* The same as doubles, of a SINGLE or DOUBLE. */
void decode_double(const struct decoder *how, const uint8_t *p, size_t n, double *out);
float decode_half(uint32_t bits); /* of an F16 */
float decode_bits(uint32_t bits); /* of an F32 */
/* Reverses the bytes of each `width` of n bytes. */
void decode_turn(uint8_t *p, size_t n, size_t width);

#endif
