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
    uint64_t held, peak; /* bytes, as malloc() says that it gave them */
    uint64_t most;       /* what would be more is refused, as out of memory is; 0: nothing is */
    bool refused;        /* some was */
};
void check_memory_init(struct check_memory *m, uint64_t fail_at);

/* How far apart the cases are of which a test takes one after the other, the allocation that fails, the byte that is
 * changed: 1, or NUMEL_EVERY of the environment, for checkers under which all of them take hours. */
uint64_t check_every(void);

/* NULL, or what is wrong: something is left, or more was held at once than numel.5 promises for `bytes` of
 * files, as they lie on disk, and so many tensors, stored and expected. */
const char *check_memory_done(const struct check_memory *m, uint64_t bytes, uint64_t tensors);

#endif
