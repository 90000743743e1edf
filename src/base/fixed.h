/*
 * fixed.h -- text in a caller's array of known size: never writes past its end, and ends with a NUL.
 *
 * What does not fit is left out, and `cut` records it. Only this, text_join() and text_format() fill arrays
 * outside base (make laws).
 */
#ifndef NUMEL_BASE_FIXED_H
#define NUMEL_BASE_FIXED_H

#include "base/error.h"

struct fixed {
    char *p;
    size_t room, n; /* p holds n bytes and has room for `room`, at least 1 */
    bool cut;
};

/* An empty text in an array; anything else does not compile. */
#define FIXED(array) \
    fixed_of(array, sizeof(array) + 0 * sizeof(struct { int of : FIXED_IS_ARRAY(array) ? 1 : -1; }))
#define FIXED_IS_ARRAY(array) !__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0]))

struct fixed fixed_of(char *p, size_t room);
/* The text that an array already holds, for appending. */
struct fixed fixed_after(char *p, size_t room);
/* Append as much as there is room for. */
void fixed_add(struct fixed *f, numel_str s);
void fixed_text(struct fixed *f, const char *text);
void fixed_char(struct fixed *f, char c);
void fixed_format(struct fixed *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fixed_formatv(struct fixed *f, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* The text; p NULL if it was cut. */
numel_str fixed_str(const struct fixed *f);

/* The same in one call: a text as by printf() in out[room], cut if longer. Returns its length, below room. */
size_t text_format(char *out, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t text_formatv(char *out, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
