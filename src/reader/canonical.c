/*
 * canonical.c -- the text that the reference implementation (Rust, serde_json) writes for a tensor:
 *
 *     "model.norm.weight":{"dtype":"BF16","shape":[7168],"data_offsets":[0,14336]}
 *
 * No white space, the fields in this order, numbers without a sign, a fraction or a leading zero. Nearly
 * every file in use has only such entries, so there is nothing to parse between the values: the text is
 * compared with the expected one. Strings are searched and digits added up eight bytes at a time.
 *
 * One bound is enough. After its name a canonical entry has at most LONGEST bytes, so if that many
 * follow the name, no further check can read past the text. Entries closer to the end are not accepted.
 */
#include "reader/canonical.h"

#include "base/hash.h"
#include "base/json_scan.h"
#include "base/num.h"
#include "base/text.h"
#include "registry/dtype.h"

#include <string.h>

enum {
    MOST_DIGITS = 19, /* 10^19 - 1 < 2^64 */
    LONGEST_DTYPE = 24,
    /* `":{"dtype":"`, `","shape":[`, `],"data_offsets":[` and `]}` are 43 bytes, and digits() looks
     * at up to 24 bytes of the last number */
    LONGEST = 43 + LONGEST_DTYPE + (CANONICAL_DIMS + 2) * (MOST_DIGITS + 1) + 24
};

static inline numel_str text_to(const uint8_t *from, const uint8_t *to)
{
    return text_span((const char *)from, (const char *)to);
}

/* The place after the text, if it is at p; else NULL. */
static inline const uint8_t *literal(const uint8_t *p, const char *text)
{
    size_t n = strlen(text);
    return memcmp(p, text, n) == 0 ? p + n : NULL;
}

/* The closing quote of a string of plain ASCII; NULL if it has other characters. */
static inline const uint8_t *plain_end(const uint8_t *p, const uint8_t *end)
{
    for (; end - p >= 8; p += 8) {
        uint64_t special = json_special(num_word(p));
        if (!special) continue;
        p += (unsigned)__builtin_ctzll(special) / 8;
        return *p == '"' ? p : NULL;
    }
    return NULL;
}

/* The number with n digits (1 to 8), the first in the lowest byte of the word: pairs become numbers
 * below 100, these become numbers below 10,000, and so on. */
static inline uint64_t join_digits(uint64_t word, unsigned n)
{
    word <<= 64 - 8 * n; /* leading zeros */
    word = (word & 0x0F0F0F0F0F0F0F0Fu) * (10 * 256 + 1) >> 8;
    word = (word & 0x00FF00FF00FF00FFu) * (100 * 65536 + 1) >> 16;
    return (word & 0x0000FFFF0000FFFFu) * (10000 * (UINT64_C(1) << 32) + 1) >> 32;
}

/* The number of leading digits in a word. */
static inline unsigned count_digits(uint64_t word)
{
    uint64_t t = word ^ 0x3030303030303030u; /* a digit is now 0 to 9 */
    uint64_t others = ((t + 0x7676767676767676u) | t) & 0x8080808080808080u;
    return others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
}

/* The place after a number of 1 to 19 digits; NULL if it is missing, longer, or has a leading zero. */
static inline const uint8_t *digits(const uint8_t *p, uint64_t *value)
{
    static const uint32_t power[] = { 1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000 };
    const uint8_t *start = p;
    uint64_t word, v = 0;
    unsigned n = 8;
    while (n == 8 && p - start < 24) {
        word = num_word(p);
        n = count_digits(word);
        if (n) v = v * power[n] + join_digits(word, n);
        p += n;
    }
    *value = v;
    return p > start && p - start <= MOST_DIGITS && (*start != '0' || p - start == 1) ? p : NULL;
}

/* ---- the fields --------------------------------------------------------------------------- */

/* Does p repeat the text of an earlier entry? At least 8 more bytes follow both. */
static inline bool again(const uint8_t *p, numel_str before)
{
    const char *q = before.p;
    size_t n = before.n;
    if (!n) return false;
    for (; n >= 8; n -= 8, p += 8, q += 8)
        if (num_word(p) != num_word(q)) return false;
    return !n || (num_word(p) ^ num_word(q)) << (64 - 8 * n) == 0;
}

/* Returns the quote after the type. */
static inline const uint8_t *type(const uint8_t *p, struct canonical *out)
{
    const uint8_t *start = p;
    uint64_t word = num_word(p);
    if (out->dtype_bytes && word == out->dtype_word) return p + out->dtype_bytes;
    p = plain_end(p, p + LONGEST_DTYPE);
    if (!p) return NULL;
    numel_str name = text_to(start, p);
    out->dtype = dtype_safetensors(name);
    out->dtype_word = word;
    out->dtype_bytes = out->dtype && name.n < 8 ? name.n : 0;
    return out->dtype ? p : NULL;
}

/* Returns the closing bracket. */
static const uint8_t *dimensions(const uint8_t *p, struct canonical_shape *s)
{
    s->elements = 1;
    s->fits = true;
    while (*p != ']') {
        if (s->ndim == CANONICAL_DIMS || (s->ndim && *p++ != ',')) return NULL;
        uint64_t *dim = &s->dims[s->ndim++];
        p = digits(p, dim);
        if (!p) return NULL;
        s->fits = s->fits && num_mul(&s->elements, s->elements, *dim);
    }
    return p;
}

/* Returns the closing bracket. The slot of a remembered shape depends on the first 8 bytes of its text; a
 * later shape replaces an earlier one. */
static inline const uint8_t *shape(const uint8_t *p, struct canonical *out)
{
    uint64_t hash = hash_fold(num_word(p), UINT64_C(0x9E3779B97F4A7C15));
    struct canonical_shape *s = &out->shapes[hash % CANONICAL_SHAPES];
    out->shape = s;
    if (again(p, s->text)) return p + s->text.n; /* fields() checks the bracket */
    *s = (struct canonical_shape){ .ndim = 0 };
    const uint8_t *start = p;
    p = dimensions(p, s);
    if (p) s->text = text_to(start, p);
    return p;
}

/* The place after both. The first usually equals the previous entry's last, in the same digits. */
static inline const uint8_t *offsets(const uint8_t *p, struct canonical *out)
{
    numel_str before = out->end_text;
    if (again(p, before) && p[before.n] == ',') {
        out->begin = out->end;
        p += before.n;
    } else {
        p = digits(p, &out->begin);
        if (!p || *p != ',') return NULL;
    }
    const uint8_t *start = ++p;
    p = digits(p, &out->end);
    out->end_text = p ? text_to(start, p) : (numel_str){ NULL, 0 };
    return p;
}

/* Reads from the name's closing quote on; returns the place after the entry. */
static inline const uint8_t *fields(const uint8_t *p, struct canonical *out)
{
    return (p = literal(p, "\":{\"dtype\":\"")) && (p = type(p, out)) && (p = literal(p, "\",\"shape\":[")) &&
                   (p = shape(p, out)) && (p = literal(p, "],\"data_offsets\":[")) && (p = offsets(p, out))
               ? literal(p, "]}")
               : NULL;
}

size_t canonical_entry(const uint8_t *p, uint64_t n, struct canonical *out)
{
    const uint8_t *start = p, *end = p + n;
    bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; /* the first byte of a word is its lowest */
    if (!little || n < 1 || *p != '"') return 0;
    p = plain_end(p + 1, end);
    if (!p || end - p < LONGEST) return 0;
    out->name = text_to(start + 1, p);
    p = fields(p, out);
    return p ? (size_t)(p - start) : 0;
}
