/*
 * api_parts.c -- the lists of a numel_subject, item by item: symbols, terms, lines, expected and stored
 * tensors, differences, groups.
 *
 * Each function fills one of the caller's structs from the rooms below. Tensors and rows keep their numbers
 * from there. Enums that numel.h also has are converted by name, or by a value that is asserted to be equal.
 */
#include "base/border.h"
#include "reporter/handles.h"

_Static_assert((int)NUMEL_CONSTANT == (int)EVIDENCE_CONSTANT &&
                   (int)NUMEL_DECLARED == (int)EVIDENCE_DECLARED && (int)NUMEL_SET == (int)EVIDENCE_SET &&
                   (int)NUMEL_DEFAULTED == (int)EVIDENCE_DEFAULTED &&
                   (int)NUMEL_INFERRED == (int)EVIDENCE_INFERRED,
               "one scale of evidence");
_Static_assert((int)NUMEL_ON_NOTHING == (int)GROUND_NONE && (int)NUMEL_ON_NAME == (int)GROUND_NAME &&
                   (int)NUMEL_ON_SHAPE == (int)GROUND_SHAPE,
               "one scale of grounds");
_Static_assert(NUMEL_NONE == NAMES_ABSENT, "one number for none");

/* formula_of(): the model, if it is resolved and has a formula. matched(): likewise, if it also has a
 * checkpoint. */
static const struct model *formula_of(const numel_subject *s)
{
    return subject_resolved(s) && s->handle->model->x ? s->handle->model : NULL;
}

static const struct model *matched(const numel_subject *s) { return s->ck ? formula_of(s) : NULL; }

/* ---- symbols and terms -------------------------------------------------------------------- */

static const struct terms *terms_in(const numel_subject *s)
{
    static const struct terms none;
    const struct resolved *r = subject_resolved(s);
    return r && r->terms ? r->terms : &none;
}

static size_t symbol_count(const numel_subject *s) { return terms_in(s)->symbol_count; }

numel_rc numel_symbol_at(const numel_subject *s, size_t i, numel_symbol *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (!subject_index(i, symbol_count(s), e)) return e->code;
    const struct term_symbol *x = &terms_in(s)->symbols[i];
    const numel_symbol own = { .size = sizeof own,
                               .name = x->name,
                               .from = x->from,
                               .value = x->value,
                               .evidence = (numel_evidence)x->evidence };
    return BORDER_GIVE(numel_symbol, out, &own, e) ? NUMEL_OK : e->code;
}

static size_t term_count(const numel_subject *s) { return terms_in(s)->count; }

numel_rc numel_term_at(const numel_subject *s, size_t i, numel_term *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (!subject_index(i, term_count(s), e)) return e->code;
    const struct term *t = &terms_in(s)->items[i];
    const numel_term own = { .size = sizeof own,
                             .role = t->role,
                             .expression = t->expr,
                             .each = t->each,
                             .times = t->times,
                             .total = t->total,
                             .evidence = (numel_evidence)t->evidence,
                             .buffer = t->buffer };
    return BORDER_GIVE(numel_term, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- what is expected --------------------------------------------------------------------- */

static size_t expected_count(const numel_subject *s)
{
    const struct model *m = formula_of(s);
    return m ? m->x->row_count : 0;
}

numel_rc numel_expected_at(const numel_subject *s, size_t i, numel_expected *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (!subject_index(i, expected_count(s), e)) return e->code;
    const struct model *m = s->handle->model;
    uint32_t row = (uint32_t)i;
    const struct site *at = model_site(m, row);
    const numel_expected own = { .size = sizeof own,
                                 .name = m->x->rows[row].name,
                                 .role = at->role,
                                 .dims = at->ndim ? at->dims : NULL,
                                 .elements = at->elements,
                                 .layer = at->layer,
                                 .ndim = at->ndim,
                                 .tensor = s->ck ? model_row(m, row).tensor : NUMEL_NONE,
                                 .buffer = at->kind == TENSOR_BUF,
                                 .tied = at->tied,
                                 .counted = at->counted && at->kind != TENSOR_BUF,
                                 .missing = s->ck && model_row(m, row).missing };
    return BORDER_GIVE(numel_expected, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- the statement ------------------------------------------------------------------------ */

static size_t line_count(const numel_subject *s) { return matched(s) ? s->handle->statement.tally.count : 0; }

numel_rc numel_line_at(const numel_subject *s, size_t i, numel_line *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (!subject_index(i, line_count(s), e)) return e->code;
    const struct tally_line *l = s->handle->statement.tally.lines[i];
    const numel_line own = { .size = sizeof own,
                             .code = l->code->code,
                             .cause = l->cause,
                             .detail = l->detail,
                             .tensors = (uint64_t)l->tensors,
                             .elements = l->elements,
                             .unchecked = l->unchecked,
                             .ground = (numel_ground)l->ground,
                             .explains = l->explains };
    return BORDER_GIVE(numel_line, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- what is stored ----------------------------------------------------------------------- */

static numel_tensor_facts tensor_facts(const struct model *m, uint32_t tensor)
{
    const struct model_tensor t = model_tensor(m, tensor);
    return (numel_tensor_facts){ .size = sizeof(numel_tensor_facts),
                                 .role = t.role,
                                 .code = statement_code(&t)->code,
                                 .kind = t.class,
                                 .layout = t.layout,
                                 .logical = t.logical,
                                 .expected = t.row,
                                 .ground = (numel_ground)t.ground };
}

numel_rc numel_tensor_about(const numel_subject *s, size_t i, numel_tensor_facts *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    const struct model *m = matched(s);
    const struct resolved *r = subject_resolved(s);
    numel_tensor_facts own = { .size = sizeof own,
                               .code = cause_code(CAUSE_UNKNOWN),
                               .kind = "unknown",
                               .logical = NUMEL_NOT_KNOWN,
                               .expected = NUMEL_NONE };
    if (!subject_index(i, s->ck ? s->ck->registry.count : 0, e)) return e->code;
    if (m) own = tensor_facts(m, (uint32_t)i);
    own.group = r ? r->group_of[i] : NUMEL_NONE;
    return BORDER_GIVE(numel_tensor_facts, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- differences -------------------------------------------------------------------------- */

static size_t difference_count(const numel_subject *s)
{
    const struct model *m = matched(s);
    return m ? differences_count(&m->differences) + m->differences.contradiction_count : 0;
}

static numel_difference gap_difference(const struct model *m, const struct gap *g)
{
    bool missing = g->tensor == NAMES_ABSENT;
    return (numel_difference){ .kind = missing              ? NUMEL_MISSING
                                       : g->fit == FIT_TYPE ? NUMEL_WRONG_TYPE
                                                            : NUMEL_WRONG_SHAPE,
                               .tensor = g->tensor,
                               .expected = g->row,
                               .name = missing ? g->name : m->ck->registry.tensors[g->tensor].name,
                               .dims = g->ndim ? g->dims : NULL,
                               .ndim = g->ndim,
                               .types = g->types,
                               .text = missing              ? "missing"
                                       : g->fit == FIT_TYPE ? "wrong type"
                                                            : "wrong shape" };
}

static numel_difference difference(const struct model *m, size_t i)
{
    const struct differences *d = &m->differences;
    size_t gaps = d->missing + d->mismatched;
    numel_difference own = { .tensor = NUMEL_NONE, .expected = NUMEL_NONE };
    if (i < gaps) return gap_difference(m, &d->gaps[i]);
    if (i < gaps + d->unexpected_count) {
        own.kind = NUMEL_UNEXPECTED;
        own.tensor = d->unexpected[i - gaps];
        own.name = m->ck->registry.tensors[own.tensor].name;
        own.text = cause_text(model_tensor(m, own.tensor).cause);
        return own;
    }
    const struct contradiction *x = &d->contradictions[i - gaps - d->unexpected_count];
    own.kind = NUMEL_CONTRADICTION;
    own.name = x->name;
    own.text = x->said;
    return own;
}

numel_rc numel_difference_at(const numel_subject *s, size_t i, numel_difference *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (!subject_index(i, difference_count(s), e)) return e->code;
    numel_difference own = difference(s->handle->model, i);
    own.size = sizeof own;
    return BORDER_GIVE(numel_difference, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- groups ------------------------------------------------------------------------------- */

static size_t group_count(const numel_subject *s)
{
    const struct resolved *r = subject_resolved(s);
    return r ? r->groups.count : 0;
}

numel_rc numel_group_at(const numel_subject *s, size_t i, numel_group *out, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    if (!subject_index(i, group_count(s), e)) return e->code;
    const struct group_row *g = &subject_resolved(s)->groups.items[i];
    const struct fold_node *n = g->node;
    const numel_tensor *leaf = groups_leaf(g);
    const numel_group own = { .size = sizeof own,
                              .name = g->name,
                              .types = g->types,
                              .repeats = n->repeats,
                              .times = n->times,
                              .each = n->each,
                              .tensors = n->tensors,
                              .elements = n->elements,
                              .bytes = n->bytes,
                              .level = g->level,
                              .tensor = leaf ? (uint32_t)(leaf - s->ck->registry.tensors) : NUMEL_NONE };
    return BORDER_GIVE(numel_group, out, &own, e) ? NUMEL_OK : e->code;
}

/* ---- how many there are ------------------------------------------------------------------- */

void subject_sizes(const numel_subject *s, numel_facts *f)
{
    f->symbols = symbol_count(s);
    f->terms = term_count(s);
    f->expected = expected_count(s);
    f->lines = line_count(s);
    f->differences = difference_count(s);
    f->groups = group_count(s);
}
