/*
 * shared.c -- tensors of a PyTorch file that are the same bytes as another one, as a head and its table are
 * when they are tied. safetensors stores one of them, so its file lacks the other: a tied copy, without any
 * specification.
 */
#include "diff/diff.h"

#include "base/num.h"

#include <stdlib.h>

/* By place and shape; of equal ones those with a partner first. */
struct placed {
    const numel_tensor *t;
    struct link *link;
};

static int same_place(const numel_tensor *a, const numel_tensor *b)
{
    int way = num_order(a->file, b->file);
    if (!way) way = num_order(a->offset, b->offset);
    if (!way) way = num_order(a->bytes, b->bytes);
    return way ? way : num_order(a->elements, b->elements);
}

static int by_place(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    int way = same_place(x->t, y->t);
    return way ? way : num_order(x->link->change >= CHANGE_REMOVED, y->link->change >= CHANGE_REMOVED);
}

bool diff_find_shared(struct diff *d)
{
    int side = d->side[A].ck->files[0].format == NUMEL_PYTORCH ? A : B;
    const struct diff_side *s = &d->side[side];
    size_t n = 0;
    if (!d->rewritten) return true;
    struct placed *all = arena_alloc(d->arena, (s->r->count + 1) * sizeof *all);
    if (!all) return error_nomem(d->error);
    for (size_t i = 0; i < s->r->count; i++)
        if (s->r->tensors[i].bytes && s->r->tensors[i].offset != NUMEL_NOWHERE)
            all[n++] = (struct placed){ &s->r->tensors[i], &d->links[s->link[i]] };
    if (n) qsort(all, n, sizeof *all, by_place);
    for (size_t i = 1, first = 0; i < n; i++) {
        if (same_place(all[first].t, all[i].t) != 0) first = i;
        else if (all[i].link->change >= CHANGE_REMOVED && all[first].link->change < CHANGE_REMOVED)
            all[i].link->cause = &diff_codes[DIFF_TIED];
    }
    return true;
}
