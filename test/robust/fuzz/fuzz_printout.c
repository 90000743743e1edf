/* fuzz_printout.c -- texts that may hold printed models, only parsed: printed.h has the invariants. */
#include "common/printed.h"
#include "common/splice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_printed(data, size);
    return 0;
}

/* Its own lines, duplicated and swapped; numbers at limits. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const struct splice_pool none;
    return splice_lines(data, size, most, seed, &none);
}
