/* crew.c -- see crew.h. */
#include "content/crew.h"

#include <unistd.h>

struct member {
    struct crew *crew;
    uint8_t *buffer;
    pthread_t thread;
};

unsigned crew_size(const numel_work *how)
{
    long processors = how->threads ? (long)how->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > CREW_MOST ? CREW_MOST : (unsigned)processors;
}

void crew_init(struct crew *c, const numel_work *how, const char *what, uint64_t total)
{
    *c = (struct crew){ .how = how, .what = what, .total = total };
    pthread_mutex_init(&c->lock, NULL);
}

void crew_done(struct crew *c) { pthread_mutex_destroy(&c->lock); }

bool crew_advance(struct crew *c, uint64_t bytes, numel_error *e)
{
    crew_lock(c);
    c->done += bytes;
    if (c->how->progress)
        c->how->progress(c->how->progress_ctx, num_min(c->done, c->total), c->total, c->what);
    if (!c->stopped && c->how->stop) c->stopped = c->how->stop(c->how->stop_ctx);
    bool stopped = c->stopped;
    crew_unlock(c);
    return !stopped || error_set(e, NUMEL_E_STOPPED, NUMEL_NOWHERE, "stopped before its end");
}

/* The next task's number, or `tasks` when there is none. */
static size_t take(struct crew *c)
{
    crew_lock(c);
    size_t i = c->next < c->tasks ? c->next++ : c->tasks;
    crew_unlock(c);
    return i;
}

static void *work(void *member)
{
    struct member *m = member;
    for (size_t i; (i = take(m->crew)) < m->crew->tasks;) m->crew->task(m->crew->ctx, i, m->buffer);
    return NULL;
}

bool crew_run(struct crew *c, size_t tasks, crew_task_fn *task, void *ctx, const numel_allocator *memory,
              numel_error *e)
{
    size_t size = num_min(crew_size(c->how), num_max(tasks, 1)), begun = 0;
    struct member members[CREW_MOST];
    uint8_t *buffers = memory_resize(memory, NULL, size * CREW_BUFFER);
    if (!buffers) return error_nomem(e);
    c->task = task;
    c->ctx = ctx;
    c->next = 0;
    c->tasks = tasks;
    for (size_t i = 0; i < size; i++)
        members[i] = (struct member){ .crew = c, .buffer = buffers + i * CREW_BUFFER };
    while (begun + 1 < size &&
           pthread_create(&members[begun + 1].thread, NULL, work, &members[begun + 1]) == 0)
        begun++;
    work(&members[0]);
    for (size_t i = 1; i <= begun; i++) pthread_join(members[i].thread, NULL);
    memory_release(memory, buffers);
    return true;
}
