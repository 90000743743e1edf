/*
 * descriptor.h -- the only way to open a path for reading.
 *
 * Only regular files are read. Where the user may name a pipe (`--spec <(...)`), a pipe with a writer is also
 * accepted and read to its end. Nothing else is opened at all: opening a device may have effects, or its data
 * may never end, and a FIFO without a writer would block forever.
 */
#ifndef NUMEL_SOURCE_DESCRIPTOR_H
#define NUMEL_SOURCE_DESCRIPTOR_H

#include "base/memory.h"

#include <sys/stat.h>
#include <sys/types.h>

/* A descriptor for reading, with its `st`; -1 and IO, with the kind of the path or the system's reason. Never
 * blocks. `pipe`: accept a pipe. */
int descriptor_open(const char *path, bool pipe, struct stat *st, numel_error *);
/* Up to n bytes, 0 at the end, -1 and IO. Waits for a pipe's bytes as long as it has a writer. */
ssize_t descriptor_read(int descriptor, void *p, size_t n, numel_error *);
/* IO: a pipe was opened, but nothing was ever written to it. Returns false. */
NUMEL_MUST bool descriptor_silent(numel_error *);

#endif
