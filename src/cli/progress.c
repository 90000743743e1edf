/*
 * progress.c -- shows a progress line on standard error, if that is a terminal: after half a second, and at
 * most ten times a second. Variables of Hugging Face that turn off its bars turn off ours.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

enum { WIDTH = 30, LINE = 78 };

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* As huggingface_hub reads it. */
static bool is_disabled(void)
{
    static const char *const yes[] = { "1", "on", "yes", "true" };
    const char *v = getenv("HF_HUB_DISABLE_PROGRESS_BARS");
    for (size_t i = 0; v && i < sizeof yes / sizeof *yes; i++)
        if (strcasecmp(v, yes[i]) == 0) return true;
    return false;
}

bool progress_shown(const struct options *o)
{
    return !o->no_progress && isatty(STDERR_FILENO) && !is_disabled();
}

/* Seconds since the first call; 0 as long as nothing should be shown. */
static double time_to_show(struct timespec *start)
{
    if (start->tv_sec == 0) clock_gettime(CLOCK_MONOTONIC, start);
    double passed = seconds_since(start);
    return passed < 0.5 ? 0 : passed;
}

static void put_bar(const char *what, uint64_t done, uint64_t total)
{
    char bar[WIDTH + 1];
    int full = total && done < total ? (int)((double)done * WIDTH / (double)total) : WIDTH;
    for (int i = 0; i < WIDTH; i++) bar[i] = i < full ? '#' : ' ';
    bar[WIDTH] = 0;
    fprintf(stderr, "\r%s [%s] ", what, bar);
}

static void wipe(void) { fprintf(stderr, "\r%*s\r", LINE, ""); }

void progress_bar(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    if (total < 2 || time_to_show(ctx) == 0) return;
    if (done == total) {
        wipe();
        return;
    }
    put_bar(what, done, total);
    fprintf(stderr, "%llu/%llu", (unsigned long long)done, (unsigned long long)total);
}

/* True at most ten times a second, from half a second after the first call on. */
static bool is_due(struct progress *p)
{
    double passed = time_to_show(&p->started);
    if (passed == 0 || passed - p->shown < 0.1) return false;
    p->shown = passed;
    return true;
}

void progress_count(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    (void)total;
    if (is_due(ctx)) fprintf(stderr, "\r%llu %s ", (unsigned long long)done, what);
}

/* "3:07", "1:02:30" */
static void put_time(double seconds)
{
    unsigned long s = seconds > 0 && seconds < 1e8 ? (unsigned long)seconds : 0;
    if (s >= 3600) fprintf(stderr, "%lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
    else fprintf(stderr, "%lu:%02lu", s / 60, s % 60);
}

void progress_bytes(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    const struct progress *p = ctx;
    if (!is_due(ctx)) return;
    double rate = (double)done / p->shown;
    put_bar(what, done, total);
    fprintf(stderr, "%3.0f %% %6.0f MB/s, ", total ? 100 * (double)done / (double)total : 100, rate / 1e6);
    put_time(rate > 0 ? (double)(total - done) / rate : 0);
    fputs(" left ", stderr);
}

void progress_clear(struct progress *p)
{
    if (p->shown > 0) wipe();
    *p = (struct progress){ .shown = 0 };
}
