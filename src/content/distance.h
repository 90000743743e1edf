/*
 * distance.h -- how far two runs of numbers are apart: |a-b| largest and mean, ||a-b|| / ||a||, cosine.
 *
 * Sums are doubles, made in a fixed order: four lanes over a tile of elements, tiles and what is joined afterwards with
 * compensation (Neumaier). Whoever feeds whole tiles, and joins the parts in their order, gets the same bits whatever
 * the number of threads. A product of two floats is exact in a double, so what is lost is in the sums alone.
 *
 * What is not finite: where both have NaN, or the same infinity, there is no distance to speak of, and the pair of
 * elements is left out of the sums. Anything else that is not finite makes the distances undefined. So do numbers of
 * F64 whose squares leave the range of a double.
 *
 * Elements differ when the bits do: -0 is not 0, and a NaN is another NaN's equal only with the same bits. Between
 * two types it is the bits of the numbers that both stand for, and a NaN is a NaN: no type keeps another's bits of it.
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
    uint64_t whole_most;                                 /* of integers: |a-b|, largest, exact */
    struct distance_sum square, absolute, a, b, product; /* (a-b)^2, |a-b|, a^2, b^2, ab */
    double most;
    bool undefined;
};

/* Is there a distance between the two? The integers of 64 bits without a sign go with such as have none. */
bool distance_between(const struct decoder *a, const struct decoder *b);
/* Adds n elements. Both buffers are those of little-endian machines. */
void distance_add(struct distance *d, const struct decoder *a, const uint8_t *pa, const struct decoder *b,
                  const uint8_t *pb, size_t n);
/* Adds what was computed of the elements behind those of *d. */
void distance_join(struct distance *d, const struct distance *more);

/* NaN where it is undefined: of no elements; ||a-b|| / ||a|| where ||a|| is 0 and ||a-b|| is not; the cosine where
 * either is 0. Equal numbers are at a distance of 0, and their cosine is 1. */
double distance_most(const struct distance *d);
double distance_mean(const struct distance *d);
double distance_relative(const struct distance *d);
double distance_cosine(const struct distance *d);

/* The square root, rounded to nearest; of a finite number that is not negative. */
double distance_root(double v);

#endif
