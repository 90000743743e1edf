/* progress.c -- a progress line on standard error, on a terminal, once half a second has passed. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void progress_bar(void *ctx, uint64_t done, uint64_t total, const char *what)
{
    struct timespec now, *start = ctx;
    enum { WIDTH = 30 };
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || !isatty(STDERR_FILENO) || total < 2) return;
    if (start->tv_sec == 0) *start = now;
    double passed = (double)(now.tv_sec - start->tv_sec) +
                    (double)(now.tv_nsec - start->tv_nsec) / 1e9;
    if (passed < 0.5) return;
    int full = (int)(done * WIDTH / total);
    if (done < total)
        fprintf(stderr, "\r%s [%.*s%*s] %llu/%llu", what, full, "##############################",
                WIDTH - full, "", (unsigned long long)done, (unsigned long long)total);
    else
        fprintf(stderr, "\r%*s\r", 72, "");
}
