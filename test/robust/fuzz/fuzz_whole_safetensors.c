/*
 * fuzz_whole_safetensors.c -- all reports on a safetensors file. The header's length, which a fuzzer would
 * rarely guess, is corrected if it points outside; each input is also tried unchanged.
 */
#include "common/opened.h"

#include "base/num.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_whole(data, size);
    if (size < 8 || num_load(data, 8, false) <= size - 8) return 0;
    uint8_t *copy = malloc(size);
    FUZZ_ASSERT(copy, "out of memory");
    memcpy(copy, data, size);
    num_store_le64(copy, num_load(data, 8, false) % (size - 7));
    fuzz_whole(copy, size);
    free(copy);
    return 0;
}
