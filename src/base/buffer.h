/*
 * buffer.h -- bytes being written. Running out of memory sticks: write on, test `failed` once.
 */
#ifndef NUMEL_BASE_BUFFER_H
#define NUMEL_BASE_BUFFER_H

#include "base/memory.h"

#include <string.h>

struct buffer {
    const numel_allocator *memory;
    char *p; /* not NUL-terminated */
    size_t n, cap;
    bool failed;
};

void buffer_init(struct buffer *b, const numel_allocator *m);
void buffer_done(struct buffer *b);
/* All of it as a text in the arena; the buffer is done. NULL: no memory. */
NUMEL_MUST char *buffer_keep(struct buffer *b, struct arena *a);
void buffer_add_slow(struct buffer *b, const void *p, size_t n);
void buffer_text(struct buffer *b, const char *text);
void buffer_char(struct buffer *b, char c);
void buffer_fill(struct buffer *b, char c, size_t n); /* c, n times */
void buffer_format(struct buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void buffer_add(struct buffer *b, const void *p, size_t n)
{
    if (n && n <= b->cap - b->n && !b->failed) {
        memcpy(b->p + b->n, p, n);
        b->n += n;
    } else {
        buffer_add_slow(b, p, n);
    }
}

#endif
