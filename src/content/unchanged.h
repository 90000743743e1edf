/*
 * unchanged.h -- a checkpoint's file before, while and after its data is read: results are of one state of it
 * or none.
 *
 * Readers of data take the file's identity first, compare it with each stream they open, and check again at
 * the end.
 */
#ifndef NUMEL_CONTENT_UNCHANGED_H
#define NUMEL_CONTENT_UNCHANGED_H

#include "source/stream.h"

/* Takes its identity. Sets *e, with the file's path: IO if it can no longer be read, CHANGED if its size has
 * changed since its header was read. */
void unchanged_begin(const numel_file *f, struct file_identity *was, numel_error *e);
/* CHANGED if `bytes` is not its size when its header was read. Not checked for a compressed file or a
 * header-only copy. */
NUMEL_MUST bool unchanged_size(const numel_file *f, uint64_t bytes, numel_error *e);
/* CHANGED if the stream did not open that same file. */
NUMEL_MUST bool unchanged_open(const struct file_identity *was, const struct stream *s, numel_error *e);
/* After the last read, with the file's path in *e. Keeps an earlier error. */
void unchanged_end(const numel_file *f, const struct file_identity *was, numel_error *e);

#endif
