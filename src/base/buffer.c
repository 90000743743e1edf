/*
 * buffer.c -- text that grows. A failed allocation is remembered, so the caller checks once, at the end.
 */
#include "base/buffer.h"

#include <stdio.h>

void buffer_init(struct buffer *b, const numel_allocator *m) { *b = (struct buffer){ .memory = m }; }

void buffer_done(struct buffer *b)
{
    memory_release(b->memory, b->p);
    buffer_init(b, b->memory);
}

char *buffer_keep(struct buffer *b, struct arena *a)
{
    char *text = b->failed ? NULL : arena_text(a, b->p, b->n);
    buffer_done(b);
    return text;
}

static char *room(struct buffer *b, size_t n)
{
    numel_error ignored = { 0 };
    void *p = b->p;
    if (b->failed || n > SIZE_MAX - b->n || !memory_grow(b->memory, &p, &b->cap, b->n + n, 1, &ignored)) {
        b->failed = true;
        return NULL;
    }
    b->p = p;
    return b->p + b->n;
}

void buffer_add_slow(struct buffer *b, const void *p, size_t n)
{
    char *to = n ? room(b, n) : NULL;
    if (!to) return;
    memcpy(to, p, n);
    b->n += n;
}

void buffer_text(struct buffer *b, const char *text) { buffer_add(b, text, strlen(text)); }
void buffer_char(struct buffer *b, char c) { buffer_add(b, &c, 1); }

void buffer_drop_start(struct buffer *b, size_t n)
{
    if (n > b->n) n = b->n;
    b->n -= n;
    if (n && b->n) memmove(b->p, b->p + n, b->n);
}

void buffer_fill(struct buffer *b, char c, size_t n)
{
    char *to = n ? room(b, n) : NULL;
    if (!to) return;
    memset(to, c, n);
    b->n += n;
}

void buffer_format(struct buffer *b, const char *format, ...)
{
    char small[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(small, sizeof small, format, args);
    va_end(args);
    if (n < 0) b->failed = true; /* longer than INT_MAX, or out of memory */
    if (n < 0) return;
    if ((size_t)n < sizeof small) {
        buffer_add(b, small, (size_t)n);
        return;
    }
    char *to = room(b, (size_t)n + 1);
    if (!to) return;
    va_start(args, format);
    vsnprintf(to, (size_t)n + 1, format, args);
    va_end(args);
    b->n += (size_t)n;
}
