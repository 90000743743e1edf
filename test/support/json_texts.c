/* json_texts.c -- a random walk of the JSON grammar, with small errors added to the result. */
#include "json_texts.h"

#include <stdlib.h>

struct maker {
    struct buffer *b;
    uint64_t state;
};

/* splitmix64: Steele, Lea, Flood (2014). */
static uint64_t draw(struct maker *m)
{
    uint64_t z = (m->state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static unsigned below(struct maker *m, unsigned n) { return (unsigned)(draw(m) % n); }

#define PICK(m, list) (list)[below((m), sizeof(list) / sizeof((list)[0]))]

static const char *const numbers[] = { "0",
                                       "-0",
                                       "1",
                                       "-1",
                                       "42",
                                       "1.0",
                                       "-2.50",
                                       "1e3",
                                       "1E+3",
                                       "25e-2",
                                       "0.1",
                                       "9007199254740991",
                                       "9007199254740992",
                                       "9007199254740993",
                                       "9223372036854775807",
                                       "9223372036854775808",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "-9223372036854775808",
                                       "123456789012345678901234567890",
                                       "1e308",
                                       "1.7976931348623157e308",
                                       "5e-324",
                                       "1e-400",
                                       "0e9",
                                       "0.30000000000000004",
                                       "2147483648",
                                       "0.0000001",
                                       "3.141592653589793238462643383279" };
static const char *const pieces[] = { "a",
                                      "name",
                                      " ",
                                      "\\n",
                                      "\\\"",
                                      "\\\\",
                                      "\\/",
                                      "\\u0041",
                                      "\\u00e9",
                                      "\\u20AC",
                                      "\\ud83e\\udd17",
                                      "\\b\\f\\r\\t",
                                      "\xc3\xa9",
                                      "\xe6\xa8\xa1",
                                      "\xf0\x9f\xa4\x97",
                                      "\x7f",
                                      "{",
                                      "[1,2]",
                                      ":",
                                      ",",
                                      "\\u001f",
                                      "\xe2\x80\xa8",
                                      "//",
                                      "/* */" };
static const char *const wrong[] = { ",",
                                     ":",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     "\"",
                                     "\\",
                                     "'",
                                     "//",
                                     "/**/",
                                     "#",
                                     "\xef\xbb\xbf",
                                     "\xff",
                                     "\xc0\x80",
                                     "\xed\xa0\x80",
                                     "\x01",
                                     "\t",
                                     "\n",
                                     "\x0b",
                                     "\x0c",
                                     "\xc2\xa0",
                                     "nul",
                                     "null",
                                     "True",
                                     "NaN",
                                     "Infinity",
                                     "-",
                                     "+",
                                     ".",
                                     "e",
                                     "0",
                                     "00",
                                     "01",
                                     "1.",
                                     ".5",
                                     "1e",
                                     "0x1",
                                     "\\u12",
                                     "\\ud800",
                                     "\\udc00",
                                     "\\u0000",
                                     "\\q",
                                     "\\u00g1",
                                     "1_0",
                                     "-Infinity",
                                     "--1",
                                     "1 2" };

static void space(struct maker *m)
{
    static const char *const spaces[] = { "", "", "", "", "", " ", "\n", "\t", "\r\n  " };
    buffer_text(m->b, PICK(m, spaces));
}

static void put_string(struct maker *m)
{
    buffer_char(m->b, '"');
    for (unsigned n = below(m, 5); n > 0; n--) buffer_text(m->b, PICK(m, pieces));
    buffer_char(m->b, '"');
}

static void put_number(struct maker *m)
{
    if (below(m, 3)) buffer_text(m->b, PICK(m, numbers));
    else buffer_format(m->b, "%lld", (long long)(int64_t)(draw(m) >> below(m, 60)));
}

static void put_value(struct maker *m, unsigned depth)
{
    static const char *const words[] = { "null", "true", "false" };
    unsigned kind = below(m, depth ? 8 : 5);
    bool object = kind >= 6;
    space(m);
    if (kind < 2) put_number(m);
    else if (kind < 4) put_string(m);
    else if (kind < 5) buffer_text(m->b, PICK(m, words));
    else {
        buffer_char(m->b, object ? '{' : '[');
        for (unsigned i = 0, n = below(m, 5); i < n; i++) {
            if (i) buffer_char(m->b, ',');
            space(m);
            if (object) put_string(m), space(m), buffer_char(m->b, ':');
            put_value(m, depth - 1);
        }
        space(m);
        buffer_char(m->b, object ? '}' : ']');
    }
    space(m);
}

static void put_deep(struct maker *m)
{
    unsigned n = 124 + below(m, 8);
    bool object = below(m, 2);
    for (unsigned i = 0; i < n; i++) buffer_text(m->b, object ? "{\"a\":" : "[");
    if (!object && !below(m, 3)) buffer_text(m->b, "{}");
    else put_number(m);
    buffer_fill(m->b, object ? '}' : ']', n);
}

/* Replaces n bytes at `at` in the text that begins at `from`. */
static void splice(struct buffer *b, size_t at, size_t n, const char *with)
{
    struct buffer rest;
    buffer_init(&rest, b->memory);
    buffer_add(&rest, b->p + at + n, b->n - at - n);
    b->n = at;
    buffer_text(b, with);
    buffer_add(b, rest.p, rest.n);
    buffer_done(&rest);
}

static void mistake(struct maker *m, size_t from)
{
    struct buffer *b = m->b;
    size_t n = b->n - from, at = from + below(m, (unsigned)n + 1);
    char one[2] = { 0 };
    switch (below(m, 6)) {
    case 0:
    case 1: splice(b, at, 0, PICK(m, wrong)); break;
    case 2: splice(b, at, at < b->n, PICK(m, wrong)); break;
    case 3: splice(b, at, at < b->n, ""); break;
    case 4:
        if (at < b->n) b->p[at] = (char)(b->p[at] ^ (char)(1u << below(m, 8)));
        break;
    default:
        if (at == b->n) break;
        one[0] = b->p[at];
        splice(b, at, 0, one);
    }
}

void json_text_make(struct buffer *b, uint64_t number)
{
    struct maker m = { .b = b, .state = number * 0xD1342543DE82EF95u + 1 };
    size_t from = b->n;
    if (below(&m, 60) == 0) put_deep(&m);
    else put_value(&m, 4);
    for (unsigned n = below(&m, 4); n > 0; n--) mistake(&m, from);
    if (below(&m, 50) == 0) b->n = from + below(&m, (unsigned)(b->n - from) + 1);
}
