/* checkpoint.h -- the body of the two format targets. */
#ifndef NUMEL_TEST_FUZZ_CHECKPOINT_H
#define NUMEL_TEST_FUZZ_CHECKPOINT_H

#include "../support/check.h"
#include "../support/reports.h"
#include "fuzz.h"

static inline void fuzz_checkpoint(const uint8_t *data, size_t size)
{
    numel_checkpoint *ck = NULL;
    numel_error e;
    numel_rc rc = numel_open_memory(&ck, data, size, NULL, &e);
    const char *why = rc ? check_error(rc, &e, size) : check_checkpoint(ck, size);
    FUZZ_ASSERT(!why, why);
    FUZZ_ASSERT(!rc || !ck, "*out is set on failure");
    why = ck ? check_reports(ck) : NULL;
    FUZZ_ASSERT(!why, why);
    numel_free(ck);
}

#endif
