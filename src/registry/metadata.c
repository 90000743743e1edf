/*
 * metadata.c -- entries in file order, searched linearly, since there are few. Of entries with the same key
 * the first counts. The elements of an array are read one by one from where they are stored.
 */
#include "registry/metadata.h"

#include "base/num.h"
#include "base/text.h"

#include <string.h>

void metadata_init(struct metadata *m, const numel_allocator *memory)
{
    *m = (struct metadata){ .memory = memory };
}

void metadata_done(struct metadata *m)
{
    memory_release(m->memory, m->entries);
    metadata_init(m, m->memory);
}

bool metadata_add(struct metadata *m, const struct metadata_entry *entry, numel_error *e)
{
    void *p = m->entries;
    if (!memory_grow(m->memory, &p, &m->cap, m->count + 1, sizeof *m->entries, e)) return false;
    m->entries = p;
    m->entries[m->count++] = *entry;
    return true;
}

const struct metadata_entry *metadata_find(const struct metadata *m, const char *key)
{
    for (size_t i = 0; i < m->count; i++)
        if (text_equal(m->entries[i].key, key)) return &m->entries[i];
    return NULL;
}

static bool is_in(numel_str whole, numel_str section, numel_str key)
{
    return whole.n > section.n && whole.p[section.n] == '.' &&
           text_same(text_upto(whole, section.n), section) && text_same(text_from(whole, section.n + 1), key);
}

const struct metadata_entry *metadata_find_in(const struct metadata *m, numel_str section, numel_str key)
{
    for (size_t i = 0; i < m->count; i++)
        if (is_in(m->entries[i].key, section, key)) return &m->entries[i];
    return NULL;
}

/* clang-format off */
static const struct {
    const char *name;
    unsigned bytes;
} types[META_TYPES] = {
    [META_U8] = { "u8", 1 },      [META_I8] = { "i8", 1 },         [META_U16] = { "u16", 2 },
    [META_I16] = { "i16", 2 },    [META_U32] = { "u32", 4 },       [META_I32] = { "i32", 4 },
    [META_F32] = { "f32", 4 },    [META_BOOL] = { "bool", 1 },     [META_STRING] = { "string", 0 },
    [META_ARRAY] = { "array", 0 }, [META_U64] = { "u64", 8 },      [META_I64] = { "i64", 8 },
    [META_F64] = { "f64", 8 },
};
/* clang-format on */

const char *metadata_type_name(enum metadata_type t) { return t < META_TYPES ? types[t].name : "?"; }
unsigned metadata_type_bytes(enum metadata_type t) { return t < META_TYPES ? types[t].bytes : 0; }

static double as_double(uint64_t bits, unsigned bytes)
{
    double d = 0;
    float f = 0;
    uint32_t low = (uint32_t)bits;
    if (bytes == 8) memcpy(&d, &bits, sizeof d);
    else memcpy(&f, &low, sizeof f);
    return bytes == 8 ? d : (double)f;
}

bool metadata_next(const struct metadata_array *a, uint64_t *at, struct metadata_value *out)
{
    unsigned bytes = metadata_type_bytes(a->type);
    uint64_t left = a->bytes - *at, v;
    const uint8_t *p = a->data + *at;
    out->type = a->type;
    if (a->type == META_STRING) {
        if (left < a->length_bytes) return false;
        uint64_t n = num_load(p, a->length_bytes, a->big_endian);
        if (n > left - a->length_bytes) return false;
        out->s = (numel_str){ (const char *)p + a->length_bytes, (size_t)n };
        *at += a->length_bytes + n;
        return true;
    }
    if (bytes == 0 || left < bytes) return false;
    v = num_load(p, bytes, a->big_endian);
    *at += bytes;
    switch (a->type) {
    case META_I8: out->i = (int8_t)v; break;
    case META_I16: out->i = (int16_t)v; break;
    case META_I32: out->i = (int32_t)v; break;
    case META_I64: out->i = (int64_t)v; break;
    case META_F32:
    case META_F64: out->f = as_double(v, bytes); break;
    default: out->u = v;
    }
    return true;
}

bool metadata_integer(const struct metadata_value *v, int64_t *out)
{
    switch (v->type) {
    case META_U8:
    case META_U16:
    case META_U32:
    case META_U64: *out = (int64_t)v->u; return v->u <= INT64_MAX;
    case META_I8:
    case META_I16:
    case META_I32:
    case META_I64: *out = v->i; return true;
    default: return false;
    }
}
