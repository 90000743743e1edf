/*
 * fuzz_safetensors.c -- a safetensors file, with the reader only: without reports, thousands run per
 * second. fuzz_whole_safetensors.c makes the reports.
 */
#include "common/mutators.h"
#include "common/opened.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_open(data, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *p, size_t n, size_t most, unsigned seed)
{
    struct dice d;
    dice_init(&d, seed);
    return mutate_safetensors(p, n, most, &d);
}
