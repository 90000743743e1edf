/* fetcher.c -- the queue of jobs, and those that run. */
#include "fetch/fetcher.h"

#include "fetch/fetcher_internal.h"

#include "base/text.h"

#include <unistd.h>

struct fetcher *fetcher_new(const struct config *c)
{
    struct fetcher *f = memory_resize(&memory_malloc, NULL, sizeof *f);
    if (!f) return NULL;
    *f = (struct fetcher){ .config = c, .cache = { .dir = c->cache }, .transport = transport_open(c) };
    f->queue_end = &f->queue;
    f->random = job_now() ^ (uint64_t)getpid() << 20;
    arena_init(&f->arena, &memory_malloc);
    buffer_init(&f->out, &memory_malloc);
    if (f->transport) return f;
    fetcher_free(f);
    return NULL;
}

static void free_all(struct fetcher *f, struct job *j)
{
    while (j) {
        struct job *next = j->next;
        job_free(f, j);
        j = next;
    }
}

void fetcher_free(struct fetcher *f)
{
    if (!f) return;
    free_all(f, f->active);
    free_all(f, f->queue);
    transport_close(f->transport);
    buffer_done(&f->out);
    arena_done(&f->arena);
    memory_release(&memory_malloc, f);
}

bool fetcher_line(struct fetcher *f, numel_str line)
{
    struct job *j = memory_resize(&memory_malloc, NULL, sizeof *j);
    if (!j) return false;
    *j = (struct job){ .linked_size = SIZE_UNKNOWN };
    arena_init(&j->arena, &memory_malloc);
    buffer_init(&j->lines, &memory_malloc);
    const char *copy = arena_text(&j->arena, line.p, line.n);
    if (!copy || !request_read(&j->request, (numel_str){ copy, line.n })) {
        job_free(f, j);
        return false;
    }
    *f->queue_end = j;
    f->queue_end = &j->next;
    return true;
}

static bool may_start(const struct fetcher *f)
{
    enum { OUT_MOST = 33554432 }; /* bytes of answers that wait for the parent: no job begins meanwhile */
    return f->queue && f->running < f->config->jobs && f->out.n < OUT_MOST;
}

static void start_some(struct fetcher *f)
{
    while (may_start(f)) {
        struct job *j = f->queue;
        f->queue = j->next;
        if (!f->queue) f->queue_end = &f->queue;
        j->next = f->active;
        f->active = j;
        f->running++;
        job_begin(f, j);
    }
}

static void take_replies(struct fetcher *f)
{
    for (struct exchange *x = transport_next(f->transport); x; x = transport_next(f->transport)) {
        struct job *j = x->owner;
        j->exchange = NULL;
        job_ended(f, j, x);
        exchange_free(f->transport, x);
    }
}

/* Wakes jobs whose pause is over, and frees finished ones. Returns the milliseconds until the next. */
static unsigned look_after(struct fetcher *f)
{
    uint64_t soonest = UINT64_MAX, time = job_now();
    for (struct job **at = &f->active; *at;) {
        struct job *j = *at;
        if (j->wake && j->wake <= time) {
            j->wake = 0;
            job_go(f, j, j->url);
        }
        if (j->wake) soonest = num_min(soonest, j->wake);
        if (!j->done) {
            at = &j->next;
            continue;
        }
        *at = j->next;
        f->running--;
        job_free(f, j);
    }
    return (unsigned)num_min(num_left(soonest, time), 1000);
}

unsigned fetcher_turn(struct fetcher *f)
{
    start_some(f);
    take_replies(f);
    unsigned wait = look_after(f);
    return may_start(f) ? 0 : wait;
}

bool fetcher_idle(const struct fetcher *f) { return !f->queue && !f->active; }
struct buffer *fetcher_out(struct fetcher *f) { return &f->out; }
struct transport *fetcher_transport(struct fetcher *f) { return f->transport; }
