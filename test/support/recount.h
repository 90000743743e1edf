/*
 * recount.h -- recomputes the numbers of a single-file checkpoint: sums in 128 bits, element types from
 * the tests' own table, file extents computed again, headers read by independent readers.
 */
#ifndef NUMEL_TEST_RECOUNT_H
#define NUMEL_TEST_RECOUNT_H

#include <numel.h>

/* Returns NULL, or what disagrees; p[n] is the file. */
const char *recount(const numel_checkpoint *ck, const uint8_t *p, size_t n);

#endif
