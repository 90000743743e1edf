/*
 * fixed.h -- text in a caller's array of known size: never writes past the end, and ends with a NUL.
 *
 * Text that does not fit is dropped, and `cut` is set. Outside base, only these functions, text_join() and
 * text_format() may fill arrays (make laws).
 */
#ifndef NUMEL_BASE_FIXED_H
#define NUMEL_BASE_FIXED_H

#include "base/error.h"

struct fixed {
    char *p;
    size_t room, n; /* n bytes of text; `room` in total, at least 1 */
    bool cut;
};

/* An empty text in an array. Does not compile for a pointer. */
#define FIXED(array) \
    fixed_of(array, sizeof(array) + 0 * sizeof(struct { int of : FIXED_IS_ARRAY(array) ? 1 : -1; }))
#define FIXED_IS_ARRAY(array) !__builtin_types_compatible_p(__typeof__(array), __typeof__(&(array)[0]))

struct fixed fixed_of(char *p, size_t room);
/* Continues the text that an array already contains. */
struct fixed fixed_after(char *p, size_t room);
/* Append as much as fits. */
void fixed_add(struct fixed *f, numel_str s);
void fixed_text(struct fixed *f, const char *text);
void fixed_char(struct fixed *f, char c);
void fixed_format(struct fixed *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fixed_formatv(struct fixed *f, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* The text; p is NULL if it was cut. */
numel_str fixed_str(const struct fixed *f);

/* Formats a text like printf() into out[room], cut if it is longer. Returns its length, which is below
 * room. */
size_t text_format(char *out, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t text_formatv(char *out, size_t room, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

#endif
