/*
 * sorter.h -- more records than there is memory for, kept and given back in order.
 *
 * Records are bytes of the caller's. Up to a budget they stay in memory; then they are sorted and written, a run after
 * the other, to a file that has no name: it is gone with the program, whatever ends that. In the end the runs are
 * merged. Records that compare equal come out as they came in; so do all of them where there is nothing to compare by.
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

    struct buffer held;    /* records: their length, 4 bytes, and they themselves */
    size_t *places, count; /* where each begins */
    size_t cap;
    int file; /* -1: none */
    uint64_t written;
    struct sorter_run *runs;
    size_t run_count, run_cap;
    uint64_t records;

    bool ready;
    struct buffer window; /* of the file, while it is given back */
    uint64_t window_at, next;
};

/* `order` NULL: as they come. `budget` is raised to SORTER_LEAST. The file is made where it is first needed. */
void sorter_init(struct sorter *s, size_t budget, const char *folder, sorter_order_fn *order, const void *ctx,
                 const numel_allocator *);
void sorter_done(struct sorter *s);
/* IO; LIMIT for a record of 2 GiB; NOMEM. */
NUMEL_MUST bool sorter_add(struct sorter *s, numel_str record, numel_error *);
/* Back to the first; called once before, and as often as wanted. From now on no record is added. IO, NOMEM. */
NUMEL_MUST bool sorter_rewind(struct sorter *s, numel_error *);
/* The next, until the next call; *out has p NULL at the end. IO, NOMEM. */
NUMEL_MUST bool sorter_next(struct sorter *s, numel_str *out, numel_error *);

#endif
