/*
 * view.c -- packed tensors as plain ones: what a layout says of a weight's tensors (model/tensor.h) becomes a
 * view that content can compute (content/unpack.h).
 */
#include "diff/values.h"

#include "base/json_doc.h"
#include "base/memory.h"
#include "model/tensor.h"

#include <string.h>

/* The offset of nested scales, in the small JSON next to the weight. */
static bool read_offset(const struct diff_side *s, uint32_t state, float *out)
{
    uint8_t text[WITNESS_DATA];
    size_t n;
    numel_error e = { .code = NUMEL_OK };
    if (!model_read_tensor(s->c->model, state, text, &n)) return false;
    json_value *doc = json_doc_parse(text, n, &e);
    const json_value *v = doc ? json_get(doc, "nested_offset") : NULL;
    const json_value *block = doc ? json_get(doc, "nested_blocksize") : NULL;
    int64_t each;
    bool ok = v && json_kind(v) == JSON_NUMBER && !json_beyond(v) && block && json_integer(block, &each) &&
              each == 256;
    if (ok) *out = (float)json_double(v);
    json_doc_free(doc);
    return ok;
}

/* The first of a role, or the second: scales of scales, and their codes. */
static const numel_tensor **place_of(struct unpack *u, enum layout_role role, const numel_tensor *t)
{
    switch (role) {
    case LAYOUT_VALUE: return &u->value;
    case LAYOUT_SCALE: return u->scale ? &u->nested : &u->scale;
    case LAYOUT_ZERO: return &u->zero;
    case LAYOUT_INDEX: return &u->index;
    case LAYOUT_CODEBOOK: return t->elements == 16 ? &u->code : &u->nested_code;
    default: return NULL;
    }
}

static bool make(struct unpack *u, const struct diff_side *s, const struct model_unpack *from)
{
    uint32_t state = NAMES_ABSENT;
    *u = (struct unpack){ .files = s->ck->files,
                          .method = unpack_method(from->method),
                          .stack = from->stack,
                          .out = from->out,
                          .in = from->in,
                          .bits = from->bits ? (uint64_t)from->bits : 8,
                          .group = (uint64_t)from->group,
                          .block = { (uint64_t)from->args[0], (uint64_t)from->args[1] },
                          .tiled = from->args[2] != 0 };
    for (unsigned i = 0; i < from->count; i++) {
        const numel_tensor *t = &s->r->tensors[from->parts[i].tensor];
        const numel_tensor **at = place_of(u, from->parts[i].role, t);
        if (at && *at) return false;
        if (at) *at = t;
        if (from->parts[i].role == LAYOUT_SHAPE) state = from->parts[i].tensor;
    }
    if (!u->method || (u->nested_code && !(state != NAMES_ABSENT && read_offset(s, state, &u->offset))))
        return false;
    return unpack_ready(u);
}

bool view_make(const struct diff *d, int side, uint32_t tensor, const struct unpack **out)
{
    struct model_unpack from;
    struct unpack u;
    const struct diff_side *s = &d->side[side];
    *out = NULL;
    if (!s->c || !model_unpacked(s->c->model, tensor, &from) || !make(&u, s, &from)) return true;
    *out = arena_copy(d->arena, &u, sizeof u);
    return *out || error_nomem(d->error);
}
