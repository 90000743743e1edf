/*
 * stream.h -- a file read by offset, as it was when it was opened.
 *
 * A result computed from a file that changed meanwhile is worthless: a stream remembers the file's
 * identity (device, inode, size, times of its last write and change), a short read is CHANGED, and
 * stream_close() compares again, the open file and what the path now names. Nothing is mapped: a truncated
 * file raises no signal, and only the caller's buffer is in memory.
 */
#ifndef NUMEL_SOURCE_STREAM_H
#define NUMEL_SOURCE_STREAM_H

#include "base/error.h"
#include "base/num.h"

struct file_identity {
    uint64_t device, inode, bytes;
    int64_t written, written_ns; /* mtime */
    int64_t changed, changed_ns; /* ctime: changes even if mtime is set back */
};

struct stream {
    int descriptor;   /* -1: none */
    const char *path; /* borrowed */
    struct file_identity was;
};

/* Blocks of this size stay in a core's cache while they are digested: the copy is nearly free. */
enum { STREAM_BLOCK = 256 << 10 };

/* Opens only for reading; advises the system that it is read from front to back. IO. */
NUMEL_MUST bool stream_open(struct stream *s, const char *path, numel_error *e);
/* Tells the system that scattered single pages will be read: no readahead. */
void stream_scattered(struct stream *s);
/* The first hole at or after `from`: bytes never written, according to the file system. Its end is *end, or
 * `to` if no data follows. False if there is none before `to`, or if that is unknown. */
bool stream_hole(const struct stream *s, uint64_t from, uint64_t to, uint64_t *begin, uint64_t *end);
/* Reads exactly n bytes from `offset`. CHANGED if the file ends before, IO. */
NUMEL_MUST bool stream_read(struct stream *s, uint64_t offset, void *p, size_t n, numel_error *e);
/* Closes the stream. False with CHANGED if the file has changed, or with the error that *e already has. */
NUMEL_MUST bool stream_close(struct stream *s, numel_error *e);

bool identity_of(const char *path, struct file_identity *out); /* symlinks followed */
bool identity_same(const struct file_identity *a, const struct file_identity *b);

#endif
