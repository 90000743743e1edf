/*
 * shim.c -- a machine on which things go wrong, for LD_PRELOAD: another process that shortens the files
 * while they are read, and memory that runs out. run.py runs every command on it.
 *
 *   SHIM_CUT=N      at the N-th time that the program talks to the system about a file in SHIM_ROOT (it
 *                   opens one, maps it, asks for its size, reads, closes), every file there is cut to
 *                   SHIM_LEFT bytes. Between two such calls nothing can tell when another process acts:
 *                   with N going from 1 up, each read of mapped bytes meets a file that has just shrunk.
 *   SHIM_STARVE=N   the N-th piece of memory is not there; libcrypto gets its own in any case, since it
 *                   crashes when it cannot set itself up.
 *   SHIM_LOG=FILE   is made when it has happened: with a larger N nothing would.
 *
 * Nothing here allocates, so that starving does not count itself.
 */
#define _GNU_SOURCE
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

/* ---- files that shrink -------------------------------------------------------------------- */

static long events;

static int cut_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)st, (void)where;
    return kind == FTW_F ? truncate(path, setting("SHIM_LEFT")), 0 : 0;
}

/* Only in the thread that reads: the others have nothing mapped. */
static void event(void)
{
    static int busy;
    const char *root = getenv("SHIM_ROOT");
    if (busy || !root || ++events != setting("SHIM_CUT")) return;
    busy = 1;
    nftw(root, cut_one, 16, FTW_PHYS);
    note();
    busy = 0;
}

static void event_of(int fd)
{
    char link[64], path[4096];
    const char *root = getenv("SHIM_ROOT");
    if (!root || !getenv("SHIM_CUT")) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n > 0 && strncmp(path, root, strlen(root)) == 0 && (size_t)n >= strlen(root)) event();
}

int close(int fd)
{
    event_of(fd);
    return (int)syscall(SYS_close, fd);
}

void *mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    void *p = (void *)syscall(SYS_mmap, at, n, prot, flags, fd, offset);
    if (fd >= 0) event_of(fd);
    return p;
}

int munmap(void *p, size_t n)
{
    if (getenv("SHIM_CUT")) event();
    return (int)syscall(SYS_munmap, p, n);
}

int fstat(int fd, struct stat *st)
{
    static int (*real)(int, struct stat *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "fstat");
    int rc = real(fd, st);
    event_of(fd);
    return rc;
}

ssize_t read(int fd, void *p, size_t n)
{
    event_of(fd);
    return syscall(SYS_read, fd, p, n);
}

/* The guard puts its handler in front of each read of a mapping. */
int sigaction(int number, const struct sigaction *new, struct sigaction *old)
{
    static int (*real)(int, const struct sigaction *, struct sigaction *);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "sigaction");
    if (getenv("SHIM_CUT") && new) event();
    return real(number, new, old);
}

#ifndef SHIM_NO_MEMORY /* the address sanitizer has a malloc() of its own */
/* ---- memory that runs out ----------------------------------------------------------------- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

/* Counted from main() on: before it, the loader and the libraries set themselves up. */
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
