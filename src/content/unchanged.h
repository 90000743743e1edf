/*
 * unchanged.h -- a checkpoint's file before, while and after its data are read: results are of one state of it or of none.
 *
 * Who reads data takes the file's identity first, compares it with what each stream has opened, and looks once more at the end.
 */
#ifndef NUMEL_CONTENT_UNCHANGED_H
#define NUMEL_CONTENT_UNCHANGED_H

#include "source/stream.h"

/* Takes its identity. Sets *e, with the file's path: IO where it can no longer be read, CHANGED where it is not as long as when its
 * header was read. */
void unchanged_begin(const numel_file *f, struct file_identity *was, numel_error *e);
/* Is it as long as when its header was read? A compressed file or a header-only copy is not asked. Else CHANGED. */
NUMEL_MUST bool unchanged_size(const numel_file *f, uint64_t bytes, numel_error *e);
/* Is what a stream has opened still that file? Else CHANGED. */
NUMEL_MUST bool unchanged_open(const struct file_identity *was, const struct stream *s, numel_error *e);
/* Behind the last read, with the file's path in *e. An error that is there already stays. */
void unchanged_end(const numel_file *f, const struct file_identity *was, numel_error *e);

#endif
