/* diff_pair.c -- which tensors of two checkpoints stand for each other; see diff.h. */
#include "reporter/diff.h"

/* ---- names as they stand ------------------------------------------------------------------ */

/* A name that stands in two files of a set is one link with both. */
bool diff_pair_names(struct diff *d, uint32_t *count)
{
    const struct registry *a = d->side[A].r, *b = d->side[B].r;
    for (size_t i = 0; i < a->count; i++) {
        const numel_tensor *first = registry_find(a, a->tensors[i].name);
        uint32_t *own = &d->side[A].link[i];
        const numel_tensor *other = registry_find(b, a->tensors[i].name);
        if (first != &a->tensors[i]) *own = d->side[A].link[first - a->tensors];
        else if (other) *own = d->side[B].link[other - b->tensors] = (*count)++;
    }
    for (size_t i = 0; i < b->count; i++) {
        const numel_tensor *first = registry_find(b, b->tensors[i].name);
        d->side[B].link[i] = d->side[B].link[first - b->tensors];
    }
    return true;
}
