/*
 * put.c -- writes a header to disk: compressed, alone, or followed by a hole as large as the weights or by
 * data.
 *
 * A compressed one matches `numel behead`: a skippable frame with the size of the whole file, then one
 * zstd frame with the header. A sparse one has the original size but takes only a few blocks of disk;
 * every reader of the format opens it. Data is bytes from 0x20 to 0x3f, different in each file: small
 * finite numbers in every float type, and no page of zeros.
 */
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* mkdir -p */
static void make_dir(const char *dir)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s", dir) >= (int)sizeof path) die("path too long");
    for (char *p = path + 1;; p++) {
        char c = *p;
        if (c && c != '/') continue;
        *p = '\0';
        if (mkdir(path, 0777) && errno != EEXIST) die("%s: %s", path, strerror(errno));
        if (!c) return;
        *p = c;
    }
}

static int create(const char *dir, const char *name, const char *suffix, char *path, size_t size)
{
    make_dir(dir);
    if (snprintf(path, size, "%s/%s%s", dir, name, suffix) >= (int)size) die("path too long");
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0) die("%s: %s", path, strerror(errno));
    return fd;
}

static void write_all(int fd, const char *path, const void *p, size_t n)
{
    const char *at = p;
    while (n > 0) {
        ssize_t done = write(fd, at, n);
        if (done <= 0) die("%s: %s", path, strerror(errno));
        at += done;
        n -= (size_t)done;
    }
}

static void write_zstd(int fd, const char *path, int level, const struct buffer *head, uint64_t bytes)
{
    uint8_t mark[24] = { 0x50, 0x2A, 0x4D, 0x18, 16, 0, 0, 0, 'N', 'U', 'M', 'E', 'L', 'H', 'D', '1' };
    num_store_le64(mark + 16, bytes);
    size_t room = ZSTD_compressBound(head->n);
    void *out = must(malloc(room));
    size_t n = ZSTD_compress(out, room, head->p, head->n, level);
    if (ZSTD_isError(n)) die("zstd: %s", ZSTD_getErrorName(n));
    write_all(fd, path, mark, sizeof mark);
    write_all(fd, path, out, n);
    free(out);
}

static void write_data(int fd, const char *path, const char *name, uint64_t n)
{
    uint8_t block[4096];
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (; *name; name++) state = (state ^ (uint8_t)*name) * 0x100000001B3u;
    while (n > 0) {
        size_t k = n < sizeof block ? (size_t)n : sizeof block;
        for (size_t i = 0; i < k; i++) { /* xorshift64* */
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            block[i] = (uint8_t)(0x20 | ((state * 0x2545F4914F6CDD1Du) >> 59));
        }
        write_all(fd, path, block, k);
        n -= k;
    }
}

void put_head(const char *dir, const char *name, enum put_form form, int level, const struct buffer *head,
              uint64_t bytes)
{
    char path[4096];
    int fd = create(dir, name, form == PUT_ZSTD ? ".head.zst" : "", path, sizeof path);
    if (form == PUT_ZSTD) write_zstd(fd, path, level, head, bytes);
    else write_all(fd, path, head->p, head->n);
    if (form == PUT_DATA) write_data(fd, path, name, bytes - head->n);
    if (form == PUT_SPARSE && ftruncate(fd, (off_t)bytes)) die("%s: %s", path, strerror(errno));
    if (close(fd)) die("%s: %s", path, strerror(errno));
}

void put_text(const char *dir, const char *name, const char *p, size_t n)
{
    char path[4096];
    int fd = create(dir, name, "", path, sizeof path);
    write_all(fd, path, p, n);
    if (close(fd)) die("%s: %s", path, strerror(errno));
}
