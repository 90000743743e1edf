/*
 * target.c -- writing below one folder, by descriptors: each folder on the way is opened from its parent
 * without following links; a file is made under a temporary name and renamed when it is complete.
 */
#include "source/target.h"

#include "base/text.h"
#include "source/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void target_init(struct target *t, const char *dir, bool overwrite, const numel_allocator *m)
{
    *t = (struct target){ .dir = dir, .overwrite = overwrite, .descriptor = -1 };
    arena_init(&t->arena, m);
}

void target_done(struct target *t)
{
    if (t->descriptor >= 0) close(t->descriptor);
    memory_release(t->arena.memory, t->files);
    arena_done(&t->arena);
    t->descriptor = -1;
}

bool target_has(const struct target *t, numel_str name)
{
    for (size_t i = 0; i < t->count; i++)
        if (text_same(t->files[i].name, name)) return true;
    return false;
}

NUMEL_MUST static bool remember(struct target *t, numel_str name, numel_error *e)
{
    numel_str own = { arena_text(&t->arena, name.p, name.n), name.n };
    if (!own.p) return error_nomem(e);
    if (!memory_grow(t->arena.memory, &t->files, &t->cap, t->count + 1, sizeof *t->files, e)) return false;
    t->files[t->count++] = (struct target_file){ own };
    return true;
}

/* ---- folders ------------------------------------------------------------------------------ */

/* Makes the directory and its parents, as mkdir -p; follows links in the user's own path. */
NUMEL_MUST static bool open_dir(struct target *t, numel_error *e)
{
    if (t->descriptor >= 0) return true;
    char *path = arena_text(&t->arena, t->dir, strlen(t->dir));
    if (!path) return error_nomem(e);
    (void)path_make_folders(path, 0755); /* the next call reports a failure */
    if (mkdir(path, 0755) != 0 && errno != EEXIST) return error_errno(e, "cannot create", errno);
    t->descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return t->descriptor >= 0 || error_errno(e, "cannot write into", errno);
}

/* Opens the folder `name` of `at`, and closes `at`; makes it if missing; -1 if it is a link. */
static int step(int at, const char *name, numel_error *e)
{
    int next = -1;
    if (mkdirat(at, name, 0755) != 0 && errno != EEXIST) error_errno(e, "cannot create its folder", errno);
    else if ((next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
        error_errno(e, "its folder is a link, or cannot be opened", errno);
    close(at);
    return next;
}

/* Opens the folders down to a file's, one by one, and sets *base to the rest of its name. */
static int open_folder(struct target *t, char *name, const char **base, numel_error *e)
{
    int at = fcntl(t->descriptor, F_DUPFD_CLOEXEC, 3);
    if (at < 0) error_errno(e, "cannot write into its folder", errno);
    for (char *end; at >= 0 && (end = strchr(name, '/')); name = end + 1) {
        *end = 0;
        if (strcmp(name, "..") == 0) {
            error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "its name leads out of the folder");
            close(at);
            return -1;
        }
        if (name[0] && strcmp(name, ".") != 0) at = step(at, name, e);
    }
    *base = name;
    return at;
}

/* ---- a file ------------------------------------------------------------------------------- */

struct putting {
    int at; /* the folder */
    const char *name;
    char *part; /* its name until it is complete */
    bool overwrite;
    numel_error *error;
};

static bool there(const struct putting *g)
{
    struct stat st;
    return fstatat(g->at, g->name, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

NUMEL_MUST static bool tell_there(struct putting *g)
{
    return error_set(g->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "exists already, and is not overwritten (behead --force does)");
}

NUMEL_MUST static bool write_all(int fd, const char *p, size_t n, numel_error *e)
{
    while (n) {
        ssize_t wrote = write(fd, p, n);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return error_errno(e, "cannot write", errno);
        p += wrote;
        n -= (size_t)wrote;
    }
    return true;
}

/* Makes a new file with an unused name: NAME.part, NAME.part1, ... */
static int create_part(struct putting *g, struct arena *a)
{
    enum { TRIES = 100 };
    int fd = -1;
    for (unsigned i = 0; i < TRIES && fd < 0; i++) {
        char number[TEXT_NUMBER] = "";
        if (i) text_format(number, sizeof number, "%u", i);
        g->part = arena_format(a, "%s.part%s", g->name, number);
        if (!g->part) return error_nomem(g->error), -1;
        fd = openat(g->at, g->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) error_errno(g->error, "cannot create", errno);
    return fd;
}

/* Names the complete file. link() fails if the name exists, rename() replaces it; file systems without links
 * get the next best. */
NUMEL_MUST static bool settle(struct putting *g)
{
    if (!g->overwrite) {
        if (linkat(g->at, g->part, g->at, g->name, 0) == 0) return unlinkat(g->at, g->part, 0), true;
        if (errno == EEXIST || there(g)) return tell_there(g);
    }
    return renameat(g->at, g->part, g->at, g->name) == 0 || error_errno(g->error, "cannot rename", errno);
}

NUMEL_MUST static bool put_file(struct putting *g, struct arena *a, const void *p, size_t n)
{
    if (!g->overwrite && there(g)) return tell_there(g);
    int fd = create_part(g, a);
    if (fd < 0) return false;
    bool ok = write_all(fd, p, n, g->error);
    if (close(fd) != 0 && ok) ok = error_errno(g->error, "cannot write", errno);
    ok = ok && settle(g);
    if (!ok) unlinkat(g->at, g->part, 0);
    return ok;
}

bool target_put(struct target *t, numel_str name, const void *p, size_t n, numel_error *e)
{
    struct putting g = { .at = -1, .overwrite = t->overwrite, .error = e };
    char *own = arena_text(&t->arena, name.p, name.n), *path = path_join(&t->arena, t->dir, name);
    bool ok = own && path ? open_dir(t, e) : error_nomem(e);
    if (ok && target_has(t, name))
        ok = error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "was just written for another file of the same name");
    if (ok) g.at = open_folder(t, own, &g.name, e);
    ok = ok && g.at >= 0 && put_file(&g, &t->arena, p, n) && remember(t, name, e);
    if (g.at >= 0) close(g.at);
    if (path) error_file(e, path);
    return ok;
}

/* ---- one file, at the user's path --------------------------------------------------------- */

enum { FRONT = 4096 };

/* Replaces only files of the same kind: a slip on the command line must not cost a model. */
NUMEL_MUST static bool may_replace(const char *path, target_ours_fn *ours, numel_error *e)
{
    char front[FRONT];
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return error_errno(e, "cannot tell whether it may be replaced", errno);
    ssize_t n = read(fd, front, sizeof front);
    int why = errno;
    close(fd);
    if (n < 0) return error_errno(e, "cannot tell whether it may be replaced", why);
    return n == 0 || ours(front, (size_t)n) ||
           error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                     "exists and is not a file of that kind: not overwritten");
}

/* O_NONBLOCK is only for opening: a pipe without a reader is an error, a slow reader is waited for. */
NUMEL_MUST static bool write_through(const char *path, const void *p, size_t n, numel_error *e)
{
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return error_errno(e, "cannot write", errno);
    int flags = fcntl(fd, F_GETFL);
    bool ok =
        (flags >= 0 && fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) == 0) || error_errno(e, "cannot write", errno);
    ok = ok && write_all(fd, p, n, e);
    if (close(fd) != 0 && ok) ok = error_errno(e, "cannot write", errno);
    return ok;
}

NUMEL_MUST static bool save_whole(const char *path, const void *p, size_t n, const numel_allocator *m,
                                  numel_error *e)
{
    struct arena a;
    struct target t;
    arena_init(&a, m);
    const char *real = path_real(&a, path), *to = real ? real : path;
    /* Without memory for the real name, a file would replace a link. */
    const char *dir = !real && access(path, F_OK) == 0 ? NULL : path_directory(&a, to);
    bool ok = dir ? path_kind(dir) == PATH_DIRECTORY ||
                        error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write: its folder does not exist")
                  : error_nomem(e);
    target_init(&t, dir ? dir : "", true, m);
    ok = ok && target_put(&t, path_base(to), p, n, e);
    target_done(&t);
    arena_done(&a);
    return ok;
}

/* Is it a pipe or a device, which is written to rather than replaced? */
static bool is_stream(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode));
}

bool target_check(const char *path, target_ours_fn *ours, numel_error *e)
{
    struct stat st;
    bool there = stat(path, &st) == 0, ok = true;
    if (!path[0] || path[strlen(path) - 1] == '/' || (there && S_ISDIR(st.st_mode)))
        ok = error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write: it is a folder");
    else if (there && !S_ISREG(st.st_mode) && !is_stream(path))
        ok = error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot write: it is not a file");
    else if (there && S_ISREG(st.st_mode) && st.st_size) ok = may_replace(path, ours, e);
    error_file(e, path);
    return ok;
}

bool target_save(const char *path, target_ours_fn *ours, const void *p, size_t n, const numel_allocator *m,
                 numel_error *e)
{
    if (!target_check(path, ours, e)) return false;
    bool ok = is_stream(path) ? write_through(path, p, n, e) : save_whole(path, p, n, m, e);
    error_file(e, path);
    return ok;
}
