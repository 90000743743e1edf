/*
 * crew.h -- tasks shared out among threads, counted in bytes, ended early when somebody says so.
 *
 * The caller's thread is one of the crew, so that a crew of one needs no other; when the system
 * gives fewer threads than asked for, those that are there do it all. Each member has one buffer,
 * made before the work begins: while it runs nothing is taken from the caller's allocator, which
 * need not be safe to use from two threads. What a task finds out goes into the task's own place;
 * shared places are touched between crew_lock() and crew_unlock().
 */
#ifndef NUMEL_CONTENT_CREW_H
#define NUMEL_CONTENT_CREW_H

#include "base/memory.h"
#include "base/num.h"

#include <pthread.h>

/* Bytes of a member's buffer: two blocks (stream.h), one to read into and one to unpack into. */
enum { CREW_BUFFER = 512 << 10, CREW_MOST = 64 };

/* Does task number i. buffer: CREW_BUFFER bytes, this member's own. */
typedef void crew_task_fn(void *ctx, size_t i, uint8_t *buffer);

struct crew {
    const numel_work *how;
    const char *what; /* "hashing": for the progress callback */
    pthread_mutex_t lock;
    uint64_t done, total; /* bytes */
    bool stopped;

    crew_task_fn *task;
    void *ctx;
    size_t next, tasks;
};

/* As many as asked for, or as there are processors; at most CREW_MOST. */
unsigned crew_size(const numel_work *how);
void crew_init(struct crew *c, const numel_work *how, const char *what, uint64_t total);
void crew_done(struct crew *c);

/* Runs tasks 0 to tasks-1, begun in that order, and returns when all are done. NOMEM before any
 * is begun. */
bool crew_run(struct crew *c, size_t tasks, crew_task_fn *task, void *ctx, const numel_allocator *m,
              numel_error *e);

/* For tasks: `bytes` more are done. False with STOPPED when the work is to end. */
bool crew_advance(struct crew *c, uint64_t bytes, numel_error *e);
static inline void crew_lock(struct crew *c) { pthread_mutex_lock(&c->lock); }
static inline void crew_unlock(struct crew *c) { pthread_mutex_unlock(&c->lock); }

#endif
