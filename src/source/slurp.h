/*
 * slurp.h -- the whole of a small file that the user names: a specification.
 *
 * Nothing is mapped and the size is not checked in advance, so a pipe also works (`--spec <(...)`).
 */
#ifndef NUMEL_SOURCE_SLURP_H
#define NUMEL_SOURCE_SLURP_H

#include "base/buffer.h"
#include "base/json_doc.h"
#include "base/json_doc.h"

/* Appends the whole file to the buffer. IO, also for anything that descriptor.h does not open; LIMIT above
 * `most` bytes; NOMEM. */
NUMEL_MUST bool slurp(struct buffer *out, const char *path, size_t most, numel_error *e);
/* The file as a JSON document; free with json_doc_free(). NULL on the errors above and those of
 * json_doc_parse(). */
NUMEL_MUST json_value *slurp_json(const char *path, size_t most, const numel_allocator *, numel_error *e);

#endif
