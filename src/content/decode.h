/*
 * decode.h -- the numbers that elements stand for: one row a type.
 *
 *   SINGLE    floats that a float holds exactly: F32, BF16, F16, the types of 8 bits
 *   DOUBLE    F64
 *   SIGNED    integers, exact in 64 bits
 *   UNSIGNED  the same without a sign; U64 as the bits of an int64_t
 *
 * What has no row (blocks with scales, floats of 4 and 6 bits, pairs) is bytes to whoever asks here. Elements lie
 * in the order of little-endian machines; decode_turn() makes that of what a big-endian file holds.
 */
#ifndef NUMEL_CONTENT_DECODE_H
#define NUMEL_CONTENT_DECODE_H

#include <numel.h>

enum decode_class { DECODE_SINGLE, DECODE_DOUBLE, DECODE_SIGNED, DECODE_UNSIGNED };

struct decoder {
    const char *type; /* the name in the table of types */
    uint8_t bytes;    /* of an element */
    enum decode_class is;
    void (*single)(const uint8_t *p, size_t n, float *out);
    void (*whole)(const uint8_t *p, size_t n, int64_t *out);
};

/* The row of that type, or NULL. */
const struct decoder *decode_find(const numel_dtype *type);
/* n elements as doubles, of a SINGLE or DOUBLE. */
void decode_double(const struct decoder *how, const uint8_t *p, size_t n, double *out);
/* Turns the bytes of each `width` of n bytes round. */
void decode_turn(uint8_t *p, size_t n, size_t width);

#endif
