/* splice.c -- see splice.h. */
#include "splice.h"

#include "formula/embedded.h"

#include <string.h>

static const char *const splice_borders[] = {
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "64",
    "100",
    "255",
    "256",
    "4095",
    "4096",
    "65535",
    "65536",
    "100000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740991",
    "9007199254740992",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e309",
    "-9223372036854775808",
    "0.5",
    "1.5",
    "1e-9",
    "-0",
    "null",
    "true",
    "false",
    "\"x\"",
    "\"\"",
    "\"4096\"",
    "[]",
    "{}",
    "[1]",
    "[0,1,2]",
    "[\"full_attention\",\"sliding_attention\"]",
    "[[1,2],[3]]",
    "{\"a\":{}}",
    "NaN",
    "Infinity",
};
enum { SPLICE_BORDERS = sizeof splice_borders / sizeof *splice_borders };

/* ---- chance ------------------------------------------------------------------------------- */

struct splice {
    uint8_t *data;
    size_t size, max;
    uint64_t state;
};

static uint32_t splice_chance(struct splice *s, size_t below)
{
    s->state = s->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below ? (uint32_t)((s->state >> 33) % below) : 0;
}

/* Replaces `gone` bytes by text; does nothing if there is no room. */
static bool splice_put(struct splice *s, size_t at, size_t gone, const void *text, size_t n)
{
    if (at > s->size || gone > s->size - at || s->size - gone + n > s->max) return false;
    uint8_t *copy = malloc(n + 1);
    if (!copy) abort();
    if (n) memcpy(copy, text, n);
    memmove(s->data + at + n, s->data + at + gone, s->size - at - gone);
    if (n) memcpy(s->data + at, copy, n);
    s->size = s->size - gone + n;
    free(copy);
    return true;
}

static bool splice_border(struct splice *s, size_t at, size_t gone)
{
    const char *text = splice_borders[splice_chance(s, SPLICE_BORDERS)];
    return splice_put(s, at, gone, text, strlen(text));
}

static size_t splice_bytes(struct splice *s) { return LLVMFuzzerMutate(s->data, s->size, s->max); }

/* ---- pools from real files ---------------------------------------------------------------- */

void splice_keep(struct splice_pool *p, numel_str text)
{
    if (p->count == p->cap) {
        p->cap = p->cap ? p->cap * 2 : 256;
        p->items = realloc(p->items, p->cap * sizeof *p->items);
        if (!p->items) abort();
    }
    p->items[p->count++] = text;
}

static void splice_keep_lines(struct splice_pool *p, numel_str text)
{
    while (text.n) {
        numel_str line = text_line(&text);
        if (line.n) splice_keep(p, line);
    }
}

void splice_built_in(struct splice_pool *p, enum splice_kind kind)
{
    for (uint32_t i = 0; i < embedded_count; i++) {
        const struct embedded_file *f = &embedded_files[i];
        numel_str name = { embedded_text + f->name, f->name_bytes },
                  all = { embedded_text + f->text, f->bytes };
        bool spec = f->kind == EMBEDDED_ARCH || f->kind == EMBEDDED_BLOCK;
        if (spec && kind == SPLICE_SPECS) splice_keep_lines(p, (numel_str){ all.p, f->spec_bytes });
        if (spec && kind == SPLICE_PRINTS)
            splice_keep_lines(p, (numel_str){ all.p + f->spec_bytes, all.n - f->spec_bytes });
        if (f->kind == EMBEDDED_PRINT && kind == SPLICE_PRINTS) splice_keep_lines(p, all);
        if (text_ends(name, ".layout") && kind == SPLICE_LAYOUTS) splice_keep_lines(p, all);
        if (text_ends(name, ".forms") && kind == SPLICE_FORMS) splice_keep_lines(p, all);
    }
}

void splice_built_in_words(struct splice_pool *p, const char *before)
{
    for (uint32_t i = 0; i < embedded_count; i++) {
        const char *at = embedded_text + embedded_files[i].text, *end = at + embedded_files[i].bytes;
        size_t n = strlen(before);
        for (; (size_t)(end - at) > n; at++) {
            const char *quote =
                memcmp(at, before, n) == 0 ? memchr(at + n, '"', (size_t)(end - at) - n) : NULL;
            if (quote) splice_keep(p, (numel_str){ at + n, (size_t)(quote - at) - n });
        }
    }
}

void splice_built_in_models(struct splice_pool *p)
{
    for (uint32_t i = 0; i < embedded_key_count; i++)
        splice_keep(p, (numel_str){ embedded_text + embedded_keys[i].word, embedded_keys[i].word_bytes });
}

/* ---- lines -------------------------------------------------------------------------------- */

static numel_str splice_any(struct splice *s, const struct splice_pool *p)
{
    return p->count ? p->items[splice_chance(s, p->count)] : (numel_str){ "", 0 };
}

/* A line of the current text; *n includes its end. */
static size_t splice_line(struct splice *s, size_t *n)
{
    size_t at = splice_chance(s, s->size), end;
    while (at && s->data[at - 1] != '\n') at--;
    for (end = at; end < s->size && s->data[end] != '\n';) end++;
    *n = end - at + (end < s->size);
    return at;
}

static bool splice_is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c >= 0x80;
}

/* A word of a text; false if there is none. */
static bool splice_word(struct splice *s, const uint8_t *p, size_t size, size_t *at, size_t *n)
{
    size_t from = splice_chance(s, size);
    while (from < size && !splice_is_word(p[from])) from++;
    if (from >= size) return false;
    for (*at = from; *at && splice_is_word(p[*at - 1]);) --*at;
    for (*n = 0; *at + *n < size && splice_is_word(p[*at + *n]);) ++*n;
    return true;
}

static void splice_change_word(struct splice *s, const struct splice_pool *pool)
{
    size_t at, n, from, m;
    if (!splice_word(s, s->data, s->size, &at, &n)) return;
    numel_str line = splice_any(s, pool);
    switch (splice_chance(s, 4)) {
    case 0: splice_border(s, at, n); break;
    case 1:
        if (splice_word(s, (const uint8_t *)line.p, line.n, &from, &m))
            splice_put(s, at, n, line.p + from, m);
        break;
    case 2:
        if (splice_word(s, s->data, s->size, &from, &m)) splice_put(s, at, n, s->data + from, m);
        break;
    default: splice_put(s, at, n, "", 0);
    }
}

static void splice_change_line(struct splice *s, const struct splice_pool *pool)
{
    size_t n, m, at = splice_line(s, &n), from = splice_line(s, &m);
    numel_str line = splice_any(s, pool);
    switch (splice_chance(s, 6)) {
    case 0: splice_put(s, at, n, "", 0); break;
    case 1: splice_put(s, at, 0, s->data + from, m); break;
    case 2: splice_put(s, at, n, s->data + from, m); break;
    default:
        if (splice_put(s, at, splice_chance(s, 2) ? n : 0, "\n", 1)) splice_put(s, at, 0, line.p, line.n);
    }
}

size_t splice_lines(uint8_t *data, size_t size, size_t most, unsigned seed, const struct splice_pool *pool)
{
    struct splice s = { data, size, most, seed };
    unsigned times = 1 + splice_chance(&s, 3);
    if (splice_chance(&s, 4) == 0) return splice_bytes(&s);
    while (times--) {
        if (splice_chance(&s, 2)) splice_change_word(&s, pool);
        else splice_change_line(&s, pool);
    }
    return s.size ? s.size : splice_bytes(&s);
}

/* ---- JSON --------------------------------------------------------------------------------- */

enum { SPLICE_SPANS = 1024 };
struct splice_spans {
    struct {
        size_t at, n;
    } items[SPLICE_SPANS];
    size_t count, objects[SPLICE_SPANS], object_count;
};

/* All values of a text that may be JSON, and the starts of its objects. */
static void splice_find_values(const struct splice *s, struct splice_spans *found)
{
    size_t open[64], depth = 0;
    found->count = found->object_count = 0;
    for (size_t i = 0; i < s->size && found->count < SPLICE_SPANS && found->object_count < SPLICE_SPANS;) {
        size_t from = i;
        uint8_t c = s->data[i++];
        if (c == '"') {
            while (i < s->size && s->data[i] != '"') i += s->data[i] == '\\' ? 2 : 1;
            if (i >= s->size) return;
            i++;
            if (i < s->size && s->data[i] == ':') continue;
        } else if (c == '{' || c == '[') {
            if (c == '{') found->objects[found->object_count++] = i;
            if (depth < 64) open[depth++] = from;
            continue;
        } else if (c == '}' || c == ']') {
            if (!depth) continue;
            from = open[--depth];
        } else if (splice_is_word(c) || c == '-') {
            while (i < s->size && (splice_is_word(s->data[i]) || strchr("+-.", s->data[i]))) i++;
        } else {
            continue;
        }
        found->items[found->count].at = from;
        found->items[found->count++].n = i - from;
    }
}

/* "a.b": V is "a":{"b":V}, */
static void splice_insert_key(struct splice *s, size_t at, numel_str path)
{
    const char *value = splice_borders[splice_chance(s, SPLICE_BORDERS)];
    char text[512];
    size_t n = 0, depth = 0;
    for (size_t i = 0; i <= path.n && path.n < 100; i++) {
        if (i == path.n || path.p[i] == '.') {
            memcpy(text + n, i == path.n ? "\":" : "\":{\"", i == path.n ? 2 : 4);
            n += i == path.n ? 2 : 4;
            depth += i < path.n;
        } else {
            if (n == 0) text[n++] = '"';
            text[n++] = path.p[i];
        }
    }
    if (!n || strlen(value) > 60 || depth > 20) return;
    memcpy(text + n, value, strlen(value));
    n += strlen(value);
    while (depth--) text[n++] = '}';
    text[n++] = ',';
    splice_put(s, at, 0, text, n);
}

static void splice_change_value(struct splice *s, const struct splice_pool *keys,
                                const struct splice_pool *texts)
{
    static struct splice_spans found;
    splice_find_values(s, &found);
    size_t i = splice_chance(s, found.count), k = splice_chance(s, found.count);
    numel_str text = splice_any(s, texts);
    char quoted[200];
    switch (found.count ? splice_chance(s, 6) : 4) {
    case 0:
    case 1: splice_border(s, found.items[i].at, found.items[i].n); break;
    case 2:
        splice_put(s, found.items[i].at, found.items[i].n, s->data + found.items[k].at, found.items[k].n);
        break;
    case 3:
        if (text.n + 3 > sizeof quoted) break;
        quoted[0] = quoted[text.n + 1] = '"';
        memcpy(quoted + 1, text.p, text.n);
        splice_put(s, found.items[i].at, found.items[i].n, quoted, text.n + 2);
        break;
    default:
        if (found.object_count)
            splice_insert_key(s, found.objects[splice_chance(s, found.object_count)], splice_any(s, keys));
        else splice_put(s, 0, s->size, "{}", 2);
    }
}

size_t splice_json(uint8_t *data, size_t size, size_t most, unsigned seed, const struct splice_pool *keys,
                   const struct splice_pool *texts)
{
    struct splice s = { data, size, most, seed };
    unsigned times = 1 + splice_chance(&s, 3);
    if (splice_chance(&s, 5) == 0) return splice_bytes(&s);
    while (times--) splice_change_value(&s, keys, texts);
    return s.size ? s.size : splice_bytes(&s);
}
