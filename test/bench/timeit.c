/*
 * timeit.c -- measures the time and memory of a command, from outside.
 *
 *     timeit [-n RUNS] [-b BYTES] LABEL COMMAND ARG...
 *
 * Runs the command RUNS times (11) with its output discarded, and prints one line: wall clock best, median
 * and worst, processor time (user and system, mean), the peak resident set, and with -b the median's
 * megabytes (1,000,000) of header per second. Measures the whole process: starting, mapping, reading,
 * printing. Status 1 of numel means "something was found" and counts as success; any other is a failure.
 */
#define _DEFAULT_SOURCE /* wait4 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 1000 };

struct run {
    double wall, cpu; /* milliseconds */
    long rss;         /* kilobytes */
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double ms_of(struct timeval t) { return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3; }

static void child(char **command)
{
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0) dup2(null, 1);
    execvp(command[0], command);
    fprintf(stderr, "timeit: %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

static struct run measure(char **command)
{
    struct rusage used;
    int status;
    double start = seconds();
    pid_t pid = fork();
    if (pid == 0) child(command);
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid) {
        perror("timeit");
        exit(2);
    }
    double wall = (seconds() - start) * 1e3;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "timeit: %s failed\n", command[0]);
        exit(1);
    }
    return (struct run){ wall, ms_of(used.ru_utime) + ms_of(used.ru_stime), used.ru_maxrss };
}

static int by_wall(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return (x->wall > y->wall) - (x->wall < y->wall);
}

static void print(const char *label, struct run *runs, int n, double bytes)
{
    double cpu = 0;
    long rss = 0;
    for (int i = 0; i < n; i++) {
        cpu += runs[i].cpu / n;
        if (runs[i].rss > rss) rss = runs[i].rss;
    }
    qsort(runs, (size_t)n, sizeof *runs, by_wall);
    double median = runs[n / 2].wall;
    printf("%-34s %9.2f %9.2f %9.2f %9.2f", label, runs[0].wall, median, runs[n - 1].wall, cpu);
    if (bytes > 0) printf(" %8.0f", bytes / 1e6 / (median / 1e3));
    else printf(" %8s", "");
    printf(" %8.1f\n", (double)rss / 1024);
}

int main(int argc, char **argv)
{
    static struct run runs[MOST_RUNS];
    int n = 11, c;
    double bytes = 0;
    while ((c = getopt(argc, argv, "+n:b:")) != -1) {
        if (c == 'n') n = atoi(optarg);
        if (c == 'b') bytes = atof(optarg);
        if (c == '?') return 2;
    }
    if (argc - optind < 2 || n < 1 || n > MOST_RUNS) {
        fputs("usage: timeit [-n RUNS] [-b BYTES] LABEL COMMAND ARG...\n", stderr);
        return 2;
    }
    for (int i = 0; i < n; i++) runs[i] = measure(argv + optind + 1);
    print(argv[optind], runs, n, bytes);
    return 0;
}
