/*
 * stream.c -- reading by offset, and asking the system whether a file is still the one that was opened.
 *
 * The path's file is compared in addition to the open one: a replaced file is complete and unchanged while it
 * is open, but no longer the one the user means.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1 /* SEEK_HOLE */
#endif
#include "source/stream.h"

#include "source/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct file_identity identify(const struct stat *st)
{
    return (struct file_identity){ (uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
                                   st->st_mtim.tv_sec,   st->st_mtim.tv_nsec,  st->st_ctim.tv_sec,
                                   st->st_ctim.tv_nsec };
}

bool identity_of(const char *path, struct file_identity *out)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    *out = identify(&st);
    return true;
}

bool identity_same(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
           a->written == b->written && a->written_ns == b->written_ns && a->changed == b->changed &&
           a->changed_ns == b->changed_ns;
}

bool stream_open(struct stream *s, const char *path, numel_error *e)
{
    struct stat st;
    *s = (struct stream){ .descriptor = descriptor_open(path, false, &st, e), .path = path };
    error_file(e, path);
    if (s->descriptor < 0) return false;
    s->was = identify(&st);
#ifdef POSIX_FADV_SEQUENTIAL
    (void)posix_fadvise(s->descriptor, 0, 0, POSIX_FADV_SEQUENTIAL); /* doubles readahead */
#endif
    return true;
}

void stream_scattered(struct stream *s)
{
#ifdef POSIX_FADV_RANDOM
    (void)posix_fadvise(s->descriptor, 0, 0, POSIX_FADV_RANDOM);
#else
    (void)s;
#endif
}

bool stream_hole(const struct stream *s, uint64_t from, uint64_t to, uint64_t *begin, uint64_t *end)
{
#ifdef SEEK_HOLE
    off_t hole = lseek(s->descriptor, (off_t)from, SEEK_HOLE);
    if (hole < 0 || hole >= (off_t)to) return false;
    off_t data = lseek(s->descriptor, hole, SEEK_DATA);
    *begin = (uint64_t)hole;
    *end = data < 0 ? to : (uint64_t)data;
    return true;
#else
    (void)s, (void)from, (void)to, (void)begin, (void)end;
    return false;
#endif
}

bool stream_read(struct stream *s, uint64_t offset, void *p, size_t n, numel_error *e)
{
    for (size_t had = 0; had < n;) {
        ssize_t got = pread(s->descriptor, (char *)p + had, n - had, (off_t)(offset + had));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) error_errno(e, "cannot read", errno);
        if (got == 0)
            error_set(e, NUMEL_E_CHANGED, offset + had,
                      "the file shrank while it was read: it ends at %" PRIu64 ", it had %" PRIu64
                      " bytes when reading began",
                      offset + had, s->was.bytes);
        if (got <= 0) {
            error_file(e, s->path);
            return false;
        }
        had += (size_t)got;
    }
    return true;
}

/* How the file has changed; NULL if it has not. */
static const char *what_changed(const struct file_identity *was, const struct file_identity *is)
{
    if (is->bytes != was->bytes) return "its size changed";
    if (is->device != was->device || is->inode != was->inode) return "another file took its name";
    return identity_same(was, is) ? NULL : "it was written to";
}

NUMEL_MUST static bool compare(const struct stream *s, const struct file_identity *is, numel_error *e)
{
    const char *what = what_changed(&s->was, is);
    if (!what) return true;
    return error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE,
                     "the file changed while it was read: %s (%" PRIu64 " bytes before, %" PRIu64
                     " after); let the writer finish, then run this again",
                     what, s->was.bytes, is->bytes);
}

/* The path is checked first: removing a name also changes its file's ctime. */
NUMEL_MUST static bool compare_again(const struct stream *s, numel_error *e)
{
    struct stat st;
    struct file_identity named;
    if (!identity_of(s->path, &named))
        return error_set(e, NUMEL_E_CHANGED, NUMEL_NOWHERE, "the file was removed while it was read");
    if (!compare(s, &named, e)) return false;
    if (fstat(s->descriptor, &st) != 0) return error_errno(e, "cannot read", errno);
    named = identify(&st);
    return compare(s, &named, e);
}

bool stream_close(struct stream *s, numel_error *e)
{
    if (s->descriptor < 0) return error_free(e);
    bool same = error_free(e) && compare_again(s, e);
    close(s->descriptor);
    s->descriptor = -1;
    error_file(e, s->path);
    return same;
}
