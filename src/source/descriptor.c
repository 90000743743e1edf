/*
 * descriptor.c -- opening for reading; descriptor.h has the contract.
 *
 * The path's kind is checked before opening, because opening a device may already be too much, and again on
 * the descriptor, so that it cannot change in between. O_NONBLOCK keeps a FIFO without a writer from
 * blocking; the first read finds its end if it has none. A writer that waits for a reader is present by then.
 */
#include "source/descriptor.h"

#include "source/private.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static const char *kind_of(mode_t mode, bool pipe)
{
    if (S_ISREG(mode) || (pipe && S_ISFIFO(mode))) return NULL;
    return S_ISDIR(mode)    ? "a directory, not a file"
           : S_ISFIFO(mode) ? "a FIFO, not a file"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISCHR(mode)  ? "a character device"
           : S_ISBLK(mode)  ? "a block device"
                            : "not a file";
}

NUMEL_MUST static bool is_read(const struct stat *st, bool pipe, numel_error *e)
{
    const char *kind = kind_of(st->st_mode, pipe);
    return !kind || error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "is %s", kind);
}

/* Sets the error for a path that does not exist, which may be a URL. Returns -1. */
NUMEL_MUST static int absent(const char *path, int number, numel_error *e)
{
    const char *scheme = strstr(path, "://");
    if (!scheme || scheme == path || scheme > path + 8) return error_errno(e, "cannot open", number), -1;
    error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "is a URL: numel reads files on this disk; download it first");
    return -1;
}

int descriptor_open(const char *path, bool pipe, struct stat *st, numel_error *e)
{
    if (stat(path, st) != 0) return absent(path, errno, e);
    if (!is_read(st, pipe, e)) return -1;
    if (private_promised(path, st))
        return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "is on another machine, and was not read"), -1;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return error_errno(e, "cannot open", errno), -1;
    if (fstat(descriptor, st) != 0) error_errno(e, "cannot read", errno);
    else if (is_read(st, pipe, e)) return descriptor;
    close(descriptor);
    return -1;
}

/* Waits only after a pipe's EAGAIN, not for system files that block until there is news (/proc/kmsg). */
static bool wait_for(int descriptor)
{
    struct stat st;
    struct pollfd p = { .fd = descriptor, .events = POLLIN };
    if (fstat(descriptor, &st) != 0 || !S_ISFIFO(st.st_mode)) return false;
    (void)poll(&p, 1, -1); /* the next read reports any failure */
    return true;
}

ssize_t descriptor_read(int descriptor, void *p, size_t n, numel_error *e)
{
    for (;;) {
        ssize_t got = read(descriptor, p, n);
        if (got >= 0) return got;
        if (errno == EINTR) continue;
        if (errno != EAGAIN || !wait_for(descriptor)) return error_errno(e, "cannot read", errno), -1;
    }
}

bool descriptor_silent(numel_error *e)
{
    return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "is a pipe without a writer");
}
