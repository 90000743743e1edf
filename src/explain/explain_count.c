/*
 * explain_count.c -- what may be counted, with its value: the scopes of the tables, each role, each stored
 * type, bytes, formulas that people use. An entry is counted if it is in the scope and no step leaves it out;
 * entries other than parameters must also be added by steps.
 */
#include "explain/explain_internal.h"

#include "base/num.h"

uint64_t explain_steps_of(enum step_kind kind)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < step_rows; i++)
        if (steps[i].kind == kind) bits |= UINT64_C(1) << i;
    return bits;
}

static bool has(uint32_t traits, uint32_t all, uint32_t any, uint32_t none)
{
    return (traits & all) == all && (!any || traits & any) && !(traits & none);
}

uint64_t explain_steps_on(const struct entry *n, enum step_kind kind)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < step_rows; i++)
        if (steps[i].kind == kind && has(n->traits, steps[i].all, steps[i].any, steps[i].none))
            bits |= UINT64_C(1) << i;
    return bits;
}

bool explain_in_scope(const struct counting *c, const struct entry *n)
{
    const struct scope *s = c->scope;
    if (!s || (c->kind != NO_KIND && n->kind != c->kind)) return false;
    if (c->role.p) return text_same(n->role, c->role) && !(n->traits & TRAIT_BESIDE);
    return has(n->traits, s->all, s->any, s->none);
}

bool explain_needs_step(const struct counting *c, const struct entry *n)
{
    return n->traits & TRAIT_BESIDE && !((c->scope->all | c->scope->any) & TRAIT_BESIDE);
}

bool explain_takes(const struct counting *c, uint64_t taken, const struct entry *n)
{
    if (!explain_in_scope(c, n)) return false;
    uint64_t with = explain_needs_step(c, n) ? explain_steps_on(n, STEP_WITH) : 0;
    if (explain_needs_step(c, n) && (!with || (with & taken) != with)) return false;
    return !(explain_steps_on(n, STEP_WITHOUT) & taken);
}

uint64_t explain_experts(const struct ledger *l, uint64_t taken, uint64_t of)
{
    if (taken & explain_steps_of(STEP_ONE)) return 1;
    if (taken & explain_steps_of(STEP_USED)) return num_min(l->used, of);
    return of;
}

uint64_t explain_size(const struct explanation *x, const struct counting *c, uint64_t taken,
                      const struct entry *n)
{
    uint64_t size = taken & explain_steps_of(STEP_RAW)    ? n->raw
                    : taken & explain_steps_of(STEP_FULL) ? n->full
                                                          : n->elements;
    if (n->traits & TRAIT_EXPERT && n->stack > 1)
        size = size / n->stack * explain_experts(x->ledger, taken, n->stack);
    return size / c->divide;
}

uint64_t explain_value(const struct explanation *x, const struct counting *c, uint64_t taken)
{
    uint64_t sum = 0;
    if (!c->scope) return c->value;
    for (size_t i = explain_first(c); i < x->ledger->count; i = explain_next(x, c, i)) {
        const struct entry *n = &x->ledger->entries[i];
        if (explain_takes(c, taken, n) && !num_add(&sum, sum, explain_size(x, c, taken, n))) return 0;
    }
    return sum;
}

/* ---- countings ---------------------------------------------------------------------------- */

bool explain_add(struct explanation *x, struct counting c, numel_error *e)
{
    if (c.scope) {
        c.value = explain_value(x, &c, 0);
        for (size_t i = explain_first(&c); i < x->ledger->count; i = explain_next(x, &c, i))
            if (explain_takes(&c, 0, &x->ledger->entries[i]))
                c.tensors += x->ledger->entries[i].tensors / c.divide;
    }
    if (c.value == 0 || c.value > INT64_MAX / 4) return true;
    if (!memory_grow(x->ledger->arena->memory, (void **)&x->countings, &x->counting_cap,
                     x->counting_count + 1, sizeof *x->countings, e))
        return false;
    x->countings[x->counting_count++] = c;
    return true;
}

/* "layer 3, one of 58 alike"; "all 61 are alike" if there is only one kind. */
NUMEL_MUST static const char *kind_detail(const struct explanation *x, uint32_t k)
{
    const struct layer_kind *kind = &x->ledger->kinds[k];
    unsigned kinds = 0;
    for (uint32_t i = 0; i < x->ledger->kind_count; i++)
        kinds += x->ledger->kinds[i].traits & TRAIT_LAYER ? 1 : 0;
    if (kinds == 1) return arena_format(x->ledger->arena, "all %" PRIu64 " are alike", kind->layers);
    return arena_format(x->ledger->arena, "layer %" PRId64 ", one of %" PRIu64 " alike", kind->first,
                        kind->layers);
}

enum { KINDS_TRIED = 8, TYPES_MOST = 32 };

NUMEL_MUST static bool add_kinds(struct explanation *x, struct counting c, numel_error *e)
{
    uint32_t tried = 0;
    for (uint32_t k = 0; k < x->ledger->kind_count && tried < KINDS_TRIED; k++) {
        if (!(x->ledger->kinds[k].traits & TRAIT_LAYER)) continue;
        tried++;
        c.kind = k;
        c.divide = x->ledger->kinds[k].layers;
        c.detail = kind_detail(x, k);
        if (!c.detail) return error_nomem(e);
        if (!explain_add(x, c, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool add_scopes(struct explanation *x, numel_error *e)
{
    for (size_t i = 0; i < scope_rows; i++) {
        struct counting c = { .line = &scopes[i].line,
                              .name = scopes[i].line.text,
                              .scope = &scopes[i],
                              .detail = "",
                              .divide = 1,
                              .kind = NO_KIND,
                              .cost = scopes[i].cost };
        if (!(scopes[i].each_kind ? add_kinds(x, c, e) : explain_add(x, c, e))) return false;
    }
    return true;
}

/* Adds each role of the model, in all layers and in one. */
NUMEL_MUST static bool add_roles(struct explanation *x, numel_error *e)
{
    static const struct scope all = { { "", "", true }, 0, 0, 0, false, false, false, 5 };
    static const struct scope one = { { "", "", true }, TRAIT_LAYER, 0, 0, true, false, false, 5 };
    const struct ledger *l = x->ledger;
    for (uint32_t i = 0; i < l->count; i++) {
        numel_str role = l->entries[i].role;
        if (!l->entries[i].leads || l->entries[i].traits & TRAIT_BESIDE) continue;
        char *name = arena_text(l->arena, role.p, role.n);
        if (!name) return error_nomem(e);
        struct counting c = { .line = &explain_codes[EXPLAIN_ROLE],
                              .name = name,
                              .scope = &all,
                              .detail = "",
                              .divide = 1,
                              .kind = NO_KIND,
                              .role = role,
                              .first = i,
                              .cost = all.cost };
        if (!explain_add(x, c, e)) return false;
        c.scope = &one;
        c.line = &explain_codes[EXPLAIN_ROLE_OF_LAYER];
        if (l->entries[i].kind != NO_KIND && !add_kinds(x, c, e)) return false;
    }
    return true;
}

/* Adds the elements of each type, if there are several, because the Hub shows these numbers. */
NUMEL_MUST static bool add_types(struct explanation *x, numel_error *e)
{
    const struct registry *r = &x->ledger->model->ck->registry;
    const numel_dtype *types[TYPES_MOST];
    uint64_t sums[TYPES_MOST] = { 0 };
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t k = 0;
        while (k < count && types[k] != r->tensors[i].dtype) k++;
        if (k == TYPES_MOST) continue;
        if (k == count) types[count++] = r->tensors[i].dtype;
        sums[k] += r->tensors[i].elements; /* part of `stored`, which fits in 64 bits */
    }
    for (size_t k = 0; count > 1 && k < count; k++) {
        struct counting c = { .line = &explain_codes[EXPLAIN_TYPE],
                              .value = sums[k],
                              .divide = 1,
                              .kind = NO_KIND,
                              .cost = 3,
                              .detail = "as stored" };
        c.name = arena_format(x->ledger->arena, "elements of type %s", types[k]->name);
        if (!c.name) return error_nomem(e);
        if (!explain_add(x, c, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool add_values(struct explanation *x, numel_error *e)
{
    const struct ledger *l = x->ledger;
    struct counting c = { .divide = 1, .kind = NO_KIND };
    uint64_t parameters = x->counting_count ? x->countings[0].value : 0;
    const struct {
        unsigned line;
        const char *detail;
        uint64_t value;
        unsigned cost;
    } rows[] = {
        { EXPLAIN_STORED, "every element of every tensor", l->stored == parameters ? 0 : l->stored, 1 },
        { EXPLAIN_TENSOR_BYTES, "taken for elements", l->data_bytes, 4 },
        { EXPLAIN_FILE_BYTES, "taken for elements", l->file_bytes, 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        c.line = &explain_codes[rows[i].line];
        c.name = c.line->text;
        c.detail = rows[i].detail;
        c.value = rows[i].value;
        c.cost = rows[i].cost;
        c.stored = i == 0 && l->x;
        if (!explain_add(x, c, e)) return false;
    }
    return true;
}

NUMEL_MUST static bool add_formulas(struct explanation *x, numel_error *e)
{
    for (size_t i = 0; i < popular_count; i++) {
        const struct popular *p = &popular_rows[i];
        struct counting c = { .line = &p->line,
                              .name = p->line.text,
                              .detail = p->formula,
                              .divide = 1,
                              .kind = NO_KIND,
                              .cost = p->cost };
        if (p->value(x->ledger, &c.value) && !explain_add(x, c, e)) return false;
    }
    return true;
}

bool explain_countings(struct explanation *x, numel_error *e)
{
    return add_scopes(x, e) && add_roles(x, e) && add_values(x, e) && add_formulas(x, e) &&
           (x->ledger->model->ck ? add_types(x, e) : explain_classes(x, e));
}
