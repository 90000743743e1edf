/* wrap.c -- finds where a line may end. */
#include "page/wrap.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

enum { SHAPE_MOST = 40 }; /* bytes of a bracketed shape that stays together */

/* Index after the shape that begins at p[i]; i if none does. */
static size_t behind_shape(const char *p, size_t n, size_t i)
{
    if (p[i] != '[') return i;
    const char *end = memchr(p + i, ']', num_min(n - i, SHAPE_MOST));
    return end ? (size_t)(end - p) + 1 : i;
}

/* End of the word that begins at p[i]. */
static size_t word_end(const char *p, size_t n, size_t i)
{
    while (i < n && p[i] != ' ') {
        size_t behind = behind_shape(p, n, i);
        i = behind > i ? behind : i + 1;
    }
    return i;
}

size_t wrap_blanks(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] == ' ') i++;
    return i;
}

size_t wrap_line(const char *p, size_t n, size_t most, size_t *columns)
{
    size_t taken = 0, used = 0;
    while (taken < n) {
        size_t from = taken + wrap_blanks(p + taken, n - taken), end = word_end(p, n, from);
        size_t more = text_columns(p + taken, end - taken);
        if (end == from || (taken && used + more > most)) break;
        used += more;
        taken = end;
    }
    *columns = used;
    return taken;
}

size_t wrap_longest(const char *p, size_t n)
{
    size_t longest = 0;
    for (size_t i = wrap_blanks(p, n); i < n; i += wrap_blanks(p + i, n - i)) {
        size_t end = word_end(p, n, i);
        longest = num_max(longest, text_columns(p + i, end - i));
        i = end;
    }
    return longest;
}
