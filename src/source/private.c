/* private.c -- makes, locks and removes the folder; private.h has the contract. */
#include "source/private.h"

#include "base/error.h"
#include "base/num.h"
#include "source/source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    DEEP = 64,       /* folders in each other */
    PROMISED = 0400, /* the mode of a file without content */
    PARTIAL = 0500,  /* of one that has only pieces of its content */
    FRESH = 60,      /* seconds in which a new folder may not be locked yet */
    RANDOM = 6       /* characters behind TEXT_PRIVATE */
};

/* Removes everything in the folder `at`, which is closed. Links are removed, not followed. */
static void empty(int at, unsigned deep)
{
    DIR *dir = fdopendir(at);
    if (!dir) {
        close(at);
        return;
    }
    for (struct dirent *d; (d = readdir(dir));) {
        if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0) continue;
        if (unlinkat(at, d->d_name, 0) == 0) continue;
        int below = openat(at, d->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (below >= 0 && deep < DEEP) empty(below, deep + 1);
        else if (below >= 0) close(below);
        (void)unlinkat(at, d->d_name, AT_REMOVEDIR); /* what cannot be removed stays */
    }
    closedir(dir);
}

/* Opens and locks a folder of ours; -1 if it is in use, or another user's. */
static int seize(const char *path)
{
    struct stat st;
    int at = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (at < 0) return -1;
    if (fstat(at, &st) == 0 && st.st_uid == geteuid() && flock(at, LOCK_EX | LOCK_NB) == 0) return at;
    close(at);
    return -1;
}

static bool is_fresh(int at)
{
    struct stat st;
    return fstat(at, &st) != 0 || st.st_mtime > time(NULL) - FRESH;
}

/* *fresh: it is not renamed yet, so that its lock says nothing. */
static bool is_private(numel_str name, bool *fresh)
{
    numel_str start = text_upto(name, strlen(TEXT_PRIVATE));
    *fresh = text_last(start) == '-';
    return name.n == strlen(TEXT_PRIVATE) + RANDOM && (*fresh || text_last(start) == '.') &&
           text_starts(start, "numel-remote");
}

void private_sweep(const char *base)
{
    DIR *tmp = opendir(base);
    for (struct dirent *d; tmp && (d = readdir(tmp));) {
        char path[PRIVATE_PATH];
        bool fresh;
        if (!is_private(text_of(d->d_name), &fresh)) continue;
        text_format(path, sizeof path, "%s/%s", base, d->d_name);
        int at = seize(path);
        if (at < 0) continue;
        if (fresh && is_fresh(at)) {
            close(at);
            continue;
        }
        empty(at, 0);
        (void)rmdir(path);
    }
    if (tmp) closedir(tmp);
}

const char *private_base(const char *set)
{
    enum { REST = 64 }; /* a slash and the folder's name */
    return set && set[0] == '/' && strlen(set) < PRIVATE_PATH - REST ? set : "/tmp";
}

bool private_open(struct private_folder *p, const char *base, numel_error *e)
{
    char fresh[PRIVATE_PATH];
    p->path[0] = 0;
    p->descriptor = -1;
    private_sweep(base);
    text_format(fresh, sizeof fresh, "%s/numel-remote-XXXXXX", base);
    if (!mkdtemp(fresh)) return error_errno(e, "cannot create a folder below TMPDIR, or /tmp", errno);
    text_format(p->path, sizeof p->path, "%s/" TEXT_PRIVATE "%s", base, fresh + strlen(fresh) - RANDOM);
    p->descriptor = seize(fresh);
    if (p->descriptor >= 0 && rename(fresh, p->path) == 0) return true;
    (void)rmdir(fresh);
    p->path[0] = 0;
    return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "cannot use a new folder below %s", base);
}

void private_close(struct private_folder *p)
{
    if (!p->path[0]) return;
    if (p->descriptor >= 0) empty(p->descriptor, 0);
    (void)rmdir(p->path);
    p->path[0] = 0;
}

void private_promise(const char *path, uint64_t bytes)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PROMISED);
    if (file < 0) return;
    if (bytes <= INT64_MAX) (void)!ftruncate(file, (off_t)bytes);
    close(file);
}

NUMEL_MUST static bool put_at(int file, const struct source_piece *x, numel_error *e)
{
    for (uint64_t done = 0; done < x->n;) {
        ssize_t n = pwrite(file, x->p + done, (size_t)num_left(x->n, done), (off_t)(x->at + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return error_errno(e, "cannot write the copy of a remote file", n ? errno : ENOSPC);
        done += (uint64_t)n;
    }
    return true;
}

bool private_sparse(const char *path, uint64_t bytes, const struct source_piece *pieces, size_t n,
                    numel_error *e)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, PARTIAL);
    if (file < 0) return error_errno(e, "cannot create the copy of a remote file", errno);
    bool ok = bytes <= INT64_MAX && ftruncate(file, (off_t)bytes) == 0;
    if (!ok)
        error_errno(e, "cannot give the copy of a remote file its size", bytes <= INT64_MAX ? errno : EFBIG);
    for (size_t i = 0; ok && i < n; i++) ok = put_at(file, &pieces[i], e);
    close(file);
    return ok;
}

/* Is it a file of ours, with that mode? */
static bool has_mode(const char *path, const struct stat *st, mode_t mode)
{
    return S_ISREG(st->st_mode) && (st->st_mode & 0777) == mode && path_shown(path) != path;
}

bool private_promised(const char *path, const struct stat *st) { return has_mode(path, st, PROMISED); }
bool private_partial(const char *path, const struct stat *st) { return has_mode(path, st, PARTIAL); }
