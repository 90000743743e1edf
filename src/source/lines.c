/* lines.c -- a buffer that is refilled after its unread rest. A line is returned as soon as its end is read. */
#include "source/lines.h"

#include "base/text.h"
#include "source/descriptor.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 << 10 };

bool lines_open(struct lines *l, const char *path, bool zero, const numel_allocator *m, numel_error *e)
{
    struct stat st;
    bool input = strcmp(path, "-") == 0;
    *l = (struct lines){ .end = zero ? '\0' : '\n' };
    buffer_init(&l->text, m);
    l->descriptor = input ? STDIN_FILENO : descriptor_open(path, true, &st, e);
    l->pipe = !input && l->descriptor >= 0 && S_ISFIFO(st.st_mode);
    error_file(e, path);
    return l->descriptor >= 0;
}

void lines_close(struct lines *l)
{
    if (l->descriptor > STDIN_FILENO) close(l->descriptor);
    l->descriptor = -1;
    buffer_done(&l->text);
}

/* Reads more after the unread rest. */
NUMEL_MUST static bool bring(struct lines *l, numel_error *e)
{
    struct buffer *b = &l->text;
    size_t left = text_from(buffer_view(b), l->at).n;
    if (left > LINES_LONGEST)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "a line of more than %d bytes", LINES_LONGEST);
    buffer_drop_start(b, l->at);
    l->at = 0;
    buffer_fill(b, '\0', PIECE); /* room, also for a NUL */
    if (b->failed) return error_nomem(e);
    ssize_t got = descriptor_read(l->descriptor, b->p + left, PIECE - 1, e);
    b->n = left + (got > 0 ? (size_t)got : 0);
    l->ended = got <= 0;
    if (got == 0 && l->pipe) return descriptor_silent(e);
    l->pipe = false;
    return got >= 0;
}

bool lines_next(struct lines *l, const char **line, numel_error *e)
{
    size_t looked = 0;
    *line = NULL;
    for (;;) {
        struct buffer *b = &l->text;
        char *from = b->p ? b->p + l->at : NULL, *end = NULL;
        size_t left = text_from(buffer_view(b), l->at).n;
        if (from && left > looked) end = memchr(from + looked, l->end, left - looked);
        if (!end && !l->ended) {
            looked = left;
            if (!bring(l, e)) return false;
            continue;
        }
        if (!end && (!from || !left)) return true;
        l->whole = end != NULL;
        if (!end) end = from + left; /* bring() left room */
        *end = '\0';
        *line = from;
        l->at += (size_t)(end - from) + l->whole;
        if (l->whole) l->ends_at += (size_t)(end - from) + 1;
        return true;
    }
}

bool lines_absent(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) != 0 && errno == ENOENT;
}

bool lines_mend(const struct lines *l, const char *path, numel_error *e)
{
    struct stat in, out;
    if (l->whole || !l->ended || stat(path, &in) != 0 || fstat(STDOUT_FILENO, &out) != 0) return true;
    if (in.st_dev != out.st_dev || in.st_ino != out.st_ino || !S_ISREG(out.st_mode)) return true;
    if (ftruncate(STDOUT_FILENO, (off_t)l->ends_at) == 0) return true;
    return error_errno(e, "cannot remove its incomplete last line", errno);
}
