/*
 * threads.c -- a team that takes jobs from a counter under one lock, and reports progress under the same
 * lock, so that the caller's progress function is never called twice at a time.
 */
#include "content/threads.h"

#include <unistd.h>

struct member {
    struct threads *threads;
    uint8_t *buffer;
    pthread_t thread;
};

unsigned threads_size(const numel_work *how)
{
    long processors = how->threads ? (long)how->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > THREADS_MOST ? THREADS_MOST : (unsigned)processors;
}

void threads_init(struct threads *c, const numel_work *how, const char *what, uint64_t total)
{
    *c = (struct threads){ .how = how, .what = what, .total = total, .buffer = THREADS_BUFFER };
    (void)pthread_mutex_init(&c->lock, NULL); /* cannot fail without attributes */
}

void threads_done(struct threads *c) { pthread_mutex_destroy(&c->lock); }

bool threads_advance(struct threads *c, uint64_t bytes, numel_error *e)
{
    threads_lock(c);
    c->done += bytes;
    if (c->how->progress)
        c->how->progress(c->how->progress_ctx, num_min(c->done, c->total), c->total, c->what);
    if (!c->stopped && c->how->stop) c->stopped = c->how->stop(c->how->stop_ctx);
    bool stopped = c->stopped;
    threads_unlock(c);
    return !stopped || error_set(e, NUMEL_E_STOPPED, NUMEL_NOWHERE, "stopped before the end");
}

/* The next task's number, or `tasks` if there is none. */
static size_t take(struct threads *c)
{
    threads_lock(c);
    size_t i = c->next < c->tasks ? c->next++ : c->tasks;
    threads_unlock(c);
    return i;
}

static void *work(void *member)
{
    struct member *m = member;
    for (size_t i; (i = take(m->threads)) < m->threads->tasks;)
        m->threads->task(m->threads->ctx, i, m->buffer);
    return NULL;
}

bool threads_run(struct threads *c, size_t tasks, threads_task_fn *task, void *ctx,
                 const numel_allocator *memory, numel_error *e)
{
    size_t size = num_min(num_min(threads_size(c->how), THREADS_MOST), num_max(tasks, 1)), begun = 0;
    struct member members[THREADS_MOST];
    uint8_t *buffers = memory_resize(memory, NULL, size * c->buffer);
    if (!buffers) return error_nomem(e);
    c->task = task;
    c->ctx = ctx;
    c->next = 0;
    c->tasks = tasks;
    for (size_t i = 0; i < size; i++)
        members[i] = (struct member){ .threads = c, .buffer = buffers + i * c->buffer };
    while (begun + 1 < size &&
           pthread_create(&members[begun + 1].thread, NULL, work, &members[begun + 1]) == 0)
        begun++;
    work(&members[0]);
    for (size_t i = 1; i <= begun; i++) pthread_join(members[i].thread, NULL);
    memory_release(memory, buffers);
    return true;
}
