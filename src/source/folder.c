/*
 * folder.c -- what the system reports on paths and folders. A path may change between two calls: nothing here
 * is a promise, and code that opens the file checks again.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#define _DEFAULT_SOURCE   /* d_type, if available */
#include "source/folder.h"

#include "base/text.h"
#include "source/descriptor.h"
#include "source/private.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum path_kind path_kind(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || private_promised(path, &st)) return PATH_ABSENT;
    return S_ISDIR(st.st_mode) ? PATH_DIRECTORY : S_ISREG(st.st_mode) ? PATH_FILE : PATH_OTHER;
}

bool path_identify(const char *path, struct path_identity *out)
{
    struct stat st;
    *out = (struct path_identity){ 0 };
    if (stat(path, &st) != 0) return false;
    *out = (struct path_identity){ (uint64_t)st.st_dev,
                                   (uint64_t)st.st_ino,
                                   (uint64_t)st.st_size,
                                   (uint64_t)st.st_nlink,
                                   st.st_mtime > 0 ? (uint64_t)st.st_mtime : 0,
                                   st.st_atime > 0 ? (uint64_t)st.st_atime : 0 };
    return true;
}

bool path_is_link(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

uint64_t path_bytes(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

numel_str path_base(const char *path)
{
    size_t end = strlen(path);
    while (end > 1 && path[end - 1] == '/') end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/') start--;
    return text_span(path + start, path + end);
}

char *path_directory(struct arena *a, const char *path)
{
    size_t n = (size_t)(path_base(path).p - path);
    while (n > 1 && path[n - 1] == '/') n--;
    return n ? arena_text(a, path, n) : arena_text(a, ".", 1);
}

char *path_real(struct arena *a, const char *path)
{
    char full[PATH_MAX];
    return realpath(path, full) ? arena_text(a, full, strlen(full)) : NULL;
}

char *path_join(struct arena *a, const char *dir, numel_str name)
{
    size_t n = strlen(dir);
    if (n == 0 || strcmp(dir, ".") == 0) return arena_text(a, name.p, name.n);
    while (n > 1 && dir[n - 1] == '/') n--;
    numel_str path = arena_join(a, (numel_str){ dir, n }, text_of(dir[n - 1] == '/' ? "" : "/"), name);
    return path.p ? (char *)(uintptr_t)path.p : NULL;
}

char *path_in(struct arena *a, const char *dir, const char *name, enum path_kind kind)
{
    char *path = path_join(a, dir, text_of(name));
    return path && path_kind(path) == kind ? path : NULL;
}

const char *path_below(const char *dir, const char *path)
{
    size_t n = strlen(dir);
    if (strcmp(dir, path) == 0) return "";
    if (n == 0 || strcmp(dir, ".") == 0) return path;
    while (n > 1 && dir[n - 1] == '/') n--;
    if (strncmp(path, dir, n) != 0) return "";
    if (dir[n - 1] == '/') return path + n;
    return path[n] == '/' ? path + n + 1 : "";
}

/* ---- listing ------------------------------------------------------------------------------ */

static int by_name(const void *a, const void *b)
{
    const struct folder_entry *x = a, *y = b;
    return text_natural(x->name, y->name);
}

/* Trusts the listing's type of an entry; asks the system about links, whose target it does not show. */
static enum path_kind entry_kind(const struct dirent *d, const char *path, struct folder_entry *out)
{
    char joined[PATH_MAX];
#ifdef DT_UNKNOWN
    if (d->d_type == DT_REG || d->d_type == DT_DIR) return d->d_type == DT_DIR ? PATH_DIRECTORY : PATH_FILE;
#endif
    numel_str all = text_join(joined, sizeof joined - 1, text_of(path), text_of("/"), text_of(d->d_name));
    out->link = true;
    if (!all.p) return PATH_ABSENT;
    joined[all.n] = 0;
    errno = 0;
    enum path_kind kind = path_kind(joined);
    out->circle = kind == PATH_ABSENT && errno == ELOOP;
    return kind;
}

NUMEL_MUST static bool add_entry(struct folder *f, const struct dirent *d, const char *path, struct arena *a,
                                 numel_error *e)
{
    struct folder_entry entry = { .directory = false };
    enum path_kind kind = entry_kind(d, path, &entry);
    bool other = kind == PATH_OTHER;
    struct folder_entry **items = other ? &f->others : &f->entries;
    size_t *cap = other ? &f->other_cap : &f->cap, *count = other ? &f->other_count : &f->count;
    if (!memory_grow(a->memory, items, cap, *count + 1, sizeof entry, e)) return false;
    char *name = arena_text(a, d->d_name, strlen(d->d_name));
    if (!name) return error_nomem(e);
    entry.name = text_of(name);
    entry.directory = kind == PATH_DIRECTORY;
    (*items)[(*count)++] = entry;
    return true;
}

NUMEL_MUST static bool read_entries(struct folder *f, DIR *dir, const char *path, struct arena *a,
                                    numel_error *e)
{
    for (;;) {
        errno = 0;
        struct dirent *d = readdir(dir);
        if (!d) return errno == 0 || error_errno(e, "cannot list", errno);
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
        if (!add_entry(f, d, path, a, e)) return false;
    }
}

bool folder_list(struct folder *f, const char *path, struct arena *a, numel_error *e)
{
    *f = (struct folder){ 0 };
    names_init(&f->names, a->memory, sizeof *f->entries);
    DIR *dir = opendir(path);
    if (!dir) return error_errno(e, "cannot list", errno);
    bool ok = read_entries(f, dir, path, a, e);
    closedir(dir);
    if (ok && f->count) qsort(f->entries, f->count, sizeof *f->entries, by_name);
    if (ok && f->other_count) qsort(f->others, f->other_count, sizeof *f->others, by_name);
    ok = ok && names_reserve(&f->names, f->count, e);
    for (size_t i = 0; ok && i < f->count; i++) names_enter(&f->names, f->entries, i);
    if (!ok) folder_done(f);
    return ok;
}

bool folder_look(struct folder *f, const char *path, struct arena *a, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    if (folder_list(f, path, a, &why) || why.code != NUMEL_E_NOMEM) return true;
    a->failed = true;
    return error_nomem(e);
}

void folder_done(struct folder *f)
{
    if (!f->names.memory) return;
    memory_release(f->names.memory, f->entries);
    memory_release(f->names.memory, f->others);
    names_done(&f->names);
    *f = (struct folder){ 0 };
}

struct folder_entry *folder_entry(const struct folder *f, numel_str name)
{
    uint32_t at = names_find(&f->names, f->entries, name);
    return at == NAMES_ABSENT ? NULL : &f->entries[at];
}

bool folder_has(const struct folder *f, numel_str name) { return folder_entry(f, name) != NULL; }

const char *folder_newest(struct arena *a, const char *path)
{
    const char *newest = NULL;
    struct timespec best = { 0, 0 };
    DIR *dir = opendir(path);
    for (struct dirent *d; dir && (d = readdir(dir));) {
        struct stat st;
        char *full = path_join(a, path, text_of(d->d_name));
        if (d->d_name[0] == '.' || !full || stat(full, &st) != 0) continue;
        if (newest && (st.st_mtim.tv_sec < best.tv_sec ||
                       (st.st_mtim.tv_sec == best.tv_sec && st.st_mtim.tv_nsec <= best.tv_nsec)))
            continue;
        newest = full;
        best = st.st_mtim;
    }
    if (dir) closedir(dir);
    return newest;
}

const char *folder_text(struct arena *a, const char *path)
{
    char text[256];
    struct stat st;
    numel_error ignored = { .code = NUMEL_OK };
    int fd = descriptor_open(path, false, &st, &ignored);
    ssize_t n = fd >= 0 ? descriptor_read(fd, text, sizeof text, &ignored) : -1;
    if (fd >= 0) close(fd);
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == ' ' || text[n - 1] == '\r')) n--;
    return n > 0 && !memchr(text, 0, (size_t)n) ? arena_text(a, text, (size_t)n) : NULL;
}

bool path_make_folders(char *path, unsigned mode)
{
    bool ok = true;
    for (char *p = path[0] ? path + 1 : path; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        ok = mkdir(path, mode) == 0 || path_kind(path) == PATH_DIRECTORY;
        *p = '/';
    }
    return ok;
}

/* ---- for programs ------------------------------------------------------------------------- */

numel_kind numel_path_kind(const char *path)
{
    switch (path_kind(path)) {
    case PATH_ABSENT: return NUMEL_KIND_ABSENT;
    case PATH_FILE: return NUMEL_KIND_FILE;
    case PATH_DIRECTORY: return NUMEL_KIND_FOLDER;
    case PATH_OTHER: break;
    }
    return NUMEL_KIND_OTHER;
}
