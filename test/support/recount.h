/*
 * recount.h -- the numbers of a checkpoint of one file, made a second time: sums in 128 bits, element types of
 * the tests' own table, bytes of the file laid out anew, headers read by other readers than the product's.
 */
#ifndef NUMEL_TEST_RECOUNT_H
#define NUMEL_TEST_RECOUNT_H

#include <numel.h>

/* NULL, or what disagrees; p[n] is the file. */
const char *recount(const numel_checkpoint *ck, const uint8_t *p, size_t n);

#endif
