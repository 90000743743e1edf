/*
 * readbench.c -- the reference for the speed of reading data.
 *
 *     readbench make FILE MIB     a safetensors file with F16 tensors of 64 MiB, every value a number
 *     readbench [-n RUNS] FILE    copies the file's pages, mapped and in the system's cache, to a
 *                                 block that stays in a core's cache; prints a line as timeit does
 *
 * The second is a bound for any single thread that must see every byte in its own memory: creating a page
 * table, and memcpy.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 256 << 10, TENSOR_MIB = 64, MOST_RUNS = 1000 };

static void die(const char *what)
{
    perror(what);
    exit(2);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Halves with exponents of 1 to 15: no NaN, no infinity, no zero. */
static void fill(uint16_t *p, size_t n, uint64_t *state)
{
    for (size_t i = 0; i < n; i++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        p[i] = (uint16_t)((*state >> 48 & 0x83FFu) | (1 + (*state >> 40) % 15) << 10);
    }
}

static void make(const char *path, unsigned long mib)
{
    static uint16_t block[BLOCK / 2];
    FILE *f = fopen(path, "wb");
    unsigned long tensors = mib / TENSOR_MIB;
    uint64_t state = 1, each = (uint64_t)TENSOR_MIB << 20;
    char *header = malloc(96 * (tensors + 1));
    size_t n = 0;
    if (!f || !header || tensors == 0) die(path);
    for (unsigned long i = 0; i < tensors; i++)
        n += (size_t)sprintf(header + n,
                             "%s\"w.%lu\":{\"dtype\":\"F16\",\"shape\":[4096,8192],"
                             "\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}",
                             i ? "," : "{", i, i * each, (i + 1) * each);
    header[n++] = '}';
    while (n % 8) header[n++] = ' ';
    uint8_t size[8];
    for (int i = 0; i < 8; i++) size[i] = (uint8_t)(n >> 8 * i);
    if (fwrite(size, 1, 8, f) != 8 || fwrite(header, 1, n, f) != n) die(path);
    for (uint64_t at = 0; at < tensors * each; at += BLOCK) {
        fill(block, BLOCK / 2, &state);
        if (fwrite(block, 1, BLOCK, f) != BLOCK) die(path);
    }
    if (fclose(f) != 0) die(path);
    free(header);
}

static double copy_once(const char *path, uint64_t *bytes)
{
    static uint8_t block[BLOCK];
    double from = seconds();
    int fd = open(path, O_RDONLY);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0) die(path);
    uint8_t *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED) die(path);
    *bytes = (uint64_t)st.st_size;
    for (uint64_t at = 0; at < *bytes; at += BLOCK) {
        memcpy(block, p + at, (size_t)(*bytes - at < BLOCK ? *bytes - at : BLOCK));
        __asm__ volatile("" ::"r"(block) : "memory"); /* use the copy */
    }
    munmap(p, (size_t)st.st_size);
    close(fd);
    return (seconds() - from) * 1e3;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
    static double ms[MOST_RUNS];
    struct rusage usage;
    uint64_t bytes = 0;
    int runs = 11, at = 1;
    if (argc == 4 && strcmp(argv[1], "make") == 0) {
        make(argv[2], strtoul(argv[3], NULL, 10));
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "-n") == 0) runs = atoi(argv[2]), at = 3;
    if (argc != at + 1 || runs < 1 || runs > MOST_RUNS) {
        fputs("usage: readbench make FILE MIB | readbench [-n RUNS] FILE\n", stderr);
        return 2;
    }
    for (int i = 0; i < runs; i++) ms[i] = copy_once(argv[at], &bytes);
    qsort(ms, (size_t)runs, sizeof *ms, by_value);
    getrusage(RUSAGE_SELF, &usage);
    double cpu = ((double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
                  (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3) /
                 runs;
    printf("%-34s %9.2f %9.2f %9.2f %9.2f %8.0f %8s\n", "memcpy of the page cache", ms[0], ms[runs / 2],
           ms[runs - 1], cpu, (double)bytes / ms[runs / 2] / 1e3, "-");
    return 0;
}
