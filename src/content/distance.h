/*
 * distance.h -- how far two runs of numbers are apart: |a-b| largest and mean, ||a-b|| / ||a||, the same as a
 * ratio of signal to noise, cosine.
 *
 * Sums are doubles, in a fixed order: four lanes over a tile of elements; tiles and joined parts with
 * compensation (Neumaier). A caller that feeds whole tiles and joins the parts in order gets the same bits
 * with any number of threads. A product of two floats is exact in a double, so only the sums lose precision.
 *
 * Values that are not finite: where both are NaN, or the same infinity, there is no distance, and the sums
 * leave out the pair of elements. Any other makes the distances undefined. So do F64 numbers whose squares
 * are out of a double's range.
 *
 * Elements differ when their bits do: -0 is not 0, and a NaN equals another NaN only if the bits are the
 * same. Between two types the bits of the represented numbers count, and every NaN is equal: no type keeps
 * another's NaN bits. Of two block types that are the same, blocks that differ are counted, not elements.
 */
#ifndef NUMEL_CONTENT_DISTANCE_H
#define NUMEL_CONTENT_DISTANCE_H

#include "content/decode.h"

enum { DISTANCE_TILE = 1024 };

struct distance_sum {
    double value, rest;
};

struct distance {
    uint64_t elements, differing, left_out;
    uint64_t nan[2], infinite[2];
    uint64_t whole_most;                                 /* of integers: largest |a-b|, exact */
    struct distance_sum square, absolute, a, b, product; /* (a-b)^2, |a-b|, a^2, b^2, ab */
    double most;
    bool undefined;
};

/* True if the two have a distance. Unsigned 64-bit integers have one only to unsigned integers. */
bool distance_between(const struct decoder *a, const struct decoder *b);
/* How many of n units of that many bytes differ. */
uint64_t distance_unlike(const uint8_t *a, const uint8_t *b, size_t n, size_t bytes);
/* Adds n elements, whole blocks of either. Both buffers are little-endian. */
void distance_add(struct distance *d, const struct decoder *a, const uint8_t *pa, const struct decoder *b,
                  const uint8_t *pb, size_t n);
/* Adds the result for the elements after those of *d. */
void distance_join(struct distance *d, const struct distance *more);

/* NaN if undefined: without elements; ||a-b|| / ||a|| if ||a|| is 0 and ||a-b|| is not; the cosine if either
 * is 0. Equal numbers have a distance of 0 and a cosine of 1. */
double distance_most(const struct distance *d);
double distance_mean(const struct distance *d);
double distance_relative(const struct distance *d);
double distance_cosine(const struct distance *d);
/* 20 log10(||a|| / ||a-b||), in decibels. NaN also if the numbers are equal, or ||a|| is 0. */
double distance_decibels(const struct distance *d);

/* The square root of a finite number that is not negative, rounded to nearest. */
double distance_root(double v);

#endif
