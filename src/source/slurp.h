/*
 * slurp.h -- the whole of a small file that the user names: a specification.
 *
 * Nothing is mapped and the size is not asked for, so that a pipe will do as well (`--spec <(...)`).
 */
#ifndef NUMEL_SOURCE_SLURP_H
#define NUMEL_SOURCE_SLURP_H

#include "base/buffer.h"

/* Appends all of the file to the buffer. IO, of all that descriptor.h does not open too; LIMIT when it has more than `most` bytes; NOMEM. */
NUMEL_MUST bool slurp(struct buffer *out, const char *path, size_t most, numel_error *e);

#endif
