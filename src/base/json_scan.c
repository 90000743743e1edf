/* json_scan.c -- the strict JSON scanner: one function per production of RFC 8259, sections 2 to 7. */
#include "base/json_scan.h"

#include "base/number.h"
#include "base/text.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_start(struct json_scan *s, const void *p, uint64_t n, uint64_t origin, numel_error *e)
{
    s->base = p;
    s->size = n;
    s->at = 0;
    s->origin = origin;
    s->depth = 0;
    s->values = s->strings = 0;
    s->beyond = JSON_NOWHERE;
    s->constants = false;
    s->error = e;
}

bool json_fail(struct json_scan *s, uint64_t at, numel_rc code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_setv(s->error, code, s->origin + at, format, args);
    va_end(args);
    return false;
}

/* Fails with "expected ':', found '}'", or that the text ended. */
static bool unexpected(struct json_scan *s, const char *wanted)
{
    char found[TEXT_QUOTE];
    if (s->at >= s->size)
        return json_fail(s, s->at, NUMEL_E_SYNTAX, "expected %s, the JSON text ends", wanted);
    unsigned n = text_sequence(s->base + s->at, s->size - s->at, NULL);
    if (!n) return json_fail(s, s->at, NUMEL_E_UTF8, "byte 0x%02x is not UTF-8", s->base[s->at]);
    return json_fail(s, s->at, NUMEL_E_SYNTAX, "expected %s, found %s", wanted,
                     text_quote(found, (numel_str){ (const char *)s->base + s->at, n }));
}

static inline bool is_space(uint8_t c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

uint8_t json_peek_far(struct json_scan *s)
{
    if (!json_ok(s)) return 0;
    while (s->at < s->size && is_space(s->base[s->at])) s->at++;
    return s->at < s->size ? s->base[s->at] : 0;
}

static bool expect(struct json_scan *s, char c, const char *name)
{
    if (json_peek(s) != (uint8_t)c || s->at >= s->size) return json_ok(s) && unexpected(s, name);
    s->at++;
    return true;
}

bool json_open(struct json_scan *s, char bracket)
{
    if (!expect(s, bracket, bracket == '{' ? "'{'" : "'['")) return false;
    if (s->depth == JSON_DEPTH)
        return json_fail(s, s->at - 1, NUMEL_E_LIMIT, "nested deeper than %d", JSON_DEPTH);
    s->first[++s->depth] = true;
    return true;
}

bool json_more(struct json_scan *s, char close)
{
    uint8_t c = json_peek(s);
    if (!json_ok(s)) return false;
    if (c == (uint8_t)close) {
        s->at++;
        s->depth--;
        return false;
    }
    if (s->first[s->depth]) {
        s->first[s->depth] = false;
        return true;
    }
    return expect(s, ',', close == '}' ? "',' or '}'" : "',' or ']'");
}

bool json_key(struct json_scan *s, struct json_text *key)
{
    return json_string(s, key) && expect(s, ':', "':'");
}

/* The value of four hex digits at p, or -1. */
static int32_t hex4(const uint8_t *p, uint64_t n)
{
    int32_t v = 0;
    for (unsigned i = 0; i < 4; i++) {
        int d = i < n ? number_hex((char)p[i]) : -1;
        if (d < 0) return -1;
        v = v << 4 | d;
    }
    return v;
}

/* The length of the escape after a backslash, at p; 0 if invalid. */
static unsigned escape_at(const uint8_t *p, uint64_t n, uint32_t *code)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *plain = n && p[0] ? strchr(from, p[0]) : NULL;
    if (plain) {
        *code = (uint8_t)to[plain - from];
        return 1;
    }
    int32_t high = n && p[0] == 'u' ? hex4(p + 1, n - 1) : -1;
    if (high < 0 || (high >= 0xDC00 && high < 0xE000)) return 0;
    *code = (uint32_t)high;
    if (high < 0xD800 || high >= 0xE000) return 5;
    int32_t low = n >= 11 && p[5] == '\\' && p[6] == 'u' ? hex4(p + 7, n - 7) : -1;
    if (low < 0xDC00 || low >= 0xE000) return 0;
    *code = 0x10000 + (((uint32_t)high - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
    return 11;
}

/* Reads one special part of a string: an escape or a UTF-8 sequence; or fails. */
static bool string_special(struct json_scan *s, uint64_t *at, bool *escaped)
{
    uint8_t c = s->base[*at];
    uint64_t left = s->size - *at;
    uint32_t code;
    if (c == '\\') {
        unsigned n = escape_at(s->base + *at + 1, left - 1, &code);
        if (!n) return json_fail(s, *at, NUMEL_E_SYNTAX, "invalid escape in a string");
        *escaped = true;
        *at += 1 + n;
        return true;
    }
    if (c < 0x20) return json_fail(s, *at, NUMEL_E_SYNTAX, "control character 0x%02x in a string", c);
    unsigned n = text_sequence(s->base + *at, left, &code);
    if (!n) return json_fail(s, *at, NUMEL_E_UTF8, "byte 0x%02x is not UTF-8", c);
    *at += n;
    return true;
}

bool json_string(struct json_scan *s, struct json_text *text)
{
    if (json_peek(s) != '"') return json_ok(s) && unexpected(s, "a string");
    uint64_t at = s->at + 1, start = at, w;
    text->escaped = false;
    for (;;) {
        w = 0;
        while (s->size - at >= 8 && (memcpy(&w, s->base + at, 8), !(w = json_special(w)))) at += 8;
        if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && w && s->size - at >= 8)
            at += (unsigned)__builtin_ctzll(w) / 8;
        while (at < s->size && s->base[at] >= 0x20 && s->base[at] < 0x80 && s->base[at] != '"' &&
               s->base[at] != '\\')
            at++;
        if (at >= s->size) return json_fail(s, s->size, NUMEL_E_SYNTAX, "the JSON text ends inside a string");
        if (s->base[at] == '"') break;
        if (!string_special(s, &at, &text->escaped)) return false;
    }
    text->raw = (numel_str){ (const char *)s->base + start, (size_t)(at - start) };
    s->at = at + 1;
    return true;
}

static bool is_digit(const struct json_scan *s, uint64_t at)
{
    return at < s->size && s->base[at] >= '0' && s->base[at] <= '9';
}

bool json_u64(struct json_scan *s, uint64_t *value, const char *what)
{
    (void)json_peek(s);
    if (!json_ok(s)) return false;
    uint64_t at = s->at, v = 0, safe = num_min(s->size, at + 19); /* 10^19 - 1 < 2^64 */
    for (; at < safe && s->base[at] >= '0' && s->base[at] <= '9'; at++)
        v = v * 10 + (s->base[at] - (uint64_t)'0');
    if (at == s->at) return unexpected(s, what);
    for (; is_digit(s, at); at++)
        if (!num_mul(&v, v, 10) || !num_add(&v, v, s->base[at] - (uint64_t)'0'))
            return json_fail(s, s->at, NUMEL_E_SYNTAX, "%s does not fit in 64 bits", what);
    if (s->base[s->at] == '0' && at - s->at > 1)
        return json_fail(s, s->at, NUMEL_E_SYNTAX, "%s has a leading zero", what);
    if (at < s->size && (s->base[at] == '.' || (s->base[at] | 0x20) == 'e'))
        return json_fail(s, s->at, NUMEL_E_SYNTAX, "%s is not an integer", what);
    *value = v;
    s->at = at;
    return true;
}

/* A number as serde_json reads it: the digits that fit in 64 bits, and the number of the rest. */
struct decimal {
    uint64_t digits;
    bool full;        /* a digit did not fit; later ones are only counted */
    int64_t exponent; /* of ten */
};

static bool read_digits(struct json_scan *s, struct decimal *d, bool fraction)
{
    if (!is_digit(s, s->at)) return unexpected(s, "a digit");
    for (; is_digit(s, s->at); s->at++) {
        uint64_t more;
        d->full |= !num_mul(&more, d->digits, 10) || !num_add(&more, more, s->base[s->at] - (uint64_t)'0');
        if (!d->full) d->digits = more;
        d->exponent += d->full - fraction;
    }
    return true;
}

/* Reads the exponent after the e. It stops growing when it is larger than any relevant one. */
static bool read_exponent(struct json_scan *s, struct decimal *d)
{
    enum { FAR = 1 << 30 };
    int64_t exponent = 0;
    bool minus = s->at < s->size && s->base[s->at] == '-';
    if (s->at < s->size && (s->base[s->at] == '+' || minus)) s->at++;
    if (!is_digit(s, s->at)) return unexpected(s, "a digit");
    for (; is_digit(s, s->at); s->at++)
        if (exponent < FAR) exponent = exponent * 10 + (s->base[s->at] - '0');
    d->exponent += minus ? -exponent : exponent;
    return true;
}

/* True if digits * 10^exponent is finite when rounded like in serde_json: each factor, then the product. */
static bool is_finite(const struct decimal *d)
{
    char power[32];
    if (!d->digits || d->exponent <= 0) return true;
    if (d->exponent > DBL_MAX_10_EXP) return false;
    snprintf(power, sizeof power, "1e%d", (int)d->exponent);
    return (double)d->digits * strtod(power, NULL) <= DBL_MAX;
}

static bool skip_number(struct json_scan *s)
{
    struct decimal d = { 0 };
    uint64_t start = s->at;
    if (s->base[s->at] == '-') s->at++;
    if (is_digit(s, s->at) && s->base[s->at] == '0' && is_digit(s, s->at + 1))
        return json_fail(s, s->at, NUMEL_E_SYNTAX, "a number has a leading zero");
    if (!read_digits(s, &d, false)) return false;
    if (s->at < s->size && s->base[s->at] == '.') {
        s->at++;
        if (!read_digits(s, &d, true)) return false;
    }
    if (s->at < s->size && (s->base[s->at] | 0x20) == 'e') {
        s->at++;
        if (!read_exponent(s, &d)) return false;
    }
    if (s->beyond == JSON_NOWHERE && !is_finite(&d)) s->beyond = start;
    return true;
}

bool json_word(struct json_scan *s, const char *word)
{
    size_t n = strlen(word);
    (void)json_peek(s);
    if (!json_ok(s)) return false;
    if (s->size - s->at < n || memcmp(s->base + s->at, word, n) != 0) return unexpected(s, "a JSON value");
    s->at += n;
    return true;
}

/* Constants that Python's json.dump() writes for values that are not numbers. */
static bool skip_constant(struct json_scan *s)
{
    static const char *const words[] = { "NaN", "Infinity", "-Infinity" };
    for (size_t i = 0; s->constants && i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (s->size - s->at < n || memcmp(s->base + s->at, words[i], n) != 0) continue;
        s->at += n;
        return true;
    }
    return false;
}

/* Skips a value without children. */
static bool skip_scalar(struct json_scan *s, uint8_t c)
{
    struct json_text ignored;
    if ((c == 'N' || c == 'I' || c == '-') && skip_constant(s)) return true;
    switch (c) {
    case '"': return json_string(s, &ignored);
    case 'n': return json_word(s, "null");
    case 't': return json_word(s, "true");
    case 'f': return json_word(s, "false");
    default:
        if (c == '-' || (c >= '0' && c <= '9')) return skip_number(s);
        return unexpected(s, "a JSON value");
    }
}

bool json_skip(struct json_scan *s)
{
    uint8_t c = json_peek(s);
    struct json_text key;
    if (!json_ok(s)) return false;
    s->values++;
    s->strings += c == '"';
    if (c == '{') {
        if (!json_open(s, '{')) return false;
        for (; json_more(s, '}'); s->strings++)
            if (!json_key(s, &key) || !json_skip(s)) return false;
    } else if (c == '[') {
        if (!json_open(s, '[')) return false;
        while (json_more(s, ']'))
            if (!json_skip(s)) return false;
    } else {
        return skip_scalar(s, c);
    }
    return json_ok(s);
}

bool json_finish(struct json_scan *s)
{
    (void)json_peek(s);
    if (!json_ok(s)) return false;
    return s->at >= s->size || unexpected(s, "the end of the JSON text");
}

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    unsigned len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (unsigned i = len - 1; i > 0; i--, c >>= 6) to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)((0xF00u >> len) | c);
    return len;
}

bool json_unescape(struct json_scan *s, struct arena *a, struct json_text text, numel_str *out)
{
    *out = text.raw;
    if (!text.escaped) return true;
    char *to = arena_alloc(a, text.raw.n); /* an escape is at least as long as its character */
    if (!to) return error_nomem(s->error);
    size_t n = 0;
    for (size_t i = 0; i < text.raw.n;) {
        uint32_t code = 0;
        if (text.raw.p[i] != '\\') {
            to[n++] = text.raw.p[i++];
            continue;
        }
        i += 1 + escape_at((const uint8_t *)text.raw.p + i + 1, text.raw.n - i - 1, &code);
        n += put_utf8(to + n, code);
    }
    *out = (numel_str){ to, n };
    return true;
}
