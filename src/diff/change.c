/*
 * change.c -- how the two ends of a link differ, from names, shapes and types.
 *
 * The larger difference names the link: a tensor with another shape and another type is reshaped.
 * Ends with equally many values but different shapes are rearranged: split, merged, stacked,
 * transposed, squeezed. Values are logical: a packed tensor has the values it encodes.
 */
#include "diff/diff.h"

const char *change_code(enum change c) { return diff_codes[DIFF_CHANGES + c].code; }
const char *change_text(enum change c) { return diff_codes[DIFF_CHANGES + c].text; }

uint64_t diff_values(const struct diff *d, int side, uint32_t tensor)
{
    const struct diff_side *s = &d->side[side];
    if (!s->c) return s->r->tensors[tensor].elements;
    const struct model_tensor t = model_tensor(s->c->model, tensor);
    return tensor_values(&t);
}

static uint64_t values_of(const struct diff *d, const struct link *l, int side)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < l->count[side]; i++)
        sum += diff_values(d, side, d->side[side].members[l->first[side] + i]);
    return sum;
}

bool diff_same_dims(const numel_tensor *a, const numel_tensor *b)
{
    return a->ndim == b->ndim && dims_same(a->dims, b->dims, a->ndim);
}

bool diff_same_rows(const numel_tensor *a, const numel_tensor *b)
{
    return a->ndim && a->ndim == b->ndim && dims_same(a->dims + 1, b->dims + 1, a->ndim - 1);
}

/* Blocks of several values with a common scale. */
static bool is_block(const numel_dtype *t) { return t->block_elements > 1; }

static bool same_type(const numel_tensor *a, const numel_tensor *b)
{
    return a->dtype == b->dtype || strcmp(a->dtype->name, b->dtype->name) == 0;
}

static enum change pair_change(const struct diff *d, const numel_tensor *a, const numel_tensor *b)
{
    if (same_type(a, b) && a->bytes != b->bytes) return CHANGE_RETYPED; /* one declares a wrong type */
    if (!same_type(a, b)) return is_block(a->dtype) || is_block(b->dtype) ? CHANGE_QUANTIZED : CHANGE_RETYPED;
    return d->cross || text_same(a->name, b->name) ? CHANGE_SAME : CHANGE_RENAMED;
}

enum change diff_change_of(const struct diff *d, const struct link *l)
{
    if (l->count[A] == 0) return CHANGE_ADDED;
    if (l->count[B] == 0) return CHANGE_REMOVED;
    const numel_tensor *a = diff_tensor(d, l, A, 0), *b = diff_tensor(d, l, B, 0);
    bool single = l->count[A] == 1 && l->count[B] == 1;
    if (single && diff_same_dims(a, b)) return pair_change(d, a, b);
    if (values_of(d, l, A) != values_of(d, l, B)) return CHANGE_RESHAPED;
    if (l->elements[A] != l->elements[B]) return CHANGE_QUANTIZED;
    return CHANGE_REARRANGED;
}
