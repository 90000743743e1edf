/*
 * packed_plan.c -- counts the tensors that a layout would store for each weight, without a file.
 *
 * The forms are those of packed.c with the configuration's values; if there are several, the layout's
 * preferred one is used. All sums are checked for overflow.
 */
#include "model/packed_plan.h"

#include "base/num.h"
#include "model/packed_internal.h"

static bool elements_of(const struct stored *s, uint64_t *n)
{
    *n = 1;
    for (uint32_t i = 0; i < s->ndim; i++)
        if (!num_mul(n, *n, s->dims[i])) return false;
    return true;
}

/* "float" is the model's own type. If there are several types, the first is the most likely. */
static numel_str type_of(struct packed_plan *p, numel_str types)
{
    size_t n = 0;
    while (n < types.n && types.p[n] != '|') n++;
    numel_str first = { types.p, n };
    bool own = text_equal(first, "float");
    p->choices |= own || n < types.n;
    return own ? (numel_str){ NULL, 0 } : first;
}

NUMEL_MUST static bool add_type(struct packed_plan *p, numel_str type, uint64_t tensors, uint64_t elements)
{
    size_t i = 0;
    while (i < p->type_count && !text_same(p->types[i].type, type)) i++;
    if (i == PACKED_TYPES) return p->unsized = true;
    if (i == p->type_count) p->types[p->type_count++] = (struct packed_type){ .type = type };
    p->types[i].tensors += tensors;
    return num_add(&p->types[i].elements, p->types[i].elements, elements);
}

/* Adds the stored tensors of `rows` rows: values replace the elements, and others are next to them. Optional
 * tensors and those of any size are unknown, so they are not counted. A text on how to read the tensors,
 * which may have any size, takes only a few bytes. */
NUMEL_MUST static bool add_row(struct packed_plan *p, const struct layout_form *f, uint64_t rows,
                               uint64_t *values, numel_error *e)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < f->count; i++) {
        const struct stored *s = &f->stored[i];
        uint64_t n;
        bool text = s->any_size && s->role == LAYOUT_SHAPE;
        p->choices |= s->need != NEED_ALWAYS || text;
        p->unsized |= s->need == NEED_ALWAYS && ((s->any_size && !text) || s->unknown || s->shared);
        if (s->any_size || s->need != NEED_ALWAYS || s->shared) continue;
        ok = elements_of(s, &n) && num_mul(&n, n, rows) && add_type(p, type_of(p, s->types), rows, n) &&
             (s->role == LAYOUT_VALUE ? num_add(values, *values, n) : num_add(&p->beside, p->beside, n));
        p->tensors += s->role != LAYOUT_VALUE ? rows : 0;
    }
    return ok || error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the stored size does not fit in 64 bits");
}

static const struct layout_form *form_of(const struct sized *s)
{
    for (size_t i = 0; i < s->forms.count; i++)
        if (!s->forms.items[i].layout->opaque && !s->forms.items[i].contradiction &&
            !packed_keeps(s->forms.items[i].layout, s->role))
            return &s->forms.items[i];
    return NULL;
}

NUMEL_MUST static bool plan_row(struct work *w, struct packed_plan *p, uint32_t row)
{
    const struct site *s = packed_site(w, row);
    uint32_t site = w->x->rows[row].site;
    struct layout_module m;
    enum packed_shape shape = packed_shape_of(s, w->x->rows[row].name);
    const struct layout_form *f = NULL;
    uint64_t rows = w->x->folded ? site_tensors(s) : 1, all;
    bool chosen = s->group == NO_GROUP || w->x->groups[s->group].chosen == s->alternative;
    bool may = chosen && !s->tied && shape != SHAPE_OTHER && packed_module(w, row, &m);
    struct layout_word word = { .plain = true };
    if (may) word = packed_listed(w, layout_module_name(w->x->rows[row].name), shape, &m);
    if (!word.plain && !word.soft && !word.outside) {
        const struct sized *sized = packed_sized(w, &m, shape, true);
        if (!sized) return false;
        f = form_of(sized);
    }
    if (f) return add_row(p, f, rows, &p->values[site], w->error);
    bool loaded = chosen && s->counted && !s->tied && !s->extra.p;
    return (num_mul(&all, s->elements, rows) && num_add(&p->values[site], p->values[site], all) &&
            (!loaded || add_type(p, (numel_str){ NULL, 0 }, rows, all))) ||
           error_set(w->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the stored size does not fit in 64 bits");
}

bool packed_plan_make(struct packed_plan *p, const struct expansion *x, struct config *c,
                      struct library *library, struct arena *a, numel_error *e)
{
    struct packed packed = { .memory = a->memory };
    struct work w = { .p = &packed, .x = x, .config = c, .arena = a, .error = e };
    *p = (struct packed_plan){ .known = false };
    if (!config_has_quantization(c)) return true;
    p->values = arena_alloc(a, (x->site_count + 1) * sizeof *p->values);
    if (!p->values) return error_nomem(e);
    memset(p->values, 0, (x->site_count + 1) * sizeof *p->values);
    bool ok = packed_layouts(&packed, library, e) && packed_candidates(&w);
    p->known = ok && packed.described;
    for (uint32_t r = 0; p->known && ok && r < x->row_count; r++) ok = plan_row(&w, p, r);
    packed_done(&packed);
    return ok;
}
