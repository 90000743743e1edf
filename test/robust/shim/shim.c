/*
 * shim.c -- simulates a failing machine, for LD_PRELOAD: files changed by another process during reading,
 * a failing disk, and memory that runs out. run.py runs every command on it.
 *
 *   SHIM_CUT=N      at the program's N-th system call about a file in SHIM_ROOT (open, map, ask for its size, list
 *                   a folder, read, close), all files there change. Nothing between two such calls shows when
 *                   another process acts: with N from 1 up, every read of mapped bytes finds a file that has
 *                   just changed.
 *   SHIM_DO=WHAT    the change: "cut" to SHIM_LEFT bytes, the default; "grow": zeros are appended; "replace":
 *                   another file, half as large, takes its name; "vanish": it is removed.
 *   SHIM_SHORT=N    each read of such a file returns at most N bytes.
 *   SHIM_INTR=N     every N-th read is interrupted before it reads anything (EINTR).
 *   SHIM_EIO=N      the N-th read fails, and so do all later ones: the disk is broken.
 *   SHIM_NOMAP=N    the N-th mapping of such a file fails for lack of memory (ENOMEM).
 *   SHIM_STARVE=N   the N-th allocation fails; libcrypto's own never do, since it crashes if it cannot
 *                   initialise itself.
 *   SHIM_UNLOADABLE=1  no library can be loaded while the program runs, as if it were not installed.
 *   SHIM_LOG=FILE   is created when the fault has occurred: with a larger N none would.
 *
 * The program calls the names that end in 64, for large files. Nothing here allocates, so that starving
 * does not count its own allocations.
 */
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static long setting(const char *name)
{
    const char *v = getenv(name);
    return v ? strtol(v, NULL, 10) : 0;
}

static void note(void)
{
    const char *log = getenv("SHIM_LOG");
    long fd = log ? syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT, 0600) : -1;
    if (fd >= 0) syscall(SYS_close, fd);
}

/* ---- files that change ---------------------------------------------------------------------- */

static long events;

static int change_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    const char *what = getenv("SHIM_DO");
    char other[4200];
    (void)where;
    if (kind != FTW_F) return 0;
    if (!what || !strcmp(what, "cut")) return truncate(path, setting("SHIM_LEFT")), 0;
    if (!strcmp(what, "grow")) return truncate(path, st->st_size + 4096), 0;
    if (!strcmp(what, "vanish")) return unlink(path), 0;
    snprintf(other, sizeof other, "%s.new", path);
    long fd = syscall(SYS_openat, AT_FDCWD, other, O_WRONLY | O_CREAT, 0600);
    if (fd < 0) return 0;
    if (ftruncate((int)fd, st->st_size / 2) == 0) rename(other, path);
    syscall(SYS_close, fd);
    return 0;
}

/* Only in the thread that reads: the others have no mappings. */
static void event(void)
{
    static int busy;
    const char *root = getenv("SHIM_ROOT");
    if (busy || !root || ++events != setting("SHIM_CUT")) return;
    busy = 1;
    nftw(root, change_one, 16, FTW_PHYS);
    note();
    busy = 0;
}

static int is_ours(int fd)
{
    char link[64], path[4096];
    const char *root = getenv("SHIM_ROOT");
    if (!root) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    return n > 0 && (size_t)n >= strlen(root) && strncmp(path, root, strlen(root)) == 0;
}

static void event_of(int fd)
{
    if (getenv("SHIM_CUT") && is_ours(fd)) event();
}

int close(int fd)
{
    event_of(fd);
    return (int)syscall(SYS_close, fd);
}

static int open_at(int dir, const char *path, int flags, mode_t mode)
{
    long fd = syscall(SYS_openat, dir, path, flags, mode);
    if (fd >= 0) event_of((int)fd);
    return (int)fd;
}

int openat64(int dir, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;
    va_end(args);
    return open_at(dir, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;
    va_end(args);
    return open_at(AT_FDCWD, path, flags, mode);
}

void *mmap64(void *at, size_t n, int prot, int flags, int fd, off64_t offset)
{
    static long maps;
    if (fd >= 0 && getenv("SHIM_NOMAP") && is_ours(fd) && ++maps == setting("SHIM_NOMAP")) {
        note();
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *p = (void *)syscall(SYS_mmap, at, n, prot, flags, fd, offset);
    if (fd >= 0) event_of(fd);
    return p;
}

int munmap(void *p, size_t n)
{
    if (getenv("SHIM_CUT")) event();
    return (int)syscall(SYS_munmap, p, n);
}

int fstat64(int fd, struct stat64 *st)
{
    static int (*real)(int, struct stat64 *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fstat64");
    int rc = real(fd, st);
    event_of(fd);
    return rc;
}

/* A folder entry is known, but its file is not open yet. */
struct dirent64 *readdir64(DIR *dir)
{
    static struct dirent64 *(*real)(DIR *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "readdir64");
    struct dirent64 *entry = real(dir);
    event_of(dirfd(dir));
    return entry;
}

/* The number of bytes that may be read, perhaps fewer; -1, with errno set, if the disk fails. */
static ssize_t let(int fd, size_t n)
{
    static long reads;
    event_of(fd);
    if (!is_ours(fd)) return (ssize_t)n;
    long now = ++reads, most = setting("SHIM_SHORT"), broken = setting("SHIM_EIO"),
         every = setting("SHIM_INTR");
    if ((broken && now >= broken) || (every && now % every == 0)) {
        note();
        errno = every ? EINTR : EIO;
        return -1;
    }
    if (most) note();
    return most && n > (size_t)most ? most : (ssize_t)n;
}

ssize_t read(int fd, void *p, size_t n)
{
    ssize_t most = let(fd, n);
    return most < 0 ? -1 : syscall(SYS_read, fd, p, (size_t)most);
}

ssize_t pread64(int fd, void *p, size_t n, off64_t offset)
{
    ssize_t most = let(fd, n);
    return most < 0 ? -1 : syscall(SYS_pread64, fd, p, (size_t)most, offset);
}

/* The guard installs its handler before each read of a mapping. */
int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
    if (getenv("SHIM_CUT") && new) event();
    return real(number, new, old);
}

/* ---- missing libraries -------------------------------------------------------------------- */

void *dlopen(const char *name, int flags)
{
    static void *(*real)(const char *, int);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    if (!getenv("SHIM_UNLOADABLE")) return real(name, flags);
    note();
    return NULL;
}

#ifndef SHIM_NO_MEMORY /* the address sanitizer has a malloc() of its own */
/* ---- memory that runs out ----------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

/* Counts from main() on: before it, the loader and the libraries initialise themselves. */
static int running;
static long pieces;

static int starved(void *caller)
{
    Dl_info from;
    static long wanted = -1;
    if (!running) return 0;
    if (wanted < 0) wanted = setting("SHIM_STARVE");
    if (__atomic_add_fetch(&pieces, 1, __ATOMIC_RELAXED) != wanted) return 0;
    note();
    errno = ENOMEM;
    return !(dladdr(caller, &from) && from.dli_fname && strstr(from.dli_fname, "libcrypto"));
}

#define STARVED starved(__builtin_return_address(0))

void *malloc(size_t n) { return STARVED ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t each) { return STARVED ? NULL : __libc_calloc(n, each); }
void *realloc(void *old, size_t n) { return STARVED ? NULL : __libc_realloc(old, n); }

__attribute__((constructor)) static void begin(void) { running = getenv("SHIM_STARVE") != NULL; }
#endif
