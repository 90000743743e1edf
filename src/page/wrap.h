/*
 * wrap.h -- text broken into lines between its words: never inside one, and not inside a shape, whose blanks part
 * numbers that belong together.
 */
#ifndef NUMEL_PAGE_WRAP_H
#define NUMEL_PAGE_WRAP_H

#include <stddef.h>

/*
 * Bytes of p[n] that the first of lines of at most `most` columns takes, without blanks at its end; *columns is what
 * they need. One word at least: where it alone is too long, *columns is more than `most`.
 */
size_t wrap_line(const char *p, size_t n, size_t most, size_t *columns);
/* The bytes of blanks that p[n] begins with: what lies between two lines. */
size_t wrap_blanks(const char *p, size_t n);
/* The columns that the longest word needs. */
size_t wrap_longest(const char *p, size_t n);

#endif
