/*
 * json_scan.h -- a strict JSON scanner for headers: one pass, no tree, no copies.
 *
 * The caller drives it with the grammar it expects; everything else is skipped, but still checked. Strict
 * means RFC 8259 as safetensors' reference parser (serde_json) reads it: no BOM, no comments, no trailing
 * commas, no leading zeros, control characters and lone surrogates refused, nesting at most 127, UTF-8
 * throughout. Integers are exact or refused.
 *
 *     if (json_open(s, '{'))
 *         while (json_more(s, '}'))
 *             if (json_key(s, &key)) json_skip(s);
 *     json_finish(s);
 *     if (!json_ok(s)) ...
 *
 * The first failure is sticky, as in cursor.h, and has the offset of the wrong byte.
 */
#ifndef NUMEL_BASE_JSON_SCAN_H
#define NUMEL_BASE_JSON_SCAN_H

#include "base/memory.h"
#include "base/num.h"

enum { JSON_DEPTH = 127 };
#define JSON_NOWHERE UINT64_MAX

struct json_scan {
    const uint8_t *base;
    uint64_t size, at;
    uint64_t origin; /* added to offsets in errors: where base is in the file */
    bool first[JSON_DEPTH + 1];
    unsigned depth;
    uint64_t values, strings; /* numbers skipped by json_skip(), for estimating the size of a tree */
    uint64_t beyond;          /* the first skipped number too large for a double, which serde_json refuses;
                      * JSON_NOWHERE: none */
    bool constants;           /* accepts Python's NaN and Infinity; json_start() clears it */
    numel_error *error;
};

/* The content of a string, still escaped. */
struct json_text {
    numel_str raw;
    bool escaped;
};

/* Marks, in the high bit of each byte, whatever ends a plain run of a string: ", \\, a control character,
 * non-ASCII. These are the classic tricks "has zero byte" and "has byte less than n". A borrow may mark a
 * byte above a real hit, but never below, so in a little-endian word the lowest mark is exact. */
static inline uint64_t json_special(uint64_t w)
{
    const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
    uint64_t quote = w ^ (ones * '"'), slash = w ^ (ones * '\\');
    return (((quote - ones) | (slash - ones) | (w - ones * 0x20)) | w) & high;
}

void json_start(struct json_scan *s, const void *p, uint64_t n, uint64_t origin, numel_error *);
static inline bool json_ok(const struct json_scan *s) { return error_free(s->error); }
bool json_fail(struct json_scan *s, uint64_t at, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The first byte of the next value after white space; 0 at the end or after a failure. */
uint8_t json_peek_far(struct json_scan *s);
static inline uint8_t json_peek(struct json_scan *s)
{
    if (s->at < s->size && s->base[s->at] > ' ' && json_ok(s)) return s->base[s->at];
    return json_peek_far(s);
}
bool json_open(struct json_scan *s, char bracket); /* '{' or '[' */
/* True if another item follows, whose comma it reads; else reads the closing bracket. */
bool json_more(struct json_scan *s, char close);
bool json_key(struct json_scan *s, struct json_text *key); /* and its colon */
/* Both: false at the end of an object, and after a failure. */
static inline bool json_member(struct json_scan *s, struct json_text *key)
{
    return json_more(s, '}') && json_key(s, key);
}
bool json_string(struct json_scan *s, struct json_text *text);
bool json_u64(struct json_scan *s, uint64_t *value, const char *what);
bool json_word(struct json_scan *s, const char *word); /* null, true, false */
bool json_skip(struct json_scan *s);                   /* any value */
bool json_finish(struct json_scan *s);                 /* only white space is left */

/* The string as text: a slice of the input, or if it had escapes, a copy in the arena. */
NUMEL_MUST bool json_unescape(struct json_scan *s, struct arena *a, struct json_text text, numel_str *out);

#endif
