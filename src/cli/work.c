/*
 * work.c -- for commands that read data for a long time: shows progress in bytes, handles interrupts, resumes.
 *
 * A signal's action belongs to the process, and so does the flag here. The first interrupt sets it, and the
 * library checks it. The second has the default action, which ends the program.
 */
#include "cli.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- resuming ----------------------------------------------------------------------------- */

/* Chooses $XDG_STATE_HOME/numel/NUMBER.resume, never a place in the model's folder. */
NUMEL_MUST static bool own_place(struct work *w, const struct options *o)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool set = state && state[0] == '/';
    if (!set && !(home && home[0] == '/')) return false;
    char folder[sizeof w->resume];
    int n = snprintf(folder, sizeof folder, "%s%s/numel", set ? state : home, set ? "" : "/.local/state");
    return n > 0 && (size_t)n < sizeof folder &&
           numel_resume_place(w->resume, sizeof w->resume, folder, o->args, o->count, NULL, NULL) == NUMEL_OK;
}

static bool find_place(struct work *w, const struct options *o)
{
    w->resume[0] = '\0';
    if (!o->resume) return true;
    bool ok = o->resume[0] ? strlen(o->resume) < sizeof w->resume : own_place(w, o);
    numel_error e = { .code = NUMEL_E_USAGE,
                      .offset = NUMEL_NOWHERE,
                      .what = "no place for --resume: set XDG_STATE_HOME, or give --resume=FILE" };
    if (!ok) output_error(o, "", &e);
    else if (o->resume[0]) snprintf(w->resume, sizeof w->resume, "%s", o->resume);
    if (ok) w->reading.resume = w->resume;
    return ok;
}

/* ---- the work ----------------------------------------------------------------------------- */

bool work_begin(struct work *w, const struct options *o)
{
    struct sigaction once = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };
    w->reading = o->work;
    if (!find_place(w, o)) return false;
    sigemptyset(&once.sa_mask);
    sigaction(SIGINT, &once, NULL);
    sigaction(SIGTERM, &once, NULL);
    shown = (struct progress){ .shown = 0 };
    w->reading.stop = is_interrupted;
    if (progress_shown(o)) w->reading.progress = progress_bytes;
    w->reading.progress_ctx = &shown;
    return true;
}

void work_end(void)
{
    progress_clear(&shown);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

void work_reported(const struct work *w)
{
    if (w->reading.resume) numel_resume_remove(w->resume);
}
