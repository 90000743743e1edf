/*
 * name.c -- numbers in names, one segment between dots at a time, and ranges of numbers as text.
 */
#include "diff/name.h"

#include <inttypes.h>

bool name_segment(numel_str name, size_t *at, numel_str *segment)
{
    if (*at > name.n) return false;
    size_t end = text_find(name, *at, '.');
    *segment = text_slice(name, *at, end);
    *at = end + 1;
    return true;
}

bool name_number(numel_str s, uint64_t *v)
{
    *v = 0;
    if (s.n == 0 || s.n > 18 || (s.n > 1 && s.p[0] == '0')) return false; /* 007 is not an index */
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        *v = *v * 10 + (uint64_t)(s.p[i] - '0');
    }
    return true;
}

bool name_number_at(numel_str name, unsigned k, uint64_t *v, size_t *start)
{
    numel_str s;
    size_t at = 0;
    while (name_segment(name, &at, &s))
        if (name_number(s, v) && k-- == 0) {
            *start = (size_t)(s.p - name.p);
            return true;
        }
    return false;
}

void name_pattern(struct buffer *b, numel_str name, unsigned most)
{
    numel_str s;
    uint64_t v;
    size_t at = 0;
    while (name_segment(name, &at, &s)) {
        bool star = most > 0 && name_number(s, &v);
        if (star) most--;
        if (star) buffer_char(b, '*');
        else buffer_add(b, s.p, s.n);
        buffer_char(b, '.');
    }
}

void name_ranges(struct buffer *b, const uint64_t *v, size_t n)
{
    enum { SHOWN = 4 };
    size_t ranges = 0;
    if (n > 1) buffer_char(b, '[');
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && v[j] == v[i] + (j - i);) j++;
        if (++ranges > SHOWN && j < n) continue;
        if (ranges > 1) buffer_char(b, ',');
        if (ranges > SHOWN + 1) buffer_text(b, "...,");
        buffer_format(b, "%" PRIu64, v[i]);
        if (j > i + 1) buffer_format(b, "-%" PRIu64, v[j - 1]);
    }
    if (n > 1) buffer_char(b, ']');
}
