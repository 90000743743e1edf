/*
 * roles.c -- stored elements by role. The rows of a site share one role: they are added up, and their sum is
 * added to the role once. Roles that a spec fuses (attn.qkv) stay fused, so if one of two models is fused and
 * the other split, their roles differ, but not their totals.
 */
#include "model/roles.h"

#include "model/tensor.h"

#include <stdlib.h>

static int by_name(const void *a, const void *b)
{
    const struct role_sum *x = a, *y = b;
    return text_natural(x->role, y->role);
}

static uint64_t elements_of(const struct model *model, const struct site *s)
{
    uint64_t sum = 0;
    for (uint32_t r = s->first_row; r < s->first_row + s->rows; r++) {
        const struct model_row row = model_row(model, r);
        if (row.parameter) sum += row.elements;
    }
    return sum;
}

bool roles_make(struct roles *r, struct model *model, numel_error *e)
{
    const struct expansion *x = model->x;
    struct names names;
    bool ok = true;
    *r = (struct roles){ .count = 0 };
    r->items = arena_alloc(&model->arena, (x->site_count + 1) * sizeof *r->items);
    if (!r->items) return error_nomem(e);
    names_init(&names, model->arena.memory, sizeof *r->items);
    for (size_t i = 0; ok && i < x->site_count; i++) {
        uint64_t n = elements_of(model, &x->sites[i]);
        if (n == 0) continue;
        ok = names_reserve(&names, r->count + 1, e);
        if (!ok) break;
        r->items[r->count] = (struct role_sum){ .role = x->sites[i].role };
        uint32_t k = names_enter(&names, r->items, r->count);
        if (k == r->count) r->count++;
        r->items[k].elements += n;
    }
    names_done(&names);
    if (r->count) qsort(r->items, r->count, sizeof *r->items, by_name);
    return ok;
}
