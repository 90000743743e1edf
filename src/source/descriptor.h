/*
 * descriptor.h -- the one way in which a path becomes something to read.
 *
 * What is read is a regular file. Where the user may name a pipe (`--spec <(...)`), a pipe that somebody writes to
 * does as well: it is read to its end. Nothing else is opened at all: a device may do something when it is, or never
 * end, and a FIFO without a writer would be waited for in vain.
 */
#ifndef NUMEL_SOURCE_DESCRIPTOR_H
#define NUMEL_SOURCE_DESCRIPTOR_H

#include "base/memory.h"

#include <sys/stat.h>
#include <sys/types.h>

/* A descriptor for reading, and what it is of; -1 and IO, which says what the path is instead or why the system
 * refuses. Never waits. `pipe`: a pipe will do. */
int descriptor_open(const char *path, bool pipe, struct stat *st, numel_error *);
/* Up to n bytes, 0 at the end, -1 and IO. Of a pipe it waits for them as long as it has a writer. */
ssize_t descriptor_read(int descriptor, void *p, size_t n, numel_error *);
/* IO: nothing came out of what was opened as a pipe, because nobody ever wrote to it. False. */
NUMEL_MUST bool descriptor_silent(numel_error *);

#endif
