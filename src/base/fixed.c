#include "base/fixed.h"

#include <stdio.h>
#include <string.h>

struct fixed fixed_of(char *p, size_t room)
{
    if (room) p[0] = 0;
    return (struct fixed){ .p = p, .room = room };
}

struct fixed fixed_after(char *p, size_t room)
{
    const char *end = room ? memchr(p, 0, room) : NULL;
    return end ? (struct fixed){ .p = p, .room = room, .n = (size_t)(end - p) } : fixed_of(p, room);
}

void fixed_add(struct fixed *f, numel_str s)
{
    size_t left = f->room > f->n ? f->room - f->n - 1 : 0, n = s.n < left ? s.n : left;
    f->cut |= n < s.n;
    if (!f->room) return;
    if (n) memcpy(f->p + f->n, s.p, n);
    f->n += n;
    f->p[f->n] = 0;
}

void fixed_text(struct fixed *f, const char *text) { fixed_add(f, (numel_str){ text, strlen(text) }); }

void fixed_char(struct fixed *f, char c) { fixed_add(f, (numel_str){ &c, 1 }); }

void fixed_formatv(struct fixed *f, const char *format, va_list args)
{
    size_t left = f->room > f->n ? f->room - f->n : 0;
    int n = vsnprintf(left ? f->p + f->n : NULL, left, format, args);
    bool fits = n >= 0 && (size_t)n < left;
    f->cut |= !fits;
    if (left) f->n += fits ? (size_t)n : n < 0 ? 0 : left - 1;
    if (f->room) f->p[f->n] = 0;
}

void fixed_format(struct fixed *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fixed_formatv(f, format, args);
    va_end(args);
}

numel_str fixed_str(const struct fixed *f)
{
    return f->cut ? (numel_str){ NULL, 0 } : (numel_str){ f->p, f->n };
}

size_t text_formatv(char *out, size_t room, const char *format, va_list args)
{
    int n = vsnprintf(out, room, format, args);
    if (n < 0 && room) out[0] = 0;
    if (n < 0 || !room) return 0;
    return (size_t)n < room ? (size_t)n : room - 1;
}

size_t text_format(char *out, size_t room, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t n = text_formatv(out, room, format, args);
    va_end(args);
    return n;
}
