/*
 * packed_witness.c -- answers a layout's questions about one weight (formula/witness.h) from the file: dims
 * and data of small tensors, and metadata.
 *
 * A marked name contains marks, control characters that stand for parts of the weight's name: layout_name()
 * replaces them. A name is only looked up if some tensor in the file has its ending.
 */
#include "model/packed_internal.h"

/* The tensor with a marked name next to the current row, or NAMES_ABSENT. */
static uint32_t find_nearby(struct work *w, numel_str marked)
{
    char text[LAYOUT_NAME];
    numel_str name;
    if (!packed_end_occurs(&w->ends, marked) ||
        !layout_name(marked, w->x->rows[w->asked_row].name, text, &name))
        return NAMES_ABSENT;
    return w->file->find(w->file->ctx, name);
}

static bool nearby_dim(void *ctx, numel_str marked, uint64_t axis, uint64_t *size)
{
    struct work *w = ctx;
    uint32_t t = find_nearby(w, marked);
    if (t == NAMES_ABSENT || axis >= w->file->registry->tensors[t].ndim) return false;
    *size = w->file->registry->tensors[t].dims[axis];
    return true;
}

/* Keeps the bytes, since several questions may concern the same tensor. */
static bool nearby_read(void *ctx, numel_str marked, uint8_t out[WITNESS_DATA], size_t *n, const char **type)
{
    struct work *w = ctx;
    uint32_t t = find_nearby(w, marked);
    if (t == NAMES_ABSENT || !w->file->read) return false;
    if (w->bytes_of != t) {
        w->bytes_of = t;
        w->bytes_there = w->file->read(w->file->ctx, t, w->bytes, &w->byte_count);
    }
    if (!w->bytes_there) return false;
    for (size_t i = 0; i < w->byte_count && i < WITNESS_DATA; i++) out[i] = w->bytes[i];
    *n = w->byte_count;
    *type = w->file->registry->tensors[t].dtype->name;
    return true;
}

static bool is_marked(numel_str name)
{
    bool marked = false;
    for (size_t i = 0; i < name.n; i++) marked |= (unsigned char)name.p[i] < ' ';
    return marked;
}

/* A marked name contains a dot if the weight's does, so it is no key if no key contains a dot. */
bool packed_meta_may(const struct packed_file *f, numel_str marked, numel_str weight)
{
    return f->meta && (f->keyed || !is_marked(marked) || text_find(weight, 0, '.') == weight.n);
}

bool packed_meta_silent(const struct packed_file *f, numel_str name)
{
    numel_str text;
    if (is_marked(name)) return !f->meta || (f->dotted && !f->keyed);
    return !f->meta || !f->meta(f->ctx, name, &text);
}

static bool nearby_silent(void *ctx, enum function function, numel_str marked)
{
    struct work *w = ctx;
    return function == FUNCTION_META ? packed_meta_silent(w->file, marked)
                                     : !packed_end_occurs(&w->ends, marked);
}

static bool nearby_meta(void *ctx, numel_str marked, numel_str *text)
{
    struct work *w = ctx;
    char space[LAYOUT_NAME];
    numel_str name;
    numel_str weight = w->x->rows[w->asked_row].name;
    return packed_meta_may(w->file, marked, weight) && layout_name(marked, weight, space, &name) &&
           w->file->meta(w->file->ctx, name, text);
}

/* All tensors of a part lack the same prefix, so the first one's is used. */
bool packed_key(const struct packed_file *f, numel_str marked, numel_str weight, struct arena *a,
                numel_str *key)
{
    char space[LAYOUT_NAME];
    numel_str front = { "", 0 };
    const struct registry *r = f->registry;
    if (!layout_name(marked, weight, space, key)) return false;
    if (f->full && r->count && f->full[0].n >= r->tensors[0].name.n)
        front = text_less(f->full[0], r->tensors[0].name.n);
    *key = arena_join(a, front, *key, text_of(""));
    return key->p != NULL;
}

static bool nearby_key(void *ctx, numel_str marked, struct arena *a, numel_str *key)
{
    struct work *w = ctx;
    return packed_key(w->file, marked, w->x->rows[w->asked_row].name, a, key);
}

const struct nearby *packed_nearby(struct work *w, uint32_t row)
{
    if (!w->file) return NULL;
    w->asked_row = row;
    w->nearby = (struct nearby){ nearby_dim, nearby_read, nearby_meta, nearby_key, nearby_silent, w };
    return &w->nearby;
}
