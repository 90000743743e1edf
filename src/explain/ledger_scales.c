/*
 * ledger_scales.c -- for a configuration alone, adds the scales that a quantizer would write, according to
 * the layout that the configuration names (model/packed_plan.h). mxfp4 (gpt-oss) does not have a plan yet: it
 * has one scale for every 32 values of an expert's weight, and two values per byte.
 */
#include "explain/ledger_internal.h"

#include "base/num.h"
#include "model/packed_plan.h"

static bool mxfp4(const struct site *s, uint64_t *scales, uint64_t *raw)
{
    bool expert = text_starts(s->role, "expert.") && s->part == PART_WEIGHT && s->ndim == 3;
    *scales = s->elements / 32;
    *raw = s->elements / 2;
    return expert && s->elements % 32 == 0;
}

/* Reduces the stored size (raw) of the site's entry by `less`. */
static void pack_entry(struct ledger *l, const struct site *s, uint64_t less)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->entries[i].line == s->line && text_same(l->entries[i].role, s->role) &&
            l->entries[i].raw >= less) {
            l->entries[i].raw -= less;
            return;
        }
}

NUMEL_MUST static bool add_entry(struct ledger *l, uint64_t tensors, uint64_t sum, numel_error *e)
{
    struct entry *n = sum ? ledger_entry(l, e) : NULL;
    if (!sum) return true;
    if (!n) return false;
    n->role = text_of("by quantization_config"); /* names would need a file */
    n->traits = TRAIT_SCALE;
    n->tensors = tensors;
    n->elements = n->full = n->raw = sum;
    return true;
}

NUMEL_MUST static bool add_planned(struct ledger *l, const struct packed_plan *p, numel_error *e)
{
    const struct expansion *x = l->x;
    for (size_t i = 0; i < x->site_count; i++) {
        uint64_t all =
            x->sites[i].elements * site_tensors(&x->sites[i]); /* part of the total, which fits in 64 bits */
        if (p->values[i] < all) pack_entry(l, &x->sites[i], all - p->values[i]);
    }
    return add_entry(l, p->tensors, p->beside, e);
}

NUMEL_MUST static bool add_mxfp4(struct ledger *l, numel_error *e)
{
    const struct expansion *x = l->x;
    uint64_t sum = 0, tensors = 0, one, raw;
    for (size_t i = 0; i < x->site_count; i++) {
        const struct site *s = &x->sites[i];
        bool chosen = s->group == NO_GROUP || x->groups[s->group].chosen == s->alternative;
        if (!chosen || !mxfp4(s, &one, &raw)) continue;
        pack_entry(l, s, (s->elements - raw) * site_tensors(s));
        if (!num_mul(&one, one, site_tensors(s)) || !num_add(&sum, sum, one))
            return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the scales do not fit in 64 bits");
        tensors += site_tensors(s);
    }
    return add_entry(l, tensors, sum, e);
}

bool ledger_scales(struct ledger *l, numel_error *e)
{
    struct packed_plan plan;
    struct value v;
    if (!packed_plan_make(&plan, l->x, l->model->config, l->model->library, &l->model->arena, e))
        return false;
    if (plan.known) return add_planned(l, &plan, e);
    if (!config_quantization(l->model->config, NULL, text_of("quant_method"), &v, e)) return false;
    return v.kind != VALUE_TEXT || !text_equal(v.s, "mxfp4") || add_mxfp4(l, e);
}
