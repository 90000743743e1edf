/*
 * gguf_fork.c -- element type numbers that do not mean llama.cpp's type.
 *
 * Forks used numbers that llama.cpp has since given to its own types. The offsets of such a file show it: all
 * tensors of the type take a different size than llama.cpp's blocks would, in one ratio to their elements,
 * while tensors of all other types end where the next one begins. Their bytes reach to the next tensor, as
 * for an unknown type.
 */
#include "reader/gguf_meta.h"

#include "base/num.h"
#include "base/text.h"
#include "registry/dtype.h"

enum { TYPES = 16, OLD_TYPES = 30 }; /* up to BF16 a number has only ever had one meaning */

struct taken { /* space taken by the tensors of a type */
    const numel_dtype *dtype;
    const numel_tensor *first; /* the first that does not fit; NULL: all fit */
    uint64_t bytes;            /* its size, with padding */
    uint64_t fit, odd;
    bool apart; /* not in one ratio */
};

static struct taken *taken_by(struct taken *all, size_t *count, const numel_dtype *d)
{
    size_t i = 0;
    while (i < *count && all[i].dtype != d) i++;
    if (i == TYPES) return NULL;
    if (i == *count) all[(*count)++] = (struct taken){ .dtype = d };
    return &all[i];
}

/* Does it have the same bytes per element, within the padding? */
static bool in_ratio(const struct taken *k, const numel_tensor *t, uint64_t bytes, uint64_t alignment)
{
    __extension__ typedef unsigned __int128 wide;
    wide a = (wide)bytes * k->first->elements, b = (wide)k->bytes * t->elements;
    wide most = (wide)alignment * num_max(t->elements, k->first->elements);
    return (a > b ? a - b : b - a) <= most;
}

static void take(struct taken *k, const numel_tensor *t, const numel_tensor *next, uint64_t alignment)
{
    uint64_t end = t->offset + t->bytes, padded, bytes = next->offset - t->offset;
    if (!num_align(&padded, end, alignment)) padded = end;
    if (next->offset == padded) k->fit++;
    else if (!k->odd++) k->first = t, k->bytes = bytes;
    else k->apart |= !in_ratio(k, t, bytes, alignment);
}

/* The one type that does not fit; NULL if all fit, or the offsets are wrong in another way. */
static const struct taken *odd_type(const struct taken *all, size_t count)
{
    const struct taken *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].odd) continue;
        if (found || all[i].fit || all[i].apart || !all[i].bytes) return NULL;
        found = &all[i];
    }
    bool blocks = found && found->dtype->block_elements > 1;
    return blocks && (found->odd > 1 || found->dtype->gguf_id > OLD_TYPES) ? found : NULL;
}

static void tell(struct gguf *g, const struct taken *k)
{
    const numel_tensor *t = k->first;
    reading_find(g->r, FINDING_TYPE_SIZE, t->name,
                 g->r->entries[t - registry_from(g->r->registry, g->r->file->first_tensor)].at,
                 "element type %" PRId32 " is %s in llama.cpp, which makes %" PRIu64
                 " bytes here, but the tensor takes %" PRIu64
                 ": the sizes do not fit; a fork of llama.cpp wrote it with its own type under this number, "
                 "and only that fork reads it",
                 k->dtype->gguf_id, k->dtype->name, t->bytes, k->bytes);
}

NUMEL_MUST static const numel_dtype *nameless(struct gguf *g, const numel_dtype *d)
{
    char name[32];
    text_format(name, sizeof name, "type %" PRId32, d->gguf_id);
    const numel_dtype *unknown = dtype_unknown(g->r->arena, name, NUMEL_GGUF, d->gguf_id);
    if (!unknown) error_nomem(g->r->error);
    return unknown;
}

bool gguf_fork_row(struct gguf *g, numel_tensor *t, uint64_t row, uint64_t at)
{
    const numel_dtype *d = t->dtype;
    if (d->gguf_id <= OLD_TYPES) return false;
    t->dtype = nameless(g, d);
    if (!t->dtype) return false;
    if (g->forked != d->gguf_id)
        reading_find(g->r, FINDING_TYPE_SIZE, t->name, at,
                     "element type %" PRId32 " is %s in llama.cpp, in blocks of %" PRIu32
                     ", but rows have %" PRIu64
                     " elements: the sizes do not fit; a fork of llama.cpp wrote it with its own type under "
                     "this number, and only that fork reads it",
                     d->gguf_id, d->name, d->block_elements, row);
    g->forked = d->gguf_id;
    return true;
}

/* Makes the type an unknown one with inferred bytes. */
NUMEL_MUST static bool forget(struct gguf *g, const numel_dtype *d)
{
    numel_tensor *t = registry_from(g->r->registry, g->r->file->first_tensor);
    const numel_dtype *unknown = nameless(g, d);
    if (!unknown) return false;
    for (uint64_t i = 0; i < g->n_tensors; i++) {
        if (t[i].dtype != d) continue;
        t[i].dtype = unknown;
        t[i].flags |= NUMEL_BYTES_INFERRED;
    }
    return true;
}

bool gguf_fork_types(struct gguf *g, const struct extents *l, bool *found)
{
    struct taken all[TYPES];
    size_t count = 0;
    const numel_tensor *t = g->r->registry->tensors;
    *found = false;
    for (size_t i = 0; i + 1 < l->count; i++) {
        const numel_tensor *x = &t[l->order[i]];
        if (!x->elements || x->flags & NUMEL_BYTES_INFERRED) continue;
        struct taken *k = taken_by(all, &count, x->dtype);
        if (!k) return true; /* more types than any file mixes */
        take(k, x, &t[l->order[i + 1]], g->alignment);
    }
    const struct taken *odd = odd_type(all, count);
    if (!odd) return true;
    tell(g, odd);
    return *found = true, forget(g, odd->dtype);
}
