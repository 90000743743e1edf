/*
 * ordered.c -- a ring of slots and three counters that only grow: taken <= begun <= given. The thread that
 * finishes the oldest job not yet taken takes it, and any made jobs directly after it.
 */
#include "content/ordered.h"

#include "base/num.h"
#include "content/threads.h"

#include <pthread.h>
#include <string.h>

enum { SLOTS_EACH = 4 };

struct ordered {
    const numel_allocator *memory;
    ordered_make_fn *make;
    ordered_take_fn *take;
    ordered_done_fn *done;
    void *ctx;
    char *jobs;
    bool *made;
    size_t bytes, slots;
    uint64_t given, begun, taken;
    bool taking, closing, enough;
    pthread_mutex_t lock;
    pthread_cond_t work, room;
    pthread_t threads[THREADS_MOST];
    size_t count;
};

static void *job_of(const struct ordered *o, uint64_t i)
{
    return o->jobs + (size_t)(i % o->slots) * o->bytes;
}

/* Call under the lock, which is released while a job is taken. */
static void take_made(struct ordered *o)
{
    if (o->taking) return;
    o->taking = true;
    while (o->taken < o->begun && o->made[o->taken % o->slots]) {
        bool wanted = !o->enough;
        pthread_mutex_unlock(&o->lock);
        if (wanted) wanted = o->take(o->ctx, job_of(o, o->taken));
        pthread_mutex_lock(&o->lock);
        o->enough |= !wanted;
        o->made[o->taken % o->slots] = false;
        o->taken++;
        pthread_cond_broadcast(&o->room);
    }
    o->taking = false;
}

static void *work(void *ctx)
{
    struct ordered *o = ctx;
    pthread_mutex_lock(&o->lock);
    for (;;) {
        while (o->begun == o->given && !o->closing) pthread_cond_wait(&o->work, &o->lock);
        if (o->begun == o->given) break;
        uint64_t i = o->begun++;
        bool wanted = !o->enough;
        pthread_mutex_unlock(&o->lock);
        if (wanted) o->make(o->ctx, job_of(o, i));
        pthread_mutex_lock(&o->lock);
        o->made[i % o->slots] = true;
        take_made(o);
    }
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

bool ordered_open(struct ordered **out, unsigned threads, size_t bytes, ordered_make_fn *make,
                  ordered_take_fn *take, ordered_done_fn *done, void *ctx, const numel_allocator *m,
                  numel_error *e)
{
    size_t wanted = threads > 1 ? num_min(threads, THREADS_MOST) : 0,
           slots = wanted ? wanted * SLOTS_EACH : 1;
    struct ordered *o = *out = memory_resize(m, NULL, sizeof *o);
    if (!o) return error_nomem(e);
    *o = (struct ordered){
        .memory = m, .make = make, .take = take, .done = done, .ctx = ctx, .bytes = bytes, .slots = slots
    };
    o->jobs = memory_resize(m, NULL, slots * bytes);
    o->made = memory_resize(m, NULL, slots * sizeof *o->made);
    if (!o->jobs || !o->made) {
        memory_release(m, o->jobs);
        memory_release(m, o->made);
        memory_release(m, o);
        *out = NULL;
        return error_nomem(e);
    }
    memset(o->jobs, 0, slots * bytes);
    memset(o->made, 0, slots * sizeof *o->made);
    (void)pthread_mutex_init(&o->lock, NULL); /* cannot fail without attributes */
    (void)pthread_cond_init(&o->work, NULL);
    (void)pthread_cond_init(&o->room, NULL);
    while (o->count < wanted && pthread_create(&o->threads[o->count], NULL, work, o) == 0) o->count++;
    return true;
}

void *ordered_slot(struct ordered *o)
{
    pthread_mutex_lock(&o->lock);
    while (o->given - o->taken >= o->slots) pthread_cond_wait(&o->room, &o->lock);
    bool enough = o->enough;
    pthread_mutex_unlock(&o->lock);
    return enough ? NULL : job_of(o, o->given);
}

void ordered_give(struct ordered *o)
{
    if (!o->count) {
        void *job = job_of(o, o->given);
        o->make(o->ctx, job);
        o->enough |= !o->take(o->ctx, job);
        o->given = ++o->begun;
        o->taken = o->given;
        return;
    }
    pthread_mutex_lock(&o->lock);
    o->given++;
    pthread_cond_signal(&o->work);
    pthread_mutex_unlock(&o->lock);
}

void ordered_wait(struct ordered *o)
{
    pthread_mutex_lock(&o->lock);
    while (o->taken < o->given) pthread_cond_wait(&o->room, &o->lock);
    pthread_mutex_unlock(&o->lock);
}

void ordered_close(struct ordered *o)
{
    if (!o) return;
    pthread_mutex_lock(&o->lock);
    o->closing = o->enough = true;
    pthread_cond_broadcast(&o->work);
    pthread_mutex_unlock(&o->lock);
    for (size_t i = 0; i < o->count; i++) pthread_join(o->threads[i], NULL);
    for (size_t i = 0; i < o->slots; i++) o->done(o->ctx, job_of(o, i));
    pthread_cond_destroy(&o->work);
    pthread_cond_destroy(&o->room);
    pthread_mutex_destroy(&o->lock);
    memory_release(o->memory, o->jobs);
    memory_release(o->memory, o->made);
    memory_release(o->memory, o);
}
