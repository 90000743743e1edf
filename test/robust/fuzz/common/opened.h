/* opened.h -- the bodies of the targets that open one file from memory. */
#ifndef NUMEL_TEST_FUZZ_OPENED_H
#define NUMEL_TEST_FUZZ_OPENED_H

#include "../fuzz.h"

/* The reader alone: a file that opens is consistent and agrees with a second count; a refused one has a
 * reason; strict mode opens the same and is not more lenient; memory is bounded and released. */
void fuzz_open(const uint8_t *data, size_t size);
/* Every report, in every format. */
void fuzz_whole(const uint8_t *data, size_t size);

#endif
