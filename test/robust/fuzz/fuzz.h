/*
 * fuzz.h -- shared by the fuzz targets. They assert meaning, not only the absence of crashes: what opens
 * adds up and can be reported; what does not open has a reason.
 */
#ifndef NUMEL_TEST_FUZZ_H
#define NUMEL_TEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* libFuzzer's own mutator: changes p[n], which has room for `most` bytes, and returns the new size. A
 * target may define one that knows the structure of its input. */
size_t LLVMFuzzerMutate(uint8_t *p, size_t n, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed);

#define FUZZ_ASSERT(ok, why)                                         \
    do {                                                             \
        if (!(ok)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, why); \
            abort();                                                 \
        }                                                            \
    } while (0)

/* Asserts a check of test/support: NULL, or what is wrong. */
#define FUZZ_CHECK(call)                  \
    do {                                  \
        const char *fuzz_why = (call);    \
        FUZZ_ASSERT(!fuzz_why, fuzz_why); \
    } while (0)

#endif
