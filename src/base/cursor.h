/*
 * cursor.h -- a cursor over untrusted bytes that fails only once.
 *
 * The first failure is sticky: later reads return zero and do not advance, so a parser reads a whole record
 * and checks cursor_ok() once. Every failure names the field and the offset where it starts. A count from the
 * file must be shown to fit the remaining bytes (cursor_count) before a loop or an allocation uses it.
 */
#ifndef NUMEL_BASE_CURSOR_H
#define NUMEL_BASE_CURSOR_H

#include "base/error.h"
#include "base/num.h"

struct cursor {
    const uint8_t *base;
    uint64_t size, at;
    bool big_endian;
    numel_error *error; /* never NULL; after a failure, its code is set */
};

bool cursor_fail(struct cursor *c, uint64_t at, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Returns n bytes; NULL after failing with TRUNCATED. */
const uint8_t *cursor_take(struct cursor *c, uint64_t n, const char *what);
uint64_t cursor_uint(struct cursor *c, unsigned bytes, const char *what); /* 1 to 8 bytes */
/* Fails with TRUNCATED unless `count` records of at least `least` bytes fit in the rest. `at` is the
 * offset of the count. */
bool cursor_count(struct cursor *c, uint64_t at, uint64_t count, uint64_t least, const char *what);

static inline bool cursor_ok(const struct cursor *c) { return error_free(c->error); }
static inline uint64_t cursor_left(const struct cursor *c) { return c->size - c->at; }

#endif
