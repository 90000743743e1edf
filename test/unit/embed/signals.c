/*
 * signals.c -- a host that manages its signals: with no_guard the library never touches the action of
 * SIGBUS, whatever it does; without it, the library sets the action and restores the previous one.
 */
#define _XOPEN_SOURCE 700
#include "embed.h"

#include <signal.h>

static unsigned touched, ours;

/* Replaces the C library's sigaction(): both libraries call this one. */
int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
    if (before) memset(before, 0, sizeof *before);
    touched += number == SIGBUS && action;
    ours += number == SIGBUS && action && action->sa_flags & SA_ONSTACK;
    return 0;
}

static bool discard(void *ctx, const void *p, size_t bytes)
{
    (void)ctx, (void)p, (void)bytes;
    return true;
}

static void write_and_free(numel_rc rc, numel_report **r)
{
    EXPECT(rc == NUMEL_OK);
    EXPECT(numel_report_write(*r, NULL, discard, NULL, NULL) == NUMEL_OK);
    numel_report_free(*r);
}

static void all_arrays(const numel_checkpoint *ck, const numel_options *options)
{
    for (size_t i = 0; i < numel_meta_count(ck); i++) {
        numel_values *values;
        numel_rc rc = numel_values_open(&values, ck, i, options, NULL);
        EXPECT(rc == NUMEL_OK || rc == NUMEL_E_TYPE);
        numel_values_close(values);
    }
}

static void use(const char *path, const char *dir, const numel_options *options)
{
    const numel_check check = { .size = sizeof check, .level = NUMEL_LEVEL_CONFIG };
    numel_found *found;
    numel_checkpoint *ck;
    numel_subject *model, *at;
    numel_heads *heads;
    numel_report *r = NULL;
    EXPECT(numel_find(&found, path, options, NULL) == NUMEL_OK);
    EXPECT(numel_open(&ck, found, 0, options, NULL) == NUMEL_OK);
    EXPECT(numel_subject_of(&model, ck, NULL, options, NULL) == NUMEL_OK);
    EXPECT(numel_subject_at(&at, found, 0, NULL, options, NULL) == NUMEL_OK);
    EXPECT(numel_heads_open(&heads, dir, true, options, NULL) == NUMEL_OK);
    EXPECT(numel_heads_add(heads, ck, NULL, NULL) == NUMEL_OK);
    numel_heads_free(heads);
    all_arrays(ck, options);
    write_and_free(numel_report_show(&r, model, NULL, NULL), &r);
    write_and_free(numel_report_reconcile(&r, model, NULL, NULL), &r);
    write_and_free(numel_report_diff(&r, model, model, NULL, NULL), &r);
    write_and_free(numel_report_meta(&r, at, NULL, NULL), &r);
    write_and_free(numel_report_verify(&r, at, &check, NULL), &r);
    write_and_free(numel_report_identify(&r, &path, 1, options, NULL), &r);
    write_and_free(numel_report_hash(&r, &path, 1, NULL, options, NULL, NULL), &r);
    numel_subject_close(model);
    numel_subject_close(at);
    numel_free(ck);
    numel_found_free(found);
}

int main(int count, char **args)
{
    static const char *const names[] = { "qwen3-0.6b", "llama-3.1-8b-q4_k_m" };
    const numel_options bare = { .size = sizeof bare, .no_guard = true };
    char path[512];
    EXPECT(count == 3);
    for (size_t i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", args[1], names[i]);
        touched = ours = 0;
        use(path, args[2], &bare);
        EXPECT(touched == 0);
        use(path, args[2], NULL);
        EXPECT(touched > 0 && touched % 2 == 0); /* each is put back */
        EXPECT(ours == touched / 2);             /* handlers run on the thread's stack for signals */
    }
    return 0;
}
