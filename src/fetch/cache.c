/* cache.c -- entries in files. Any failure means "not found". */
#include "fetch/cache.h"

#include "fetch/protocol.h"

#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Two fixed seeds, so that a key has the same name in every run. A collision only causes a miss. */
#define SEED_A UINT64_C(0x6e756d656c2d6665)
#define SEED_B UINT64_C(0x7463682d63616368)
static const char magic[] = "numel-fetch 1 ";

static uint64_t checksum(numel_str s) { return hash_bytes(s.p, s.n, SEED_A); }

static void add_name(struct buffer *b, const struct cache *c, numel_str key)
{
    buffer_format(b, "%s/%016" PRIx64 "%016" PRIx64 ".range", c->dir, hash_bytes(key.p, key.n, SEED_A),
                  hash_bytes(key.p, key.n, SEED_B));
}

static bool finished(struct buffer *b)
{
    buffer_char(b, 0);
    return !b->failed;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Reads a regular file of this user, no longer than an answer may be. */
static bool read_all(struct buffer *out, int fd)
{
    char block[65536];
    struct stat st;
    if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid != geteuid()) return false;
    if (st.st_size < 0 || st.st_size > (off_t)FETCH_READ_MAX + FETCH_LINE) return false;
    for (ssize_t n = 1; n > 0;) {
        n = read(fd, block, sizeof block);
        if (n < 0) return false;
        buffer_add(out, block, (size_t)n);
    }
    return !out->failed;
}

/* "SIZE ETAG KEY\n" and the bytes. */
static bool parse(struct cache_entry *entry, numel_str key)
{
    numel_str s = buffer_view(&entry->file);
    char sum[24];
    if (!text_take_start(&s, magic)) return false;
    numel_str stated = text_cut(&s, '\n');
    size_t n = text_format(sum, sizeof sum, "%016" PRIx64, checksum(s));
    if (!text_same(stated, (numel_str){ sum, n })) return false;
    numel_str head = text_cut(&s, '\n'), size = text_cut(&head, ' ');
    entry->size = SIZE_UNKNOWN;
    if (!text_equal(size, "-") && !number_plain(size, &entry->size)) return false;
    entry->etag = text_cut(&head, ' ');
    if (text_equal(entry->etag, "-")) entry->etag = (numel_str){ NULL, 0 };
    entry->bytes = s;
    return text_same(head, key);
}

bool cache_find(const struct cache *c, numel_str key, struct cache_entry *entry)
{
    struct buffer name;
    *entry = (struct cache_entry){ 0 };
    buffer_init(&entry->file, &memory_malloc);
    if (!c->dir) return false;
    buffer_init(&name, &memory_malloc);
    add_name(&name, c, key);
    int fd = finished(&name) ? open(name.p, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    bool found = fd >= 0 && read_all(&entry->file, fd) && parse(entry, key);
    if (fd >= 0) close(fd);
    buffer_done(&name);
    if (!found) cache_entry_done(entry);
    return found;
}

void cache_entry_done(struct cache_entry *entry)
{
    buffer_done(&entry->file);
    entry->etag = entry->bytes = (numel_str){ NULL, 0 };
}

/* ---- trimming ----------------------------------------------------------------------------- */

struct aged {
    char name[40]; /* 32 digits and ".range" */
    uint64_t bytes;
    uint64_t time;
};

struct folder {
    struct aged *files;
    size_t count, cap;
    uint64_t bytes;
};

static int by_age(const void *a, const void *b)
{
    const struct aged *x = a, *y = b;
    return num_order(x->time, y->time);
}

/* Collects entries, and removes parts that a killed run left more than a day ago. */
static void look_at(struct folder *f, int dir, const char *name)
{
    struct stat st;
    numel_error ignored = { 0 };
    bool entry = text_ends(text_of(name), ".range") && strlen(name) == 38;
    bool part = text_ends(text_of(name), ".part");
    if ((!entry && !part) || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode)) return;
    if (part && st.st_mtime < time(NULL) - 86400) unlinkat(dir, name, 0);
    if (part || !memory_grow(&memory_malloc, &f->files, &f->cap, f->count + 1, sizeof *f->files, &ignored))
        return;
    struct aged *file = &f->files[f->count++];
    *file = (struct aged){ .bytes = (uint64_t)st.st_size, .time = (uint64_t)st.st_mtime };
    text_format(file->name, sizeof file->name, "%s", name);
    if (!num_add(&f->bytes, f->bytes, file->bytes)) f->bytes = UINT64_MAX;
}

static void trim(const char *folder)
{
    struct folder f = { 0 };
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (struct dirent *d = readdir(dir); d; d = readdir(dir)) look_at(&f, dirfd(dir), d->d_name);
    if (f.count) qsort(f.files, f.count, sizeof *f.files, by_age);
    if (f.bytes > CACHE_MOST)
        for (size_t i = 0; i < f.count && f.bytes > CACHE_KEPT; i++) {
            unlinkat(dirfd(dir), f.files[i].name, 0);
            f.bytes = num_left(f.bytes, f.files[i].bytes);
        }
    closedir(dir);
    memory_release(&memory_malloc, f.files);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Creates the folder and its parents, readable by the user only. */
static void make_folders(const char *dir)
{
    struct buffer path;
    buffer_init(&path, &memory_malloc);
    buffer_text(&path, dir);
    bool good = finished(&path);
    for (size_t i = 1; good && i < path.n; i++) {
        char c = path.p[i];
        if (c != '/' && c != 0) continue;
        path.p[i] = 0;
        mkdir(path.p, 0700);
        path.p[i] = c;
    }
    buffer_done(&path);
}

static bool write_all(int fd, numel_str s)
{
    while (s.n) {
        ssize_t n = write(fd, s.p, s.n);
        if (n <= 0) return false;
        s = text_from(s, (size_t)n);
    }
    return true;
}

static void write_file(const char *name, const char *part, numel_str head, numel_str rest)
{
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return;
    bool good = write_all(fd, head) && write_all(fd, rest);
    good &= close(fd) == 0;
    if (!good || rename(part, name)) unlink(part);
}

void cache_keep(struct cache *c, numel_str key, uint64_t size, numel_str etag, numel_str bytes)
{
    struct buffer rest, head, name, part;
    struct buffer *const all[] = { &rest, &head, &name, &part };
    if (!c->dir) return;
    for (size_t i = 0; i < 4; i++) buffer_init(all[i], &memory_malloc);
    if (size == SIZE_UNKNOWN) buffer_text(&rest, "-");
    else buffer_format(&rest, "%" PRIu64, size);
    buffer_char(&rest, ' ');
    buffer_str(&rest, etag.n ? etag : text_of("-"));
    buffer_char(&rest, ' ');
    buffer_str(&rest, key);
    buffer_char(&rest, '\n');
    buffer_str(&rest, bytes);
    buffer_format(&head, "%s%016" PRIx64 "\n", magic, checksum(buffer_view(&rest)));
    add_name(&name, c, key);
    buffer_format(&part, "%s/%ld-%u.part", c->dir, (long)getpid(), c->count);
    if (c->count == 0) {
        make_folders(c->dir);
        trim(c->dir);
    }
    if (!rest.failed && !head.failed && finished(&name) && finished(&part))
        write_file(name.p, part.p, buffer_view(&head), buffer_view(&rest));
    c->count++;
    for (size_t i = 0; i < 4; i++) buffer_done(all[i]);
}
