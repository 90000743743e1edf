/*
 * glob.c -- texts against patterns: * for any bytes, ? for one, [set] for one of several; text.h declares them.
 */
#include "base/num.h"
#include "base/text.h"

#include <string.h>

/* Matches one [set] of a pattern against c; *next is set to the byte after the ']'. A lone '[' matches
 * itself. */
static bool glob_set(const char *p, unsigned char c, const char **next)
{
    const char *q = p + 1;
    bool negate = *q == '!' || *q == '^', in = false;
    if (negate) q++;
    for (bool first = true; *q && (*q != ']' || first); first = false) {
        unsigned char low = (unsigned char)*q++, high = low;
        if (q[0] == '-' && q[1] && q[1] != ']') {
            high = (unsigned char)q[1];
            q += 2;
        }
        if (c >= low && c <= high) in = true;
    }
    if (*q != ']') {
        *next = p + 1;
        return c == '[';
    }
    *next = q + 1;
    return in != negate;
}

/* Only the last star is ever retried, because it can match whatever an earlier one would. So each place in
 * the text is compared with the pattern at most once. Brackets after the last ] are not sets, so their end
 * is never searched for. `shell`: ? and [...] are special, too. */
static bool glob_match(const char *p, numel_str s, bool shell)
{
    const char *star = NULL, *last = shell ? strrchr(p, ']') : NULL;
    size_t i = 0, resume = 0;
    while (i < s.n) {
        const char *next = p + 1;
        if (*p == '*') {
            star = ++p;
            resume = i;
            continue;
        }
        bool any = shell && *p == '?', set = last && p < last && *p == '[';
        bool hit = any || (set ? glob_set(p, (unsigned char)s.p[i], &next) : *p && *p == s.p[i]);
        if (hit) {
            p = next;
            i++;
        } else if (star) { /* let the last * match one more byte */
            p = star;
            i = ++resume;
        } else {
            return false;
        }
    }
    while (*p == '*') p++;
    return *p == 0;
}

bool text_glob(const char *pattern, numel_str s) { return glob_match(pattern, s, true); }
bool text_globs(numel_str patterns, numel_str s)
{
    char one[64];
    for (numel_str w = text_word(&patterns); w.n; w = text_word(&patterns)) {
        size_t n = (size_t)num_min(w.n, sizeof one - 1);
        memcpy(one, w.p, n);
        one[n] = 0;
        if (text_glob(one, s)) return true;
    }
    return false;
}

bool text_glob_stars(const char *pattern, numel_str s) { return glob_match(pattern, s, false); }

bool text_search(const char *pattern, numel_str s)
{
    return strpbrk(pattern, "*?[") ? text_glob(pattern, s) : text_holds(s, text_of(pattern));
}
