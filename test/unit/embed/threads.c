/*
 * threads.c -- a threaded host. Each thread has its own objects, and all share one checkpoint, which
 * numel.h allows; results equal those of a single thread, byte for byte. Under ThreadSanitizer (make tsan)
 * it also proves that no thread writes what another reads.
 */
#define _POSIX_C_SOURCE 200809L
#include "embed.h"

#include <pthread.h>

enum { THREADS = 4, TURNS = 2 };

struct told {
    char *p;
    size_t n;
};

static bool collect(void *ctx, const void *p, size_t bytes)
{
    struct told *t = ctx;
    char *grown = realloc(t->p, t->n + bytes + 1);
    EXPECT(grown != NULL);
    memcpy(grown + t->n, p, bytes);
    *t = (struct told){ grown, t->n + bytes };
    return true;
}

static void tell(struct told *t, numel_rc rc, numel_report **r)
{
    const numel_style style = { .size = sizeof style, .format = NUMEL_JSON };
    EXPECT(rc == NUMEL_OK);
    EXPECT(numel_report_write(*r, &style, collect, t, NULL) == NUMEL_OK);
    numel_report_free(*r);
}

/* Every fact about a checkpoint, from the thread's own model. */
static void of_checkpoint(struct told *t, const numel_checkpoint *ck)
{
    const numel_view view = { .size = sizeof view, .others = true };
    numel_subject *model = NULL;
    numel_report *r = NULL;
    EXPECT(numel_subject_of(&model, ck, NULL, NULL, NULL) == NUMEL_OK);
    tell(t, numel_report_show(&r, model, &view, NULL), &r);
    tell(t, numel_report_tensors(&r, model, NULL, NULL), &r);
    tell(t, numel_report_reconcile(&r, model, NULL, NULL), &r);
    tell(t, numel_report_meta(&r, model, NULL, NULL), &r);
    tell(t, numel_report_explain(&r, "7000000", model, NULL, NULL), &r);
    for (size_t i = 0; i < numel_tensor_count(ck); i++) {
        numel_tensor x = NUMEL_INIT(numel_tensor);
        EXPECT(numel_tensor_at(ck, i, &x, NULL) == NUMEL_OK);
        EXPECT(numel_tensor_find(ck, x.name.p, x.name.n) == i);
    }
    numel_subject_close(model);
}

struct job {
    const char *path;
    const numel_checkpoint *shared; /* NULL: each thread opens its own */
    struct told told;
};

static void *run(void *ctx)
{
    struct job *j = ctx;
    const numel_check check = { .size = sizeof check, .level = NUMEL_LEVEL_CONFIG };
    numel_found *found = NULL;
    numel_subject *at;
    numel_report *r = NULL;
    for (int turn = 0; turn < TURNS; turn++) {
        if (j->shared) {
            of_checkpoint(&j->told, j->shared);
            continue;
        }
        numel_checkpoint *own = open_at(j->path, &found);
        of_checkpoint(&j->told, own);
        EXPECT(numel_subject_at(&at, found, 0, NULL, NULL, NULL) == NUMEL_OK);
        tell(&j->told, numel_report_verify(&r, at, &check, NULL), &r);
        numel_subject_close(at);
        tell(&j->told, numel_report_hash(&r, &j->path, 1, NULL, NULL, NULL, NULL), &r);
        numel_free(own);
        numel_found_free(found);
    }
    return NULL;
}

static void compare(const char *path, const numel_checkpoint *shared)
{
    struct job jobs[THREADS + 1];
    pthread_t threads[THREADS];
    for (int i = 0; i <= THREADS; i++) jobs[i] = (struct job){ .path = path, .shared = shared };
    for (int i = 0; i < THREADS; i++) EXPECT(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0);
    for (int i = 0; i < THREADS; i++) EXPECT(pthread_join(threads[i], NULL) == 0);
    run(&jobs[THREADS]);
    for (int i = 0; i < THREADS; i++) {
        EXPECT(jobs[i].told.n > 0 && jobs[i].told.n == jobs[THREADS].told.n);
        EXPECT(memcmp(jobs[i].told.p, jobs[THREADS].told.p, jobs[i].told.n) == 0);
    }
    for (int i = 0; i <= THREADS; i++) free(jobs[i].told.p);
}

int main(int count, char **args)
{
    static const char *const names[] = { "qwen3-0.6b", "gptq-tiny", "llama-3.1-8b-q4_k_m" };
    char path[512];
    EXPECT(count == 3);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        numel_found *found;
        snprintf(path, sizeof path, "%s/%s", args[1], names[i]);
        numel_checkpoint *ck = open_at(path, &found);
        compare(path, ck);
        compare(path, NULL);
        numel_free(ck);
        numel_found_free(found);
    }
    return 0;
}
