/*
 * differences.c -- lists missing, mismatched, unexpected and contradictory tensors.
 *
 * The faults of a layout (packed.h) replace those of its rows: a packed weight without scales is listed under
 * the names of the scales, not under its own.
 */
#include "model/differences.h"

#include "model/llama_cpp.h"
#include "model/model_internal.h"

/* True if the shape or type differs, but the cause is harmless. */
static bool is_off(const struct model *m, uint32_t row)
{
    const struct row_match *r = &m->inner->match.rows[row];
    return r->tensor != NAMES_ABSENT && fit_is_off((enum fit)r->fit) &&
           cause_harmless((enum cause)m->inner->match.tensors[r->tensor].cause);
}

static bool is_row_missing(const struct model *m, uint32_t row)
{
    return model_lacks(m, row) && !m->inner->match.packed.rows[row].form;
}

static bool is_row_off(const struct model *m, uint32_t row)
{
    return is_off(m, row) && !m->inner->match.packed.rows[row].form;
}

static struct gap row_gap(const struct model *m, uint32_t row)
{
    const struct site *s = model_site(m, row);
    const struct row_match *r = &m->inner->match.rows[row];
    return (struct gap){ row,
                         r->tensor,
                         (enum fit)r->fit,
                         false,
                         m->x->rows[row].name,
                         s->dims,
                         s->ndim,
                         text_of(s->holds == HOLDS_INTEGERS ? "integer" : "float") };
}

static void fault_gaps(const struct model *m, bool missing, struct gap *gaps, size_t *k)
{
    for (size_t i = 0; i < m->inner->match.packed.fault_count; i++) {
        const struct packed_fault *f = &m->inner->match.packed.faults[i];
        if (f->kind == PACKED_CONTRADICTION || (f->kind == PACKED_MISSING) != missing) continue;
        enum fit fit = missing ? FIT_ABSENT : f->kind == PACKED_TYPE ? FIT_TYPE : FIT_WRONG;
        gaps[(*k)++] = (struct gap){ f->row,  f->tensor, fit,     f->role != LAYOUT_VALUE,
                                     f->name, f->dims,   f->ndim, f->types };
    }
}

NUMEL_MUST static bool list_gaps(struct model *m, numel_error *e)
{
    struct differences *d = &m->differences;
    size_t n = m->inner->match.packed.fault_count, k = 0;
    for (uint32_t i = 0; i < m->x->row_count; i++) n += is_row_missing(m, i) || is_row_off(m, i);
    d->gaps = arena_alloc(&m->made, (n + 1) * sizeof *d->gaps);
    if (!d->gaps) return error_nomem(e);
    for (uint32_t i = 0; i < m->x->row_count; i++)
        if (is_row_missing(m, i)) d->gaps[k++] = row_gap(m, i);
    fault_gaps(m, true, d->gaps, &k);
    d->missing = k;
    for (uint32_t i = 0; i < m->x->row_count; i++)
        if (is_row_off(m, i)) d->gaps[k++] = row_gap(m, i);
    fault_gaps(m, false, d->gaps, &k);
    d->mismatched = k - d->missing;
    return true;
}

/* The fault as a sentence, after the weight's name if it concerns one weight. */
NUMEL_MUST static const char *sentence(struct model *m, const struct packed_fault *f)
{
    char shown[TEXT_QUOTE];
    return f->name.n ? arena_format(&m->made, "%s: %s", text_bare(shown, f->name), f->text) : f->text;
}

NUMEL_MUST static bool list_contradictions(struct model *m, numel_error *e)
{
    const struct packed *p = &m->inner->match.packed;
    struct differences *d = &m->differences;
    const char *const *refused = NULL;
    size_t refusals = 0;
    if (llama_cpp_alone(m) && !llama_cpp_faults(m, &refused, &refusals, &m->made, e)) return false;
    d->contradictions = arena_alloc(&m->made, (p->fault_count + refusals + 1) * sizeof *d->contradictions);
    if (!d->contradictions) return error_nomem(e);
    for (size_t i = 0; i < refusals; i++)
        d->contradictions[d->contradiction_count++] =
            (struct contradiction){ { "", 0 }, refused[i], refused[i], .loader = true };
    for (size_t i = 0; i < p->fault_count; i++) {
        const struct packed_fault *f = &p->faults[i];
        if (f->kind != PACKED_CONTRADICTION) continue;
        const char *said = sentence(m, f);
        if (!said) return error_nomem(e);
        d->contradictions[d->contradiction_count++] = (struct contradiction){ f->name, f->text, said, false };
    }
    return true;
}

static bool disagrees(const struct model *m, uint32_t tensor)
{
    return !cause_harmless((enum cause)m->inner->match.tensors[tensor].cause);
}

NUMEL_MUST static bool list_unexpected(struct model *m, numel_error *e)
{
    struct differences *d = &m->differences;
    size_t n = 0;
    for (uint32_t i = 0; i < m->ck->registry.count; i++) n += disagrees(m, i);
    d->unexpected = arena_alloc(&m->made, (n + 1) * sizeof *d->unexpected);
    if (!d->unexpected) return error_nomem(e);
    for (uint32_t i = 0; i < m->ck->registry.count; i++)
        if (disagrees(m, i)) d->unexpected[d->unexpected_count++] = i;
    return true;
}

size_t differences_count(const struct differences *d)
{
    return d->missing + d->mismatched + d->unexpected_count;
}

bool differences_make(struct model *m, numel_error *e)
{
    struct differences *d = &m->differences;
    *d = (struct differences){ .gaps = NULL };
    for (uint32_t i = 0; i < m->ck->registry.count; i++) d->grounds[m->inner->match.tensors[i].ground]++;
    if (!list_gaps(m, e) || !list_contradictions(m, e) || !list_unexpected(m, e)) return false;
    d->consistent = differences_count(d) == 0 && d->contradiction_count == 0 &&
                    (m->ck->missing == 0 || m->ck->named) && d->grounds[GROUND_NONE] == 0;
    return true;
}

void differences_prove(struct model *m)
{
    struct differences *d = &m->differences;
    d->proven = d->consistent && d->grounds[GROUND_NAME] == 0 && !m->inferred;
}
