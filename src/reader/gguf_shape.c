/*
 * gguf_shape.c -- restores shapes that a converter changed.
 *
 * Blocks need rows of 256 elements. ComfyUI's converter reshapes weights with other rows, and keeps the
 * original shape as an array comfy.gguf.orig_shape.NAME: the tensor gets it back if the element counts match.
 * Otherwise the stored shape counts.
 */
#include "reader/gguf_meta.h"

#include "base/num.h"
#include "base/text.h"

enum { SHAPE_DIMS = 8 };

static bool read_shape(const struct metadata_array *a, uint64_t dims[SHAPE_DIMS], uint64_t *elements)
{
    struct metadata_value v;
    uint64_t at = 0;
    int64_t d;
    *elements = 1;
    if (a->mapped || a->count == 0 || a->count > SHAPE_DIMS) return false;
    for (uint64_t i = 0; i < a->count; i++) {
        if (!metadata_next(a, &at, &v) || !metadata_integer(&v, &d) || d < 1) return false;
        dims[i] = (uint64_t)d;
        if (!num_mul(elements, *elements, dims[i])) return false;
    }
    return true;
}

bool gguf_restore_shapes(struct gguf *g)
{
    static const char key[] = "comfy.gguf.orig_shape.";
    struct reading *r = g->r;
    for (size_t i = r->first_entry; i < r->metadata->count; i++) {
        const struct metadata_entry *e = &r->metadata->entries[i];
        uint64_t dims[SHAPE_DIMS], elements;
        if (e->type != META_ARRAY || !text_starts(e->key, key) || !read_shape(&e->array, dims, &elements))
            continue;
        numel_str name = text_from(e->key, sizeof key - 1);
        const numel_tensor *found = registry_find(r->registry, name);
        if (!found || found->elements != elements) continue;
        numel_tensor *t = &r->registry->tensors[found - r->registry->tensors];
        t->dims = arena_copy(r->arena, dims, e->array.count * sizeof *dims);
        t->ndim = (uint32_t)e->array.count;
        if (!t->dims) return error_nomem(r->error);
    }
    return true;
}
