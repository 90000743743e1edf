/*
 * sorter.h -- keeps more records than fit in memory, and returns them in order.
 *
 * Records are the caller's bytes. Up to a budget they stay in memory; then they are sorted and written, run
 * by run, to a nameless file, which disappears however the program ends. In the end the runs are merged.
 * Records that compare equal keep their order; without a comparison all do.
 */
#ifndef NUMEL_SOURCE_SORTER_H
#define NUMEL_SOURCE_SORTER_H

#include "base/buffer.h"

/* Less than, equal to, more than 0. */
typedef int sorter_order_fn(const void *ctx, numel_str a, numel_str b);

enum { SORTER_LEAST = 4096 };

struct sorter_run { /* of the file */
    uint64_t at, bytes;
};

struct sorter {
    const numel_allocator *memory;
    const char *folder; /* borrowed */
    sorter_order_fn *order;
    const void *ctx;
    size_t budget;

    struct buffer held;    /* records: their length, 4 bytes, and their bytes */
    size_t *places, count; /* where each begins */
    size_t cap;
    int file; /* -1: none */
    uint64_t written;
    struct sorter_run *runs;
    size_t run_count, run_cap;
    uint64_t records;

    bool ready;
    struct buffer window; /* on the file, while records are returned */
    uint64_t window_at, next;
};

/* `order` NULL: in order of arrival. `budget` is raised to SORTER_LEAST. The file is made when first
 * needed. */
void sorter_init(struct sorter *s, size_t budget, const char *folder, sorter_order_fn *order, const void *ctx,
                 const numel_allocator *);
void sorter_done(struct sorter *s);
/* IO; LIMIT for a record of 2 GiB; NOMEM. */
NUMEL_MUST bool sorter_add(struct sorter *s, numel_str record, numel_error *);
/* Returns to the first record; call it before sorter_next(), as often as needed. No record may be added
 * afterwards. IO, NOMEM. */
NUMEL_MUST bool sorter_rewind(struct sorter *s, numel_error *);
/* The next record, valid until the next call; *out has p NULL at the end. IO, NOMEM. */
NUMEL_MUST bool sorter_next(struct sorter *s, numel_str *out, numel_error *);

#endif
