/*
 * fuzz.h -- what the fuzz targets share. They assert meaning, not only the absence of a crash: what
 * opens adds up and can be reported, what does not open says why.
 */
#ifndef NUMEL_TEST_FUZZ_H
#define NUMEL_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_ASSERT(ok, why)                                         \
    do {                                                             \
        if (!(ok)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, why); \
            abort();                                                 \
        }                                                            \
    } while (0)

#endif
