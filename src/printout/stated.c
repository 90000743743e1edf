/*
 * stated.c -- numbers of parameters that the text states next to a printout.
 *
 *     trainable params: 8,388,608 || all params: 6,666,862,592 || trainable%: 0.1258
 *     Total # of params: 6607.34M          Number of parameters: 124439808
 *     a larger model with 1.4 billion parameters
 *
 * A number counts if the words before it mention parameters and lead to it (": ", "=", "is"), or the
 * words after it do. A size in bytes, a share or a number of operations does not. The digits show how
 * exact it is: 6607.34M stands for 6,607,335,000 to 6,607,344,999.
 */
#include "printout/printout.h"

#include "base/num.h"
#include "base/number.h"
#include "base/text.h"

#include <ctype.h>
#include <strings.h>

enum { LINE_BYTES = 4096, LABEL_BYTES = 60 };

/* ---- numbers ------------------------------------------------------------------------------ */

bool figure_read(struct figure *f, numel_str s, unsigned power, size_t *length)
{
    struct number n;
    numel_str rest = s;
    bool read = number_read(&n, &rest, NUMBER_GROUPS | NUMBER_UNITS, power) == NUMBER_READ;
    *length = (size_t)(rest.p - s.p);
    if (!read) return false;
    *f = (struct figure){ n.value, n.low, n.high };
    if (n.exact) return true;
    if (!n.pointed) return number_range(&n, NUMBER_CUT, &f->low, &f->high);
    return num_add(&f->high, f->high, 1); /* Python rounds a half to the even digit, which may be the lower */
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

/* `behind`: peft's line continues with "|| all params:" after the number of trainable parameters. */
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
    for (size_t i = s.n; i > 0; i--) /* the last clause leads to the number */
        if (strchr(":;|\"", s.p[i - 1]) && i < s.n && s.p[i] == ' ' && i + 2 < s.n) {
            s = text_from(s, i);
            break;
        }
    while (s.n && !isalnum((unsigned char)s.p[0])) s = text_from(s, 1);
    while (s.n && !isalnum((unsigned char)text_last(s)) && text_last(s) != ')') s = text_less(s, 1);
    return s;
}

/* The words before a number, if they lead to it; else {NULL, 0}. */
static numel_str label_before(numel_str s)
{
    static const char *const leads[] = { ":", "=", " is", " are", " has", " of", "~", "->" };
    s = text_tail(s, LABEL_BYTES);
    while (s.n && (text_last(s) == ' ' || text_last(s) == '~' || text_last(s) == '*' || text_last(s) == '`'))
        s = text_less(s, 1);
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (text_ends(s, leads[i]) && speaks_of_parameters(s)) return trimmed(s);
    return (numel_str){ NULL, 0 };
}

/* Up to three words after a number, if the last mentions parameters: "total parameters"; else {NULL, 0}. */
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
    if (p->stated_count == PRINTOUT_STATED) return true;
    if (!memory_grow(p->arena.memory, &p->stated, &p->stated_cap, p->stated_count + 1, sizeof *c, p->error))
        return false;
    p->stated[p->stated_count++] = *c;
    return true;
}

/* Is the number only the start of a word: "8bit", "32_000x", "12%"? */
static bool goes_on(numel_str rest)
{
    return rest.n && (isalnum((unsigned char)rest.p[0]) || rest.p[0] == '%' || rest.p[0] == '_');
}

/* Reads the number at s.p[at], with the words around it; *next is where to continue. */
static bool read_number(struct printout *p, numel_str s, size_t *from, size_t at, size_t *next, uint32_t line)
{
    struct stated c = { .line = line };
    struct number n;
    numel_str rest = text_from(s, at), before = { s.p + *from, at - *from };
    enum number_answer answer = number_read(&n, &rest, NUMBER_GROUPS | NUMBER_UNITS | NUMBER_BYTES, 0);
    *next = *from = (size_t)(rest.p - s.p);
    if (answer != NUMBER_READ || n.kind != NUMBER_COUNT || goes_on(rest)) return true;
    c.text = text_slice(s, at, *next);
    c.label = label_before(before);
    if (!c.label.n) {
        c.label = label_behind(rest);
        if (c.label.n && !n.scaled && n.value < 1000) return true; /* "2 parameters are frozen" */
    }
    if (!c.label.n) return true;
    c.low = n.low;
    c.high = n.high;
    c.kind = kind_of(c.label, rest);
    return stated_add(p, &c);
}

bool stated_read(struct printout *p, numel_str line, uint32_t number)
{
    size_t from = 0; /* where the words before the next number start */
    if (line.n > LINE_BYTES) line.n = LINE_BYTES;
    if (!contains(line, "param") && !contains(line, "weights count")) return true;
    for (size_t i = 0; i < line.n;) {
        bool inside = i > 0 && (isalnum((unsigned char)line.p[i - 1]) || line.p[i - 1] == '_');
        if (!number_is_digit(line.p[i]) || inside) i++;
        else if (!read_number(p, line, &from, i, &i, number)) return false;
    }
    return true;
}
