/* stamp.c -- what the system says of files, hashed with two fixed seeds. */
#define _XOPEN_SOURCE 700
#include "source/stamp.h"

#include "base/hash.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { COARSE = 2 }; /* seconds: the clock of FAT */

static const uint64_t seeds[STAMP_PARTS] = { UINT64_C(0x2545F4914F6CDD1D), UINT64_C(0x9E6C63D0876A9A47) };

uint64_t stamp_now(void)
{
    time_t now = time(NULL);
    return now > 0 ? (uint64_t)now : 0;
}

static void add(struct stamp *s, const void *p, size_t n)
{
    for (unsigned i = 0; i < STAMP_PARTS; i++)
        s->parts[i] = hash_bytes(p, n, hash_fold(s->parts[i] ^ seeds[i], seeds[i]));
}

struct stamp stamp_begin(uint64_t now)
{
    struct stamp s = { { seeds[1], seeds[0] }, now, true };
    stamp_number(&s, (uint64_t)geteuid());
    return s;
}

void stamp_number(struct stamp *s, uint64_t n) { add(s, &n, sizeof n); }

void stamp_text(struct stamp *s, numel_str text) { add(s, text.p, text.n); }

static bool is_settled(const struct stamp *s, const struct stat *st)
{
    int64_t latest = st->st_mtime > st->st_ctime ? st->st_mtime : st->st_ctime;
    return latest < 0 || (uint64_t)latest + COARSE < s->now;
}

void stamp_path(struct stamp *s, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0) {
        s->sure = false;
        return;
    }
    const uint64_t is[] = { (uint64_t)st.st_dev,         (uint64_t)st.st_ino,
                            (uint64_t)st.st_size,        (uint64_t)st.st_mode,
                            (uint64_t)st.st_uid,         (uint64_t)st.st_gid,
                            (uint64_t)st.st_mtim.tv_sec, (uint64_t)st.st_mtim.tv_nsec,
                            (uint64_t)st.st_ctim.tv_sec, (uint64_t)st.st_ctim.tv_nsec };
    add(s, is, sizeof is);
    s->sure = s->sure && is_settled(s, &st);
}

bool stamp_is_settled(const struct stamp *s, const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && is_settled(s, &st);
}

bool stamp_same(const struct stamp *x, const struct stamp *y)
{
    for (unsigned i = 0; i < STAMP_PARTS; i++)
        if (x->parts[i] != y->parts[i]) return false;
    return true;
}
