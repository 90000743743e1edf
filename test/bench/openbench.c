/*
 * openbench.c -- times the library finding and opening a checkpoint, without output.
 *
 *     openbench [-n RUNS] [-b BYTES] LABEL PATH
 *
 * One process, RUNS times (21) numel_find, numel_open and numel_free; best, median and worst in the
 * columns of timeit.c. The tensors are requested once, so that lazy opening could not hide its work.
 */
#include "../support/look.h"
#include <numel.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 1000 };

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static uint64_t open_all(const char *path)
{
    numel_error e = { .code = NUMEL_OK };
    numel_found *found;
    uint64_t sum = 0;
    if (numel_find(&found, path, NULL, &e)) goto failed;
    for (size_t i = 0; i < numel_found_count(found); i++) {
        numel_checkpoint *c;
        if (numel_open(&c, found, i, NULL, &e)) goto failed;
        for (size_t t = 0; t < numel_tensor_count(c); t++) sum += look_at(c, t).elements;
        numel_free(c);
    }
    numel_found_free(found);
    return sum;
failed:
    fprintf(stderr, "openbench: %s: %s\n", path, e.what);
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double ms[MOST_RUNS];
    int n = 21, c;
    double bytes = 0;
    while ((c = getopt(argc, argv, "+n:b:")) != -1) {
        if (c == 'n') n = atoi(optarg);
        if (c == 'b') bytes = atof(optarg);
        if (c == '?') return 2;
    }
    if (argc - optind != 2 || n < 1 || n > MOST_RUNS) {
        fputs("usage: openbench [-n RUNS] [-b BYTES] LABEL PATH\n", stderr);
        return 2;
    }
    for (int i = 0; i < n; i++) {
        double start = milliseconds();
        if (!open_all(argv[optind + 1])) return 1;
        ms[i] = milliseconds() - start;
    }
    qsort(ms, (size_t)n, sizeof *ms, ascending);
    printf("%-34s %9.2f %9.2f %9.2f %9s", argv[optind], ms[0], ms[n / 2], ms[n - 1], "");
    if (bytes > 0) printf(" %8.0f", bytes / 1e6 / (ms[n / 2] / 1e3));
    printf("\n");
    return 0;
}
