/*
 * ordered.h -- jobs made by many threads and taken in the order given, in bounded memory.
 *
 * One thread gives jobs, in slots of a ring; any free thread makes one, and one thread at a time takes them,
 * the oldest first: the output does not depend on the number of threads. There are no batches: a job is taken
 * as soon as it and all before it are made. Without threads (one was asked for, or the system gives none) a
 * job is made and taken when it is given.
 */
#ifndef NUMEL_CONTENT_ORDERED_H
#define NUMEL_CONTENT_ORDERED_H

#include "base/memory.h"

/* Makes a job; called from any thread, several at once. */
typedef void ordered_make_fn(void *ctx, void *job);
/* Frees what a job holds, at the end; an unused one is still all zero. */
typedef void ordered_done_fn(void *ctx, void *job);
/* Takes a job; called from any thread, one at a time. False: no more jobs are wanted. */
typedef bool ordered_take_fn(void *ctx, void *job);

struct ordered;
/* `bytes`: the size of a job, which is zero at first and is reused as it was left. NOMEM. */
NUMEL_MUST bool ordered_open(struct ordered **out, unsigned threads, size_t bytes, ordered_make_fn *make,
                             ordered_take_fn *take, ordered_done_fn *done, void *ctx, const numel_allocator *,
                             numel_error *);
/* Waits for the next free slot; only the caller uses it until it is given. NULL: no more jobs are wanted. */
void *ordered_slot(struct ordered *o);
void ordered_give(struct ordered *o);
/* Waits until all given jobs are taken, or no more are wanted. */
void ordered_wait(struct ordered *o);
/* Waits for jobs in the making; does not take the rest. NULL is fine. */
void ordered_close(struct ordered *o);

#endif
