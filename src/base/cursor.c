/*
 * cursor.c -- failures of a cursor. The first one sets the error with its offset; the cursor is then empty,
 * so callers may continue.
 */
#include "base/cursor.h"

bool cursor_fail(struct cursor *c, uint64_t at, numel_rc code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_setv(c->error, code, at, format, args);
    va_end(args);
    return false;
}

const uint8_t *cursor_take(struct cursor *c, uint64_t n, const char *what)
{
    if (!cursor_ok(c)) return NULL;
    if (!num_inside(c->at, n, c->size)) {
        cursor_fail(c, c->at, NUMEL_E_TRUNCATED, "%s needs %" PRIu64 " bytes, %" PRIu64 " left", what, n,
                    cursor_left(c));
        return NULL;
    }
    const uint8_t *p = c->base + c->at;
    c->at += n;
    return p;
}

uint64_t cursor_uint(struct cursor *c, unsigned bytes, const char *what)
{
    const uint8_t *p = cursor_take(c, bytes, what);
    return p ? num_load(p, bytes, c->big_endian) : 0;
}

bool cursor_count(struct cursor *c, uint64_t at, uint64_t count, uint64_t least, const char *what)
{
    if (!cursor_ok(c)) return false;
    if (count <= cursor_left(c) / least) return true;
    return cursor_fail(c, at, NUMEL_E_TRUNCATED,
                       "%" PRIu64 " %s need at least %" PRIu64 " bytes each, %" PRIu64 " bytes left", count,
                       what, least, cursor_left(c));
}
