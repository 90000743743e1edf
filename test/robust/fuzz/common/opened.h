/* opened.h -- the bodies of the targets that open one file from memory. */
#ifndef NUMEL_TEST_FUZZ_OPENED_H
#define NUMEL_TEST_FUZZ_OPENED_H

#include "../fuzz.h"

/* By the reader alone: what opens agrees with itself and with a second count, what does not says why; strict opens
 * the same and is no milder; memory is bounded, and given back. */
void fuzz_open(const uint8_t *data, size_t size);
/* With every report, in every format. */
void fuzz_whole(const uint8_t *data, size_t size);

#endif
