/*
 * encode_gguf.c -- GGUF 2 and 3, either byte order, written from its definition alone.
 *
 *   "GGUF" u32 version, u64 tensors, u64 pairs, the pairs, the tensor table, zeros up to the
 *   alignment. Dimensions are stored innermost first, offsets count from the end of the zeros.
 *
 * A split set follows gguf-split: the first file has every pair; each file has split.no, split.count and
 * split.tensors.count, and the table of its own tensors.
 */
#include "draft.h"

#include <stdlib.h>
#include <string.h>

/* In numeric order; width 0 if not fixed. */
static const struct value_type {
    const char *name;
    unsigned width;
} types[] = { { "u8", 1 },  { "i8", 1 },  { "u16", 2 },  { "i16", 2 },    { "u32", 4 },
              { "i32", 4 }, { "f32", 4 }, { "bool", 1 }, { "string", 0 }, { "array", 0 },
              { "u64", 8 }, { "i64", 8 }, { "f64", 8 } };
enum { T_U16 = 2, T_I32 = 5, T_F32 = 6, T_BOOL = 7, T_STRING = 8, T_ARRAY = 9, T_F64 = 12 };

static unsigned type_find(const char *name, size_t n)
{
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == n && !memcmp(types[i].name, name, n)) return i;
    die("unknown GGUF value type %.*s", (int)n, name);
}

static void put_uint(struct buffer *b, bool big, uint64_t v, unsigned width)
{
    for (unsigned i = 0; i < width; i++) buffer_char(b, (char)(uint8_t)(v >> 8 * (big ? width - 1 - i : i)));
}

static void put_string(struct buffer *b, bool big, const char *p, size_t n)
{
    put_uint(b, big, n, 8);
    buffer_add(b, p, n);
}

/* The bits of a value, from a word of a description. */
static uint64_t bits_of(unsigned type, const char *word)
{
    uint64_t bits = 0;
    if (type == T_F32) {
        float f = strtof(word, NULL);
        uint32_t u;
        memcpy(&u, &f, sizeof u);
        bits = u;
    } else if (type == T_F64) {
        double d = strtod(word, NULL);
        memcpy(&bits, &d, sizeof bits);
    } else if (type == T_BOOL) {
        bits = !strcmp(word, "true");
    } else {
        bits = word[0] == '-' ? (uint64_t)strtoll(word, NULL, 10) : strtoull(word, NULL, 10);
    }
    return bits;
}

static void put_value(struct draft *m, unsigned type, const char *word, size_t n)
{
    char *copy = must(arena_text(&m->arena, word, n));
    if (type == T_STRING) put_string(&m->kv, m->big_endian, word, n);
    else put_uint(&m->kv, m->big_endian, bits_of(type, copy), types[type].width);
}

static void put_key(struct draft *m, const char *key, unsigned type)
{
    m->kv_count++;
    put_string(&m->kv, m->big_endian, key, strlen(key));
    put_uint(&m->kv, m->big_endian, type, 4);
}

static void put_array(struct draft *m, const char *key, unsigned type, uint64_t n)
{
    put_key(m, key, T_ARRAY);
    put_uint(&m->kv, m->big_endian, type, 4);
    put_uint(&m->kv, m->big_endian, n, 8);
}

/* Counts the words of `text`, and writes them if `type` is set. */
static uint64_t words(struct draft *m, unsigned type, const char *text, bool write)
{
    uint64_t n = 0;
    for (const char *p = text + strspn(text, " "); *p; p += strspn(p, " ")) {
        size_t length = strcspn(p, " ");
        if (write) put_value(m, type, p, length);
        p += length;
        n++;
    }
    return n;
}

void gguf_value(struct draft *m, const char *type, const char *key, const char *text)
{
    size_t n = strlen(type);
    if (type[0] == '[') {
        unsigned t = type_find(type + 1, n - 2);
        put_array(m, key, t, words(m, t, text, false));
        words(m, t, text, true);
    } else {
        unsigned t = type_find(type, n);
        put_key(m, key, t);
        put_value(m, t, text, strlen(text));
    }
    if (!strcmp(key, "general.alignment")) m->alignment = (uint32_t)strtoul(text, NULL, 10);
}

void gguf_strings(struct draft *m, const char *key, uint64_t n, uint64_t period, const char *prefix)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    put_array(m, key, T_STRING, n);
    for (uint64_t i = 0; i < n; i++) {
        char word[96];
        size_t at = sizeof word, start = strlen(prefix);
        uint64_t v = period ? i % period : i;
        do {
            word[--at] = digits[v % 36];
        } while (v /= 36);
        if (start > at) die("prefix too long");
        memcpy(word + at - start, prefix, start);
        put_string(&m->kv, m->big_endian, word + at - start, sizeof word - at + start);
    }
}

void gguf_numbers(struct draft *m, const char *type, const char *key, uint64_t n, const char *value)
{
    unsigned t = type_find(type, strlen(type));
    uint64_t bits = bits_of(t, value);
    put_array(m, key, t, n);
    for (uint64_t i = 0; i < n; i++) put_uint(&m->kv, m->big_endian, bits, types[t].width);
}

/* ---- the file ----------------------------------------------------------------------------- */

static void put_split(struct draft *m, struct buffer *b, const char *key, unsigned type, uint64_t v)
{
    put_string(b, m->big_endian, key, strlen(key));
    put_uint(b, m->big_endian, type, 4);
    put_uint(b, m->big_endian, v, types[type].width);
}

static void put_info(struct buffer *b, bool big, const struct made *t, uint64_t at)
{
    put_string(b, big, t->name, strlen(t->name));
    put_uint(b, big, t->ndim, 4);
    for (unsigned i = t->ndim; i-- > 0;) put_uint(b, big, t->dims[i], 8);
    put_uint(b, big, (uint64_t)t->kind->id, 4);
    put_uint(b, big, at, 8);
}

static uint64_t table(struct draft *m, unsigned file, struct buffer *out)
{
    uint64_t at = 0;
    for (size_t i = 0; i < m->count; i++) {
        const struct made *t = &m->tensors[i];
        if (t->file != file) continue;
        put_info(out, m->big_endian, t, at);
        if (!num_align(&at, at + t->bytes, m->alignment)) die("offsets do not fit");
    }
    return at;
}

static uint64_t tensors_in(const struct draft *m, unsigned file)
{
    uint64_t n = 0;
    for (size_t i = 0; i < m->count; i++) n += m->tensors[i].file == file;
    return n;
}

void encode_gguf(struct draft *m, unsigned file, struct buffer *out, uint64_t *data)
{
    bool big = m->big_endian, split = m->files > 1;
    buffer_text(out, "GGUF");
    put_uint(out, big, m->version, 4);
    put_uint(out, big, tensors_in(m, file), 8);
    put_uint(out, big, (file ? 0 : m->kv_count) + (split ? 3 : 0), 8);
    if (!file) buffer_add(out, m->kv.p, m->kv.n);
    if (split) {
        put_split(m, out, "split.no", T_U16, file);
        put_split(m, out, "split.count", T_U16, m->files);
        put_split(m, out, "split.tensors.count", T_I32, m->count);
    }
    *data = table(m, file, out);
    buffer_fill(out, '\0', (m->alignment - out->n % m->alignment) % m->alignment);
    if (out->failed || m->kv.failed) die("out of memory");
}
