/*
 * work.c -- reading data takes time: progress in bytes, and an end to it when the user wants one.
 *
 * A signal's action belongs to the process, and so do the two variables here: the first interrupt
 * is noted, for the library to ask; the second finds the default action and ends the program.
 */
#include "cli.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;
static struct progress shown;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static bool is_interrupted(void *ctx)
{
    (void)ctx;
    return interrupted != 0;
}

numel_work work_begin(const struct options *o)
{
    struct sigaction once = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    numel_work work = o->work;
    sigemptyset(&once.sa_mask);
    sigaction(SIGINT, &once, NULL);
    sigaction(SIGTERM, &once, NULL);
    shown = (struct progress){ .shown = 0 };
    work.stop = is_interrupted;
    if (!o->no_progress) work.progress = progress_bytes;
    work.progress_ctx = &shown;
    return work;
}

void work_end(void)
{
    progress_clear(&shown);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}
