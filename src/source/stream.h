/*
 * stream.h -- a file read for its bytes, by offset, as it was when it was opened.
 *
 * A result that was computed of a file which changed meanwhile is not a result: a stream remembers who
 * the file was (device, inode, size, times of its last write and change), a read that comes out
 * short is CHANGED, and stream_close() compares again, the open file and what the path now names.
 * Nothing is mapped: a file that is cut short raises no signal, and what is in memory is the
 * caller's buffer.
 */
#ifndef NUMEL_SOURCE_STREAM_H
#define NUMEL_SOURCE_STREAM_H

#include "base/error.h"
#include "base/num.h"

struct file_identity {
    uint64_t device, inode, bytes;
    int64_t written, written_ns; /* mtime */
    int64_t changed, changed_ns; /* ctime: moves even when somebody puts mtime back */
};

struct stream {
    int descriptor;   /* -1: none */
    const char *path; /* borrowed */
    struct file_identity was;
};

/* Blocks of this size stay in a core's cache while they are digested: the copy is nearly free. */
enum { STREAM_BLOCK = 256 << 10 };

/* For reading only; the system is advised that it is read from front to back. IO. */
NUMEL_MUST bool stream_open(struct stream *s, const char *path, numel_error *e);
/* Tells the system that single pages will be read, here and there: no readahead. */
void stream_scattered(struct stream *s);
/* The first hole at or behind `from`: bytes that were never written, says the file system. Its end is *end,
 * or `to` where no data follows. False when there is none before `to`, or nobody knows. */
bool stream_hole(const struct stream *s, uint64_t from, uint64_t to, uint64_t *begin, uint64_t *end);
/* Exactly n bytes from `offset`. CHANGED when the file ends before, IO. */
NUMEL_MUST bool stream_read(struct stream *s, uint64_t offset, void *p, size_t n, numel_error *e);
/* Closes. False with CHANGED when the file is not what it was, also when *e held nothing before;
 * an error already in *e stays. */
NUMEL_MUST bool stream_close(struct stream *s, numel_error *e);

bool identity_of(const char *path, struct file_identity *out); /* symlinks followed */
bool identity_same(const struct file_identity *a, const struct file_identity *b);

#endif
