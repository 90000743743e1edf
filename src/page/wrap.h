/*
 * wrap.h -- breaks text into lines between words: never inside a word, nor inside a shape, whose numbers
 * belong together.
 */
#ifndef NUMEL_PAGE_WRAP_H
#define NUMEL_PAGE_WRAP_H

#include <stddef.h>

/*
 * Number of bytes of p[n] in the first line of at most `most` columns, without trailing blanks; *columns is
 * its width. A line has at least one word; if that is too long, *columns exceeds `most`.
 */
size_t wrap_line(const char *p, size_t n, size_t most, size_t *columns);
/* Number of blanks at the start of p[n]: what separates two lines. */
size_t wrap_blanks(const char *p, size_t n);
/* Columns of the longest word. */
size_t wrap_longest(const char *p, size_t n);

#endif
