/*
 * threads.h -- tasks shared among threads, counted in bytes, stopped early on request.
 *
 * The caller's thread is one of the threads, so a size of one needs no other; if the system gives fewer
 * threads than asked for, those do it all. Each thread has one buffer, allocated before the work begins:
 * during the work nothing uses the caller's allocator, which need not be thread-safe. Results of a task go to
 * the task's own place; shared places are used between threads_lock() and threads_unlock().
 */
#ifndef NUMEL_CONTENT_THREADS_H
#define NUMEL_CONTENT_THREADS_H

#include "base/memory.h"
#include "base/num.h"

#include <pthread.h>

/* Bytes of a thread's buffer: two blocks (stream.h), one to read into and one to unpack into. */
enum { THREADS_BUFFER = 512 << 10, THREADS_MOST = 64 };

/* Does task number i. buffer: this thread's own. */
typedef void threads_task_fn(void *ctx, size_t i, uint8_t *buffer);

struct threads {
    const numel_work *how;
    const char *what; /* "hashing": for the progress callback */
    pthread_mutex_t lock;
    uint64_t done, total; /* bytes */
    size_t buffer;        /* bytes of a thread's buffer: THREADS_BUFFER, unless the caller needs more */
    bool stopped;

    threads_task_fn *task;
    void *ctx;
    size_t next, tasks;
};

/* As many as asked for, or as many as processors; at most THREADS_MOST. */
unsigned threads_size(const numel_work *how);
void threads_init(struct threads *c, const numel_work *how, const char *what, uint64_t total);
void threads_done(struct threads *c);

/* Starts tasks 0 to tasks-1 in that order and returns when all are done. NOMEM before any starts. */
NUMEL_MUST bool threads_run(struct threads *c, size_t tasks, threads_task_fn *task, void *ctx,
                            const numel_allocator *m, numel_error *e);

/* For tasks: `bytes` more are done. False with STOPPED if the work is to end. */
NUMEL_MUST bool threads_advance(struct threads *c, uint64_t bytes, numel_error *e);
static inline void threads_lock(struct threads *c) { pthread_mutex_lock(&c->lock); }
static inline void threads_unlock(struct threads *c) { pthread_mutex_unlock(&c->lock); }

#endif
