/*
 * cursor.h -- a cursor over untrusted bytes that fails once.
 *
 * The first failure sticks: later reads return zero and move nothing, so a parser reads a whole record and
 * tests cursor_ok() once. Every failure names the field and the offset where it starts. A count read from the
 * file is not used for a loop or an allocation before it is shown to fit the bytes left (cursor_count).
 */
#ifndef NUMEL_BASE_CURSOR_H
#define NUMEL_BASE_CURSOR_H

#include "base/error.h"
#include "base/num.h"

struct cursor {
    const uint8_t *base;
    uint64_t size, at;
    bool big_endian;
    numel_error *error; /* never NULL; its code is not 0 after a failure */
};

bool cursor_fail(struct cursor *c, uint64_t at, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* n bytes, or NULL after a TRUNCATED failure. */
const uint8_t *cursor_take(struct cursor *c, uint64_t n, const char *what);
uint64_t cursor_uint(struct cursor *c, unsigned bytes, const char *what); /* 1 to 8 bytes */
/* TRUNCATED unless `count` records of at least `least` bytes fit in the rest. `at` is the count's offset. */
bool cursor_count(struct cursor *c, uint64_t at, uint64_t count, uint64_t least, const char *what);

static inline bool cursor_ok(const struct cursor *c) { return error_free(c->error); }
static inline uint64_t cursor_left(const struct cursor *c) { return c->size - c->at; }

#endif
