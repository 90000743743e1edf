/*
 * gguf_meta.c -- GGUF's key/value pairs, read without copying.
 *
 *     pair   = key: string, type: u32, value
 *     string = length: u64 (u32 in v1), bytes
 *     array  = element type: u32, count: u64 (u32 in v1), elements
 *
 * A vocabulary is an array of 262,144 strings: it must be walked, since strings have no index,
 * but only its position is kept. Numeric arrays are skipped in one step.
 */
#include "reader/gguf_meta.h"

#include "base/text.h"

enum { NESTING = 4 }; /* of arrays in arrays; the reference allows none, the format's document any depth */

numel_str gguf_string(struct gguf *g, const char *what)
{
    uint64_t at = g->c.at, n = cursor_uint(&g->c, g->length_bytes, what);
    if (cursor_ok(&g->c) && g->r->longest && n > g->r->longest)
        cursor_fail(&g->c, at, NUMEL_E_LIMIT, READING_LONG, what, n, g->r->longest);
    if (cursor_ok(&g->c) && n > cursor_left(&g->c))
        cursor_fail(&g->c, at, NUMEL_E_TRUNCATED, "%s needs %" PRIu64 " bytes, %" PRIu64 " left", what, n,
                    cursor_left(&g->c));
    const uint8_t *p = cursor_take(&g->c, n, what);
    return (numel_str){ (const char *)p, p ? (size_t)n : 0 };
}

/* ---- arrays ------------------------------------------------------------------------------- */

/* Skips strings with eight-byte lengths. `spare` is the room for the strings besides all remaining lengths:
 * while a string fits in it, the next length is in the file too, so one comparison per string is enough.
 * Stops before the first one that does not fit in it; that one may or may not fit in the file. */
static uint64_t skip_fitting(struct cursor *c, uint64_t count, uint64_t spare)
{
    const uint8_t *p = c->base + c->at;
    bool big_endian = c->big_endian;
    for (; count; count--) {
        uint64_t n = num_load64(p, big_endian);
        if (n > spare) break;
        spare -= n;
        p += 8 + n;
    }
    c->at = (uint64_t)(p - c->base);
    return count;
}

static void skip_strings(struct gguf *g, uint64_t count)
{
    struct cursor *c = &g->c;
    if (g->length_bytes == 8 && count <= cursor_left(c) / 8)
        count = skip_fitting(c, count, cursor_left(c) - 8 * count);
    for (; count; count--) { /* version 1, or a string that runs past the end: gguf_string() reports where */
        uint64_t n = 0, left = cursor_left(c);
        if (left >= g->length_bytes) n = num_load(c->base + c->at, g->length_bytes, c->big_endian);
        if (left < g->length_bytes || n > left - g->length_bytes) {
            (void)gguf_string(g, "an array's string");
            return;
        }
        c->at += g->length_bytes + n;
    }
}

static void skip_array(struct gguf *g, struct metadata_array *a, numel_str key, unsigned depth);

/* `at` is the offset of the count. */
static void skip_elements(struct gguf *g, struct metadata_array *a, uint64_t at, numel_str key,
                          unsigned depth)
{
    struct metadata_array inner;
    unsigned bytes = metadata_type_bytes(a->type);
    uint64_t total = 0;
    if (a->type == META_STRING) {
        if (cursor_count(&g->c, at, a->count, g->length_bytes, "strings of an array"))
            skip_strings(g, a->count);
    } else if (a->type == META_ARRAY) {
        cursor_count(&g->c, at, a->count, 4 + g->length_bytes, "arrays of an array");
        for (uint64_t i = 0; i < a->count && cursor_ok(&g->c); i++) skip_array(g, &inner, key, depth + 1);
    } else if (!num_mul(&total, a->count, bytes) || total > cursor_left(&g->c)) {
        cursor_fail(&g->c, at, NUMEL_E_TRUNCATED,
                    "an array of %" PRIu64 " %s needs %" PRIu64 " bytes each, %" PRIu64 " bytes left",
                    a->count, metadata_type_name(a->type), (uint64_t)bytes, cursor_left(&g->c));
    } else {
        cursor_take(&g->c, total, "an array");
    }
}

static void skip_array(struct gguf *g, struct metadata_array *a, numel_str key, unsigned depth)
{
    char name[TEXT_QUOTE];
    uint64_t at = g->c.at, type = cursor_uint(&g->c, 4, "an array's element type");
    uint64_t counted = g->c.at;
    a->count = cursor_uint(&g->c, g->length_bytes, "an array's count");
    if (!cursor_ok(&g->c)) return;
    if (type >= META_TYPES) {
        cursor_fail(&g->c, at, NUMEL_E_RANGE, "key %s: array element type %" PRIu64 " is not 0 to %d",
                    text_quote(name, key), type, META_TYPES - 1);
        return;
    }
    if (depth == NESTING) {
        cursor_fail(&g->c, at, NUMEL_E_LIMIT, "key %s: arrays nested deeper than %d", text_quote(name, key),
                    NESTING);
        return;
    }
    a->type = (enum metadata_type)type;
    a->data = g->c.base + g->c.at;
    uint64_t begin = g->c.at;
    skip_elements(g, a, counted, key, depth);
    a->bytes = g->c.at - begin;
    a->big_endian = g->c.big_endian;
    a->length_bytes = (uint8_t)g->length_bytes;
}

/* Small arrays outlive the mapping. */
NUMEL_MUST static bool keep_array(struct gguf *g, struct metadata_array *a)
{
    if (a->bytes > METADATA_COPY) {
        a->mapped = true;
        return true;
    }
    a->mapped = false;
    a->data = arena_copy(g->r->arena, a->data, (size_t)a->bytes);
    return a->data || error_nomem(g->r->error);
}

/* ---- values ------------------------------------------------------------------------------- */

NUMEL_MUST static bool read_string_value(struct gguf *g, struct metadata_entry *e)
{
    char name[TEXT_QUOTE];
    numel_str s = gguf_string(g, "a string");
    if (!cursor_ok(&g->c)) return false;
    if (text_utf8((const uint8_t *)s.p, s.n) < s.n)
        reading_find(g->r, FINDING_VALUE_UTF8, NO_TENSOR, e->offset, "the value of key %s is not UTF-8",
                     text_quote(name, e->key));
    e->value.s = (numel_str){ arena_copy(g->r->arena, s.p, s.n), s.n };
    return e->value.s.p || error_nomem(g->r->error);
}

static bool read_scalar(struct gguf *g, struct metadata_entry *e)
{
    char name[TEXT_QUOTE];
    unsigned bytes = metadata_type_bytes(e->type);
    const uint8_t *p = cursor_take(&g->c, bytes, "a value");
    uint64_t at = 0;
    if (!p) return false;
    struct metadata_array one = {
        .type = e->type, .count = 1, .bytes = bytes, .data = p, .big_endian = g->c.big_endian
    };
    metadata_next(&one, &at, &e->value);
    if (e->type == META_BOOL && e->value.u > 1)
        reading_find(g->r, FINDING_VALUE_BOOL, NO_TENSOR, e->offset,
                     "key %s: the bool is %" PRIu64 ", not 0 or 1", text_quote(name, e->key), e->value.u);
    return true;
}

NUMEL_MUST static bool read_value(struct gguf *g, struct metadata_entry *e)
{
    char name[TEXT_QUOTE];
    e->value.type = e->type;
    if (e->type == META_STRING) return read_string_value(g, e);
    if (e->type != META_ARRAY) return read_scalar(g, e);
    skip_array(g, &e->array, e->key, 0);
    if (!cursor_ok(&g->c)) return false;
    if (e->array.type == META_ARRAY)
        reading_find(g->r, FINDING_ARRAY_NESTED, NO_TENSOR, e->offset,
                     "key %s is an array of arrays: legal, but llama.cpp refuses it",
                     text_quote(name, e->key));
    return keep_array(g, &e->array);
}

/* ---- pairs -------------------------------------------------------------------------------- */

static bool read_alignment(struct gguf *g, const struct metadata_entry *e)
{
    uint64_t a = e->value.u;
    if (e->type != META_U32)
        return reading_refuse(g->r, FINDING_ALIGNMENT_BAD, NUMEL_E_TYPE, NO_TENSOR, e->offset,
                              "general.alignment is %s, not u32", metadata_type_name(e->type));
    bool power = a && (a & (a - 1)) == 0;
    if (!a || (!power && a % 8))
        return reading_refuse(g->r, FINDING_ALIGNMENT_BAD, NUMEL_E_RANGE, NO_TENSOR, e->offset,
                              "general.alignment is %" PRIu64 ": neither a power of two nor a "
                              "multiple of 8",
                              a);
    if (!power)
        reading_find(g->r, FINDING_ALIGNMENT_REFUSED, NO_TENSOR, e->offset,
                     "general.alignment is %" PRIu64 ": legal, but llama.cpp requires a power "
                     "of two",
                     a);
    else if (a % 8)
        reading_find(g->r, FINDING_ALIGNMENT_ODD, NO_TENSOR, e->offset,
                     "general.alignment is %" PRIu64 ", the format requires a multiple of 8", a);
    g->alignment = a;
    return true;
}

static void check_key(struct gguf *g, const struct metadata_entry *e)
{
    char name[TEXT_QUOTE];
    bool odd = e->key.n > 65535;
    for (size_t i = 0; i < e->key.n && !odd; i++)
        odd = (uint8_t)e->key.p[i] <= ' ' || (uint8_t)e->key.p[i] >= 0x7F;
    if (odd)
        reading_find(g->r, FINDING_KEY_ODD, NO_TENSOR, e->offset,
                     "key %s: not up to 65,535 printable ASCII characters", text_quote(name, e->key));
}

static bool keep_pair(struct gguf *g, const struct metadata_entry *e)
{
    char name[TEXT_QUOTE];
    uint32_t known;
    if (!reading_key(g->r, e, &known)) return false;
    if (known != NAMES_ABSENT)
        reading_find(g->r, FINDING_KEY_REPEATED, NO_TENSOR, e->offset,
                     "key %s occurs twice; the first one counts", text_quote(name, e->key));
    return true;
}

/* The names of image and video models in ComfyUI's GGUF readers. */
static const char pictures[] =
    "flux flux2 chroma sd1 sdxl sd3 aura hidream cosmos ltxv hyvid wan lumina2 z_image qwen_image mochi "
    "sana krea2 pig cow";

NUMEL_MUST static bool read_pair(struct gguf *g)
{
    struct metadata_entry e = { .offset = g->c.at, .file = g->r->number };
    numel_str key = gguf_string(g, "a key");
    uint64_t at = g->c.at;
    uint64_t type = cursor_uint(&g->c, 4, "a value's type");
    char name[TEXT_QUOTE];
    if (!cursor_ok(&g->c)) return false;
    if (key.n == 0 &&
        !reading_refuse(g->r, FINDING_KEY_EMPTY, NUMEL_E_RANGE, NO_TENSOR, e.offset, "a key is empty"))
        return false;
    if (type >= META_TYPES)
        return cursor_fail(&g->c, at, NUMEL_E_RANGE, "key %s: value type %" PRIu64 " is not 0 to %d",
                           text_quote(name, key), type, META_TYPES - 1);
    e.key = (numel_str){ arena_copy(g->r->arena, key.p, key.n), key.n };
    if (!e.key.p) return error_nomem(g->r->error);
    e.type = (enum metadata_type)type;
    if (!read_value(g, &e)) return false;
    check_key(g, &e);
    if (text_equal(e.key, "general.alignment") && !read_alignment(g, &e)) return false;
    bool kind = text_equal(e.key, "general.architecture");
    bool imatrix =
        text_equal(e.key, "general.type") && type == META_STRING && text_equal(e.value.s, "imatrix");
    g->architecture |= kind || imatrix;
    g->pictures |= kind && type == META_STRING && text_lists(text_of(pictures), e.value.s);
    g->split |= text_equal(e.key, "split.no") || text_equal(e.key, "general.type");
    return keep_pair(g, &e);
}

bool gguf_read_pairs(struct gguf *g)
{
    for (uint64_t i = 0; i < g->n_kv; i++)
        if (!read_pair(g)) return false;
    return true;
}
