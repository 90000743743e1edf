/* behead.h -- header-only copies, below the public interface (reporter/api_behead.c). */
#ifndef NUMEL_READER_BEHEAD_H
#define NUMEL_READER_BEHEAD_H

#include "reader/checkpoint.h"

enum { HEADS_KEPT = 4096 }; /* bytes of one tensor, at most */

/* True to keep the bytes of the tensor of that name, if it is small. */
typedef bool heads_keep_fn(void *ctx, numel_str name);

NUMEL_MUST bool heads_open(numel_heads **out, const char *dir, bool overwrite, const numel_allocator *m,
                           numel_error *e);
void heads_keep(numel_heads *heads, heads_keep_fn *keep, void *ctx);
void *heads_context(const numel_heads *heads); /* the ctx of heads_keep(), or NULL */
void heads_free(numel_heads *heads);           /* accepts NULL */

#endif
