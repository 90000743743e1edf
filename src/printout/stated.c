/*
 * stated.c -- numbers of parameters that the text states beside a printout.
 *
 *     trainable params: 8,388,608 || all params: 6,666,862,592 || trainable%: 0.1258
 *     Total # of params: 6607.34M          Number of parameters: 124439808
 *     a larger model with 1.4 billion parameters
 *
 * A number counts as one when the words before it speak of parameters and lead to it (": ", "=", "is"),
 * or the words behind it do. What is a size in bytes, a share or a number of operations does not. The
 * digits say how exact it is: 6607.34M stands for 6,607,335,000 to 6,607,344,999.
 */
#include "printout/printout.h"

#include "base/num.h"
#include "base/text.h"

#include <ctype.h>
#include <strings.h>

enum { LINE_BYTES = 4096, LABEL_BYTES = 60 };

/* ---- numbers ------------------------------------------------------------------------------ */

/* clang-format off */
static const struct {
    const char *word;
    unsigned power;
} units[] = {
    { "thousand", 3 }, { "million", 6 }, { "billion", 9 }, { "trillion", 12 },
    { "K", 3 }, { "M", 6 }, { "B", 9 }, { "G", 9 }, { "T", 12 }, { "k", 3 }, { "b", 9 },
};
/* clang-format on */

/* The unit at p: its power of ten, and its length with the blank before it; false when a word stands
 * there that makes the number another thing ("MB", "layers"). */
static bool read_unit(const char *p, size_t n, unsigned *power, size_t *length)
{
    size_t blank = n && p[0] == ' ';
    *power = 0;
    *length = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t k = strlen(units[i].word);
        if (blank + k > n || strncasecmp(p + blank, units[i].word, k == 1 ? 0 : k) != 0) continue;
        if (k == 1 && p[blank] != units[i].word[0]) continue;
        if (blank + k < n && isalnum((unsigned char)p[blank + k])) continue;
        *power = units[i].power;
        *length = blank + k;
        return true;
    }
    return n == 0 || (!isalnum((unsigned char)p[0]) && p[0] != '%' && p[0] != '_');
}

/* Digits with separators and a fraction: the digits as one integer, and how many are the fraction. */
static bool read_digits(const char *p, size_t n, uint64_t *digits, unsigned *fraction, size_t *length)
{
    size_t i = 0;
    bool point = false;
    *digits = 0;
    *fraction = 0;
    for (; i < n; i++) {
        bool more = i + 1 < n && isdigit((unsigned char)p[i + 1]);
        if (p[i] == '.' && !point && more) {
            point = true;
        } else if (isdigit((unsigned char)p[i])) {
            if (!num_mul(digits, *digits, 10) || !num_add(digits, *digits, (uint64_t)(p[i] - '0')))
                return false;
            *fraction += point;
        } else if (!(p[i] == ',' || p[i] == '_' || p[i] == '\'') || point || !more) {
            break;
        }
    }
    *length = i;
    return i > 0;
}

/* The counts that the digits stand for. */
static bool make_range(struct stated *c, uint64_t digits, unsigned fraction, unsigned power)
{
    uint64_t unit = 1;
    for (; fraction > power && digits % 10 == 0; fraction--) digits /= 10; /* 124439808.0 */
    if (fraction > power) return false;
    for (unsigned i = fraction; i < power; i++) unit *= 10;
    if (!num_mul(&c->low, digits, unit) || !num_add(&c->high, c->low, unit / 2)) return false;
    if (unit > 1) c->high--;
    c->low -= num_min(c->low, unit / 2);
    return true;
}

bool figure_read(struct figure *f, numel_str s, unsigned power, size_t *length)
{
    uint64_t digits, unit = 1;
    unsigned fraction, more;
    size_t suffix;
    if (!read_digits(s.p, s.n, &digits, &fraction, length)) return false;
    if (read_unit(s.p + *length, s.n - *length, &more, &suffix)) {
        power += more;
        *length += suffix;
    }
    if (fraction > power) return false;
    for (unsigned i = fraction; i < power; i++)
        if (!num_mul(&unit, unit, 10)) return false;
    if (!num_mul(&f->nominal, digits, unit) || !num_add(&f->high, f->nominal, unit)) return false;
    f->low = f->nominal;
    f->high = fraction ? f->nominal + unit / 2 : f->high - 1;
    if (fraction) f->low -= num_min(f->low, unit / 2);
    return true;
}

/* ---- words -------------------------------------------------------------------------------- */

static bool contains(numel_str s, const char *word)
{
    size_t k = strlen(word);
    for (size_t i = 0; i + k <= s.n; i++)
        if (strncasecmp(s.p + i, word, k) == 0) return true;
    return false;
}

static bool speaks_of_parameters(numel_str s)
{
    return (contains(s, "param") || contains(s, "weights count")) && !contains(s, "size") &&
           !contains(s, "byte") && !contains(s, "memory") && !contains(s, "per ") && !contains(s, "(mb") &&
           !contains(s, "param %") && !contains(s, "learning");
}

/* `behind`: peft's line goes on with "|| all params:" where the first number is the trainable ones. */
static enum stated_kind kind_of(numel_str s, numel_str behind)
{
    if (behind.n > 13 && memcmp(behind.p, " || all param", 13) == 0) return STATED_TRAINABLE;
    if (contains(s, "optimizer")) return STATED_OPTIMIZER;
    if (contains(s, "non-trainable") || contains(s, "non trainable") || contains(s, "frozen"))
        return STATED_FROZEN;
    return contains(s, "trainable") ? STATED_TRAINABLE : STATED_TOTAL;
}

static numel_str trimmed(numel_str s)
{
    for (size_t i = s.n; i > 0; i--) /* the last clause is the one that leads to the number */
        if (strchr(":;|\"", s.p[i - 1]) && i < s.n && s.p[i] == ' ' && s.n - i > 2) {
            s = (numel_str){ s.p + i, s.n - i };
            break;
        }
    while (s.n && !isalnum((unsigned char)s.p[0])) s.p++, s.n--;
    while (s.n && !isalnum((unsigned char)s.p[s.n - 1]) && s.p[s.n - 1] != ')') s.n--;
    return s;
}

/* The words before a number, when they lead to it; else nothing. */
static numel_str label_before(numel_str s)
{
    static const char *const leads[] = { ":", "=", " is", " are", " has", " of", "~", "->" };
    if (s.n > LABEL_BYTES) s = (numel_str){ s.p + s.n - LABEL_BYTES, LABEL_BYTES };
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '~' || s.p[s.n - 1] == '*' || s.p[s.n - 1] == '`'))
        s.n--;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (text_ends(s, leads[i]) && speaks_of_parameters(s)) return trimmed(s);
    return (numel_str){ NULL, 0 };
}

/* Up to three words behind a number, when the last speaks of parameters: "total parameters". */
static numel_str label_behind(numel_str s)
{
    size_t i = 0;
    for (int words = 0; words < 3; words++) {
        while (i < s.n && (s.p[i] == ' ' || s.p[i] == '-')) i++;
        size_t from = i;
        while (i < s.n && isalpha((unsigned char)s.p[i])) i++;
        if (i == from) break;
        if (strncasecmp(s.p + from, "param", num_min(5, i - from)) == 0 && i - from >= 5)
            return trimmed((numel_str){ s.p, i });
    }
    return (numel_str){ NULL, 0 };
}

/* ---- the line ----------------------------------------------------------------------------- */

bool stated_add(struct printout *p, const struct stated *c)
{
    void *to = p->stated;
    if (p->stated_count == PRINTOUT_STATED) return true;
    if (!memory_grow(p->arena.memory, &to, &p->stated_cap, p->stated_count + 1, sizeof *c, p->error))
        return false;
    p->stated = to;
    p->stated[p->stated_count++] = *c;
    return true;
}

/* The number at s.p[at], with the words around it; *next is where to look on. */
static bool read_number(struct printout *p, numel_str s, size_t *from, size_t at, size_t *next, uint32_t line)
{
    struct stated c = { .line = line };
    uint64_t digits;
    unsigned fraction, power;
    size_t length, unit;
    bool fits = read_digits(s.p + at, s.n - at, &digits, &fraction, &length);
    if (!fits) {
        while (at < s.n && isdigit((unsigned char)s.p[at])) at++;
        *next = *from = at;
        return true;
    }
    size_t before = *from;
    *next = *from = at + length;
    if (!read_unit(s.p + at + length, s.n - at - length, &power, &unit)) return true;
    *next = *from = at + length + unit;
    c.text = (numel_str){ s.p + at, length + unit };
    c.label = label_before((numel_str){ s.p + before, at - before });
    if (!c.label.n) {
        c.label = label_behind((numel_str){ s.p + *next, s.n - *next });
        if (c.label.n && power == 0 && digits < 1000) return true; /* "2 parameters are frozen" */
    }
    if (!c.label.n || !make_range(&c, digits, fraction, power)) return true;
    c.kind = kind_of(c.label, (numel_str){ s.p + *next, s.n - *next });
    return stated_add(p, &c);
}

bool stated_read(struct printout *p, numel_str line, uint32_t number)
{
    size_t from = 0; /* where the words before the next number begin */
    if (line.n > LINE_BYTES) line.n = LINE_BYTES;
    if (!contains(line, "param") && !contains(line, "weights count")) return true;
    for (size_t i = 0; i < line.n;) {
        bool inside = i > 0 && (isalnum((unsigned char)line.p[i - 1]) || line.p[i - 1] == '_');
        if (!isdigit((unsigned char)line.p[i]) || inside) i++;
        else if (!read_number(p, line, &from, i, &i, number)) return false;
    }
    return true;
}
