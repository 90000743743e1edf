/*
 * values.c -- the metadata of a checkpoint as values: entries by index, and the elements of arrays.
 *
 * A long array stays in its file (metadata.h). It is copied unchanged, under the guard, and then
 * indexed: fixed-width elements by their number, strings through a table of their starts.
 */
#include "reader/checkpoint.h"

#include "base/border.h"
#include "source/source.h"

#include <string.h>

_Static_assert((int)NUMEL_STRING == (int)META_STRING && (int)NUMEL_ARRAY == (int)META_ARRAY &&
                   (int)NUMEL_F64 == (int)META_F64 && (int)NUMEL_BOOL == (int)META_BOOL,
               "the types are those of GGUF, with its numbers");

struct numel_values {
    struct arena arena;
    struct metadata_array array; /* its data is a copy, in the arena */
    const uint64_t *starts;      /* of strings; NULL: all elements have the same width */
};

static numel_value value_of(const struct metadata_value *from)
{
    numel_value v = { .type = (numel_type)from->type };
    switch (from->type) {
    case META_STRING: v.is.s = from->s; break;
    case META_F32:
    case META_F64: v.is.f = from->f; break;
    case META_I8:
    case META_I16:
    case META_I32:
    case META_I64: v.is.i = from->i; break;
    default: v.is.u = from->u;
    }
    return v;
}

NUMEL_MUST static const struct metadata_entry *entry_at(const numel_checkpoint *ck, size_t i, numel_error *e)
{
    if (i < ck->metadata.count) return &ck->metadata.entries[i];
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "entry %zu is out of range: there are %zu", i,
              ck->metadata.count);
    return NULL;
}

size_t numel_meta_count(const numel_checkpoint *ck) { return ck->metadata.count; }

numel_rc numel_meta_at(const numel_checkpoint *ck, size_t i, numel_meta *out, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    const struct metadata_entry *m = entry_at(ck, i, e);
    if (!m) return e->code;
    bool array = m->type == META_ARRAY;
    const numel_meta own = { .size = sizeof own,
                             .key = m->key,
                             .value = array ? (numel_value){ .type = NUMEL_ARRAY } : value_of(&m->value),
                             .element = (numel_type)(array ? m->array.type : m->type),
                             .file = m->file,
                             .count = array ? m->array.count : 1,
                             .offset = m->offset };
    return BORDER_GIVE(numel_meta, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- arrays ------------------------------------------------------------------------------- */

struct copying {
    const struct metadata_array *from;
    uint8_t *to;
};

static bool copy_body(void *ctx)
{
    struct copying *c = ctx;
    if (c->from->bytes) memcpy(c->to, c->from->data, (size_t)c->from->bytes);
    return true;
}

NUMEL_MUST static bool copy_array(struct numel_values *v, const numel_checkpoint *ck,
                                  const struct metadata_entry *m, numel_error *e)
{
    const struct source *s = &ck->sources[m->file];
    struct copying c = { &m->array, NULL };
    if (m->array.bytes <= SIZE_MAX) c.to = arena_alloc(&v->arena, (size_t)m->array.bytes);
    if (!c.to) return error_nomem(e);
    bool ok = m->array.mapped ? source_run(s, copy_body, &c, e) : copy_body(&c);
    v->array = m->array;
    v->array.data = c.to;
    v->array.mapped = false;
    return ok;
}

/* Each string takes at least the bytes of its length, so the table is no longer than the array. */
NUMEL_MUST static bool find_strings(struct numel_values *v, numel_error *e)
{
    const struct metadata_array *a = &v->array;
    struct metadata_value ignored;
    uint64_t at = 0, *starts = NULL;
    if (a->count <= a->bytes / a->length_bytes) starts = arena_alloc(&v->arena, a->count * sizeof *starts);
    for (uint64_t k = 0; starts && k < a->count; k++) {
        starts[k] = at;
        if (!metadata_next(a, &at, &ignored)) starts = NULL;
    }
    v->starts = starts;
    if (v->arena.failed) return error_nomem(e);
    return starts ||
           error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "the strings of an array extend past its end");
}

NUMEL_MUST static bool open_values(struct numel_values *v, const numel_checkpoint *ck, size_t i,
                                   numel_error *e)
{
    const struct metadata_entry *m = entry_at(ck, i, e);
    if (!m) return false;
    if (m->type != META_ARRAY || m->array.type == META_ARRAY)
        return error_set(e, NUMEL_E_TYPE, NUMEL_NOWHERE, "entry %zu is not an array of values", i);
    return copy_array(v, ck, m, e) && (m->array.type != META_STRING || find_strings(v, e));
}

numel_rc numel_values_open(numel_values **out, const numel_checkpoint *ck, size_t i,
                           const numel_options *options, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    error_clear(e);
    *out = NULL;
    if (!border_options(&own, options, e)) return e->code;
    struct numel_values *v = memory_resize(own.allocator, NULL, sizeof *v);
    if (!v) return error_nomem(e), e->code;
    *v = (struct numel_values){ .starts = NULL };
    arena_init(&v->arena, own.allocator);
    if (open_values(v, ck, i, e)) *out = v;
    else numel_values_close(v);
    return e->code;
}

numel_rc numel_values_at(const numel_values *v, size_t k, numel_value *out, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct metadata_value value;
    error_clear(e);
    uint64_t at = v->starts ? 0 : k * (uint64_t)metadata_type_bytes(v->array.type);
    if (k >= v->array.count) error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "element %zu is out of range", k);
    else if (v->starts) at = v->starts[k];
    if (error_free(e) && !metadata_next(&v->array, &at, &value))
        error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "the array ends before its element %zu", k);
    if (error_free(e)) *out = value_of(&value);
    return e->code;
}

void numel_values_close(numel_values *v)
{
    if (!v) return;
    const numel_allocator *m = v->arena.memory;
    arena_done(&v->arena);
    memory_release(m, v);
}
