/*
 * decode.h -- the numbers that elements represent: one row per type.
 *
 *   SINGLE    floats that a float holds exactly: F32, BF16, F16, the 8-bit types
 *   DOUBLE    F64
 *   SIGNED    integers, exact in 64 bits
 *   UNSIGNED  the same without a sign; U64 as the bits of an int64_t
 *
 * Types without a row (blocks with scales, floats of 4 and 6 bits, pairs) are bytes to callers. Elements are
 * little-endian; decode_turn() converts those of a big-endian file.
 */
#ifndef NUMEL_CONTENT_DECODE_H
#define NUMEL_CONTENT_DECODE_H

#include <numel.h>

enum decode_class { DECODE_SINGLE, DECODE_DOUBLE, DECODE_SIGNED, DECODE_UNSIGNED };

struct decoder {
    const char *type; /* its name in the table of types */
    uint8_t bytes;    /* of an element */
    enum decode_class is;
    void (*single)(const uint8_t *p, size_t n, float *out);
    void (*whole)(const uint8_t *p, size_t n, int64_t *out);
};

/* The row of that type, or NULL. */
const struct decoder *decode_find(const numel_dtype *type);
/* n elements as doubles, of a SINGLE or DOUBLE. */
void decode_double(const struct decoder *how, const uint8_t *p, size_t n, double *out);
/* Reverses the bytes of each `width` of n bytes. */
void decode_turn(uint8_t *p, size_t n, size_t width);

#endif
