/*
 * buffer.h -- a buffer for writing bytes. Running out of memory is sticky: keep writing and check `failed`
 * once.
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
/* Returns the content as a text in the arena, and ends the buffer. NULL: out of memory. */
NUMEL_MUST char *buffer_keep(struct buffer *b, struct arena *a);
void buffer_add_slow(struct buffer *b, const void *p, size_t n);
void buffer_text(struct buffer *b, const char *text);
void buffer_char(struct buffer *b, char c);
/* Returns the last byte, or 0 if empty. Drops the last n bytes, or all if there are fewer. */
static inline char buffer_last(const struct buffer *b) { return b->n ? b->p[b->n - 1] : 0; }
static inline void buffer_drop(struct buffer *b, size_t n) { b->n -= n < b->n ? n : b->n; }
/* Drops the first n bytes. */
void buffer_drop_start(struct buffer *b, size_t n);
/* The content, valid until the next write. */
static inline numel_str buffer_view(const struct buffer *b) { return (numel_str){ b->p, b->n }; }
void buffer_fill(struct buffer *b, char c, size_t n); /* n times c */
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

static inline void buffer_str(struct buffer *b, numel_str s) { buffer_add(b, s.p, s.n); }

#endif
