/*
 * check.h -- what must hold of every checkpoint that opens and of every error that is returned,
 * whatever the bytes were. Shared by the generic tests and the fuzz targets.
 */
#ifndef NUMEL_TEST_CHECK_H
#define NUMEL_TEST_CHECK_H

#include <numel.h>

/* NULL, or what is wrong. `bytes` is the size of the one file that was opened. */
const char *check_checkpoint(const numel_checkpoint *ck, uint64_t bytes);
const char *check_error(numel_rc rc, const numel_error *e, uint64_t bytes);

/* An allocator that counts, and fails the allocation number fail_at (from 0). */
struct check_memory {
    numel_allocator allocator;
    uint64_t calls;   /* that wanted memory */
    uint64_t fail_at; /* UINT64_MAX: never */
    int64_t outstanding;
};
void check_memory_init(struct check_memory *m, uint64_t fail_at);

#endif
