/*
 * check.h -- invariants of every checkpoint that opens and every error that is returned, whatever the
 * bytes. Shared by the generic tests and the fuzz targets.
 */
#ifndef NUMEL_TEST_CHECK_H
#define NUMEL_TEST_CHECK_H

#include <numel.h>

/* Returns NULL, or what is wrong. `bytes` is the size of the single file that was opened. */
const char *check_checkpoint(const numel_checkpoint *ck, uint64_t bytes);
const char *check_error(numel_rc rc, const numel_error *e, uint64_t bytes);

/* A counting allocator that fails allocation number fail_at (from 0). */
struct check_memory {
    numel_allocator allocator;
    uint64_t calls;   /* number of allocations requested */
    uint64_t fail_at; /* UINT64_MAX: never */
    int64_t outstanding;
    uint64_t held, peak; /* bytes, in malloc()'s own count */
    uint64_t most;       /* limit; larger requests fail as if out of memory; 0: no limit */
    bool refused;        /* a request exceeded the limit */
};
void check_memory_init(struct check_memory *m, uint64_t fail_at);

/* Step between the cases that a test runs one by one (failing allocation, changed byte): 1, or NUMEL_EVERY
 * from the environment, for checkers under which running all would take hours. */
uint64_t check_every(void);

/* Returns NULL, or what is wrong: a leak, or a peak above what numel.5 promises for `bytes` of files on
 * disk and this many tensors, stored and expected. */
const char *check_memory_done(const struct check_memory *m, uint64_t bytes, uint64_t tensors);

#endif
