/* pipe.c -- see pipe.h. */
#include "source/pipe.h"

#include "base/num.h"
#include "source/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_ROOM = 64 << 10, PATIENCE = 250 /* ms, for a writer that is about to open a FIFO */ };

NUMEL_MUST static bool open_standard(struct pipe *p, bool *is, numel_error *e)
{
    struct stat st;
    int descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0 || fstat(descriptor, &st) != 0) {
        error_errno(e, "cannot read standard input", errno);
        if (descriptor >= 0) close(descriptor);
        return false;
    }
    *is = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
    if (*is) p->descriptor = descriptor;
    else close(descriptor);
    return *is || S_ISREG(st.st_mode) ||
           error_set(e, NUMEL_E_IO, NUMEL_NOWHERE,
                     "standard input is %s: pipe a file into it, as in 'cat model.safetensors | numel -'",
                     S_ISDIR(st.st_mode) ? "a directory" : "a terminal or another device");
}

bool pipe_open(struct pipe *p, const char *path, bool *is, const numel_allocator *m, numel_error *e)
{
    struct stat st;
    *p = (struct pipe){ .memory = m, .descriptor = -1, .standard = strcmp(path, "-") == 0 };
    *is = false;
    if (p->standard) return open_standard(p, is, e);
    if (stat(path, &st) != 0 || !S_ISFIFO(st.st_mode)) return true;
    p->descriptor = descriptor_open(path, true, &st, e);
    *is = p->descriptor >= 0;
    return *is;
}

static bool is_ready(const struct pipe *p, int patience)
{
    struct pollfd f = { .fd = p->descriptor, .events = POLLIN };
    return poll(&f, 1, patience) > 0;
}

NUMEL_MUST static bool make_room(struct pipe *p, uint64_t most, numel_error *e)
{
    uint64_t room = num_max(num_min(2 * p->n, most), p->n + FIRST_ROOM);
    if (p->n < p->room) return true;
    void *more = memory_resize(p->memory, p->p, (size_t)room);
    if (!more) return error_nomem(e);
    p->p = more;
    p->room = room;
    return true;
}

/* Handles an end before any byte: a FIFO's writer may not have opened it yet. */
NUMEL_MUST static bool is_silent(struct pipe *p, bool *waited, numel_error *e)
{
    if (!p->standard && !*waited) {
        *waited = true;
        (void)is_ready(p, PATIENCE); /* the next read reports any failure */
        return true;
    }
    p->ended = true;
    if (p->standard) return error_set(e, NUMEL_E_TRUNCATED, 0, "standard input ended before its first byte");
    return descriptor_silent(e);
}

bool pipe_fill(struct pipe *p, uint64_t least, uint64_t most, numel_error *e)
{
    bool waited = false;
    while (!p->ended && p->n < most && (p->n < least || is_ready(p, 0))) {
        if (!make_room(p, most, e)) return false;
        ssize_t got =
            descriptor_read(p->descriptor, p->p + p->n, (size_t)num_min(p->room, most) - (size_t)p->n, e);
        if (got < 0) return false;
        if (got == 0 && p->n == 0 && !is_silent(p, &waited, e)) return false;
        if (got == 0 && p->n) p->ended = true;
        p->n += (uint64_t)got;
    }
    return true;
}

void pipe_close(struct pipe *p)
{
    if (p->descriptor >= 0) close(p->descriptor);
    memory_release(p->memory, p->p);
    *p = (struct pipe){ .memory = p->memory, .descriptor = -1 };
}
