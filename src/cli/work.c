/*
 * work.c -- reading data takes time: progress in bytes, an end to it when the user wants one, and a
 * place to go on from.
 *
 * A signal's action belongs to the process, and so does the flag here: the first interrupt is noted,
 * for the library to ask; the second finds the default action and ends the program.
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "cli.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* ---- where to go on from ------------------------------------------------------------------ */

/* One number for the arguments, wherever the program is run from: FNV-1a over their real paths. */
static unsigned long long arguments_number(const struct options *o)
{
    unsigned long long h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < o->count; i++) {
        char *real = realpath(o->args[i], NULL);
        for (const char *p = real ? real : o->args[i]; *p; p++) h = (h ^ (unsigned char)*p) * 0x100000001b3u;
        h = (h ^ 0xff) * 0x100000001b3u;
        free(real);
    }
    return h;
}

/* Each folder of the path, as far as it is not there. */
static bool make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        bool ok = mkdir(path, 0700) == 0 || errno == EEXIST;
        *p = '/';
        if (!ok) return false;
    }
    return true;
}

/* $XDG_STATE_HOME/numel/NUMBER.resume; never in the model's folder. */
static bool own_place(struct work *w, const struct options *o)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    bool set = state && state[0] == '/';
    if (!set && !(home && home[0] == '/')) return false;
    int n = snprintf(w->resume, sizeof w->resume, "%s%s/numel/%016llx.resume", set ? state : home,
                     set ? "" : "/.local/state", arguments_number(o));
    return n > 0 && (size_t)n < sizeof w->resume && make_folders(w->resume);
}

static bool find_place(struct work *w, const struct options *o)
{
    w->resume[0] = '\0';
    if (!o->resume) return true;
    bool ok = o->resume[0] ? strlen(o->resume) < sizeof w->resume : own_place(w, o);
    if (!ok) say("numel: no place for --resume: set XDG_STATE_HOME, or give --resume=FILE");
    else if (o->resume[0]) strcpy(w->resume, o->resume);
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
    if (!o->no_progress) w->reading.progress = progress_bytes;
    w->reading.progress_ctx = &shown;
    return true;
}

void work_end(struct work *w, bool done)
{
    progress_clear(&shown);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (done && w->reading.resume) unlink(w->resume);
}
