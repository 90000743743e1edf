/*
 * tensor.c -- combines the tables of a model for one tensor or one row.
 */
#include "model/tensor.h"

#include "model/model_internal.h"

/* The layout that claimed the tensor, for its row or for all modules; or NULL. */
static const char *layout_of(const struct model *m, uint32_t tensor)
{
    const struct packed *p = &m->inner->match.packed;
    uint32_t row = p->tensors[tensor].row;
    if (row == PACKED_BESIDE) return p->most ? p->most->layout->name : NULL;
    return row != NAMES_ABSENT && p->rows[row].form ? p->rows[row].form->layout->name : NULL;
}

/* The role from its layout, or by its name if no layout claimed it. */
static enum layout_role part_of(const struct model *m, uint32_t tensor)
{
    const struct packed_tensor *p = &m->inner->match.packed.tensors[tensor];
    if (p->row != NAMES_ABSENT) return (enum layout_role)p->role;
    struct meaning meant = meanings_at(&m->inner->meanings, tensor);
    return meant.sidecar ? meant.sidecar->role : LAYOUT_VALUE;
}

static const char *const part_roles[LAYOUT_ROLE_COUNT] = {
#define X(name, word, text) [LAYOUT_##name] = "quant." word,
    LAYOUT_BESIDE(X)
#undef X
};

bool model_as_expected(const struct model *m, uint32_t tensor)
{
    const struct tensor_match *t = &m->inner->match.tensors[tensor];
    return m->x && t->cause == CAUSE_EXPECTED && t->fit == FIT_SAME &&
           (t->ground == GROUND_SHAPE || m->ck->named);
}

bool model_as_packed(const struct model *m, uint32_t tensor)
{
    return m->x && match_claimed(&m->inner->match, tensor);
}

struct model_tensor model_tensor(const struct model *m, uint32_t tensor)
{
    struct model_tensor t = { .row = NAMES_ABSENT,
                              .cause = CAUSE_UNKNOWN,
                              .fit = FIT_ABSENT,
                              .ground = GROUND_NONE,
                              .class = "unknown",
                              .stored = m->ck->registry.tensors[tensor].elements };
    t.logical = t.stored;
    if (!m->x) return t;
    const struct tensor_match *match = &m->inner->match.tensors[tensor];
    t.known = true;
    t.row = match->row;
    t.cause = (enum cause)match->cause;
    t.fit = (enum fit)match->fit;
    t.ground = (enum ground)match->ground;
    t.supposed = m->ck->named != NULL;
    t.site = t.row == NAMES_ABSENT ? NULL : model_site(m, t.row);
    if (t.site) t.role = t.site->role;
    if (t.cause == CAUSE_SIDECAR) t.part = part_of(m, tensor);
    if (!t.site && part_roles[t.part]) t.role = text_of(part_roles[t.part]);
    t.class = match_class(&m->inner->match, tensor);
    t.layout = layout_of(m, tensor);
    t.logical = model_logical(m, tensor);
    return t;
}

struct model_row model_row(const struct model *m, uint32_t row)
{
    const struct row_match *match = &m->inner->match.rows[row];
    struct model_row r = { .name = m->x->rows[row].name,
                           .site = model_site(m, row),
                           .tensor = match->tensor,
                           .missing = model_lacks(m, row),
                           .renamed = match->renamed };
    bool there = r.tensor != NAMES_ABSENT;
    r.parameter = there && m->inner->match.tensors[r.tensor].cause == CAUSE_EXPECTED;
    r.elements =
        there && !fit_stands_for(match->fit) ? m->ck->registry.tensors[r.tensor].elements : r.site->elements;
    return r;
}

struct model_packing model_packing(const struct model *m)
{
    const struct packed *p = &m->inner->match.packed;
    struct model_packing k = { .quantized = m->inner->match.quantized,
                               .method = p->method,
                               .weights = p->modules,
                               .bytes = p->bytes,
                               .elements = p->elements };
    if (!p->most) return k;
    k.layout = p->most->layout->name;
    k.choice = p->most->choice;
    k.bits = p->most->bits;
    k.group = p->most->group;
    k.open = p->open;
    struct model_solution first, other;
    for (unsigned i = 1; model_solution(m, 0, &first) && model_solution(m, i, &other); i++) {
        if (other.bits != first.bits) k.bits = 0;
        if (other.group != first.group) k.group = 0;
    }
    return k;
}

bool model_solution(const struct model *m, unsigned i, struct model_solution *out)
{
    const struct packed *p = &m->inner->match.packed;
    for (unsigned k = 0; k < p->solution_count; k++) {
        const struct packed_solution *s = &p->solutions[k];
        if (!s->open || i--) continue;
        *out = (struct model_solution){ s->form->layout->name, s->bits, s->group, s->whole, s->weights };
        return true;
    }
    return false;
}

bool model_find(const struct model *m, numel_str canonical, uint32_t *tensor, numel_error *e)
{
    *tensor = naming_find(&m->inner->naming, canonical);
    return naming_complete(&m->inner->naming, e);
}

struct meanings *model_meanings(const struct model *m) { return &m->inner->meanings; }

const struct training *model_training(const struct model *m) { return &m->inner->training; }
