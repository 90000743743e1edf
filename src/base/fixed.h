/*
 * fixed.h -- text in an array of the caller's, whose size is known here: nothing is written past its end, and a NUL ends it.
 *
 * What does not fit is left out, and `cut` remembers that it was. This, text_join() and text_format() are the only
 * functions that fill arrays outside base (make laws).
 */
#ifndef NUMEL_BASE_FIXED_H
#define NUMEL_BASE_FIXED_H

#include "base/error.h"

struct fixed {
    char *p;
    size_t room, n; /* n bytes stand in p, which has room for `room` and no fewer than 1 */
    bool cut;
};

/* An empty text in an array; anything but an array does not compile. */
#define FIXED(array) \
    fixed_of(array, sizeof(array) + 0 * sizeof(struct { int of : FIXED_IS_ARRAY(array) ? 1 : -1; }))
#define FIXED_IS_ARRAY(array) !__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0]))

struct fixed fixed_of(char *p, size_t room);
/* The text that an array already holds, to be added to. */
struct fixed fixed_after(char *p, size_t room);
/* Behind what is there, as much as there is room for. */
void fixed_add(struct fixed *f, numel_str s);
void fixed_text(struct fixed *f, const char *text);
void fixed_char(struct fixed *f, char c);
void fixed_format(struct fixed *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fixed_formatv(struct fixed *f, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* The text; p NULL when it was cut. */
numel_str fixed_str(const struct fixed *f);

/* The same at once: a text as by printf() in out[room], cut when it is longer. Returns its length, below room. */
size_t text_format(char *out, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t text_formatv(char *out, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
