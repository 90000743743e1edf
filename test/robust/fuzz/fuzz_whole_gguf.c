/*
 * fuzz_whole_gguf.c -- with all reports: a GGUF file, as it is and with the magic put in front of the rest.
 */
#include "common/opened.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_whole(data, size);
    if (size < 4 || memcmp(data, "GGUF", 4) == 0) return 0;
    uint8_t *copy = malloc(size);
    FUZZ_ASSERT(copy, "out of memory");
    memcpy(copy, data, size);
    memcpy(copy, "GGUF", 4);
    fuzz_whole(copy, size);
    free(copy);
    return 0;
}
