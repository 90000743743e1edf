/*
 * ordered.h -- jobs made by many threads and taken in the order in which they were given, in bounded room.
 *
 * One thread gives jobs, in slots of a ring; each is made by whichever thread is free, and taken by one thread at a
 * time, the oldest first: what comes out is the same for one thread and for many. Nobody waits for a batch: a job is
 * taken as soon as it and all before it are made. Without threads (one was asked for, or the system gives none) a job
 * is made and taken when it is given.
 */
#ifndef NUMEL_CONTENT_ORDERED_H
#define NUMEL_CONTENT_ORDERED_H

#include "base/memory.h"

/* Makes a job; from any of the threads, several at once. */
typedef void ordered_make_fn(void *ctx, void *job);
/* Frees what a job holds, at the end; one that is still all zero was never used. */
typedef void ordered_done_fn(void *ctx, void *job);
/* Takes it; from any of the threads, one at a time. False: no more jobs are wanted. */
typedef bool ordered_take_fn(void *ctx, void *job);

struct ordered;
/* `bytes`: of a job, which is zero at first and is given again as it was left. NOMEM. */
NUMEL_MUST bool ordered_open(struct ordered **out, unsigned threads, size_t bytes, ordered_make_fn *make,
                             ordered_take_fn *take, ordered_done_fn *done, void *ctx, const numel_allocator *,
                             numel_error *);
/* The next free slot, waited for; nobody else looks at it until it is given. NULL: no more jobs are wanted. */
void *ordered_slot(struct ordered *o);
void ordered_give(struct ordered *o);
/* Waits until all that was given is taken, or no more is wanted. */
void ordered_wait(struct ordered *o);
/* Waits for what is being made; the rest is taken no more. NULL is fine. */
void ordered_close(struct ordered *o);

#endif
