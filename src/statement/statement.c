/*
 * statement.c -- sums over the matches, as lines: what a tensor is decides in which one it is counted.
 */
#include "statement/statement.h"

#include <stdio.h>
#include <stdlib.h>

struct sum {
    uint64_t tensors, unchecked;
    int64_t elements;
    uint32_t first;     /* a tensor or row to name */
    enum ground ground; /* the weakest */
};

struct adding {
    struct statement *s;
    struct model *m;
    const struct expansion *x;
    const struct registry *r;
    struct sum causes[CAUSE_COUNT], missing, packed, vocabulary, wrong, type, untold, bare, tied_absent,
        lacking; /* scales and their kin that are missing: no elements, since the formula has none of them */
    bool overflow;
    numel_error *error;
};

static void add(struct adding *a, struct sum *sum, enum ground ground, uint64_t plus, uint64_t minus,
                uint32_t what)
{
    int64_t change;
    if (__builtin_sub_overflow(plus, minus, &change) ||
        __builtin_add_overflow(sum->elements, change, &sum->elements))
        a->overflow = true;
    if (sum->tensors == 0) sum->first = what;
    if (sum->tensors == 0 || ground < sum->ground) sum->ground = ground;
    sum->unchecked += ground == GROUND_NAME;
    sum->tensors++;
}

/* ---- sums --------------------------------------------------------------------------------- */

/* What a tensor is, when it is not what the spec says in every respect; else its cause tells. */
static const char *deviation(const struct tensor_match *m)
{
    bool expected = m->cause == CAUSE_EXPECTED;
    if (m->row == NAMES_ABSENT || !cause_harmless((enum cause)m->cause)) return NULL;
    switch ((enum fit)m->fit) {
    case FIT_PACKED: return expected ? "packed" : NULL;
    case FIT_BARE: return "no-scales";
    case FIT_SAME: return expected && m->ground != GROUND_SHAPE ? "unknown-type" : NULL;
    case FIT_VOCABULARY: return expected ? "vocabulary" : NULL;
    case FIT_TYPE: return "wrong-type";
    case FIT_WRONG: return "wrong-shape";
    default: return NULL;
    }
}

const char *statement_code(const struct match *m, uint32_t tensor)
{
    const char *code = deviation(&m->tensors[tensor]);
    return code ? code : cause_code((enum cause)m->tensors[tensor].cause);
}

static struct sum *sum_of(struct adding *a, const char *deviation)
{
    return strcmp(deviation, "packed") == 0         ? &a->packed
           : strcmp(deviation, "no-scales") == 0    ? &a->bare
           : strcmp(deviation, "unknown-type") == 0 ? &a->untold
           : strcmp(deviation, "vocabulary") == 0   ? &a->vocabulary
           : strcmp(deviation, "wrong-type") == 0   ? &a->type
                                                    : &a->wrong;
}

static void add_tensors(struct adding *a)
{
    for (uint32_t i = 0; i < a->r->count; i++) {
        const struct tensor_match *m = &a->m->match.tensors[i];
        uint64_t stored = a->r->tensors[i].elements;
        const char *off = deviation(m);
        if (off)
            add(a, sum_of(a, off), (enum ground)m->ground, stored,
                site_counts(model_site(a->m, m->row)) ? model_site(a->m, m->row)->elements : 0, i);
        else if (m->cause != CAUSE_EXPECTED)
            add(a, &a->causes[m->cause], (enum ground)m->ground, stored, 0, i);
    }
}

static void add_rows(struct adding *a)
{
    for (size_t i = 0; i < a->m->match.packed.fault_count; i++) {
        const struct packed_fault *f = &a->m->match.packed.faults[i];
        if (f->kind == PACKED_MISSING && f->role != LAYOUT_VALUE)
            add(a, &a->lacking, GROUND_SHAPE, 0, 0, (uint32_t)i);
    }
    for (uint32_t i = 0; i < a->x->row_count; i++) {
        const struct site *s = model_site(a->m, i);
        if (a->m->match.rows[i].tensor != NAMES_ABSENT) continue;
        if (s->tied && !s->extra.p) add(a, &a->tied_absent, GROUND_SHAPE, 0, 0, i);
        if (model_lacks(a->m, i)) add(a, &a->missing, GROUND_SHAPE, 0, site_counts(s) ? s->elements : 0, i);
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

static const char *name_text(struct adding *a, numel_str name)
{
    char quoted[TEXT_QUOTE];
    const char *q = text_quote(quoted, name);
    const char *kept = arena_format(&a->m->arena, "%.*s", (int)strlen(q) - 2, q + 1);
    return kept ? kept : "";
}

static void add_line(struct adding *a, const char *code, const char *cause, const char *detail,
                     const struct sum *sum)
{
    if (sum->tensors == 0 || a->s->count == STATEMENT_LINES) return;
    a->s->lines[a->s->count++] = (struct statement_line){
        code, cause, detail ? detail : "", sum->tensors, sum->elements, sum->ground, sum->unchecked,
    };
}

/* "NAME and 27 more" */
static const char *and_more(struct adding *a, numel_str first, uint64_t tensors)
{
    const char *name = name_text(a, first);
    if (tensors == 1) return name;
    return arena_format(&a->m->arena, "%s and %" PRIu64 " more", name, tensors - 1);
}

static const char *tensor_detail(struct adding *a, const struct sum *sum)
{
    return sum->tensors ? and_more(a, a->r->tensors[sum->first].name, sum->tensors) : "";
}

static const char *row_detail(struct adding *a, const struct sum *sum)
{
    return sum->tensors ? and_more(a, a->x->rows[sum->first].name, sum->tensors) : "";
}

static const char *fault_detail(struct adding *a, const struct sum *sum)
{
    return sum->tensors ? and_more(a, a->m->match.packed.faults[sum->first].name, sum->tensors) : "";
}

/* "mtp" for what an `extra` block of the spec stores. */
static const char *cause_name(struct adding *a, enum cause c)
{
    uint32_t row = a->m->match.tensors[a->causes[c].first].row;
    if (c != CAUSE_EXTRA) return cause_text(c);
    numel_str extra = row != NAMES_ABSENT ? model_site(a->m, row)->extra : (numel_str){ NULL, 0 };
    bool mtp = !extra.p || text_equal(extra, "mtp");
    if (mtp) return "multi-token prediction";
    return arena_format(&a->m->arena, "%.*s (%s)", (int)extra.n, extra.p, cause_text(c));
}

static const char *formula_detail(struct adding *a)
{
    const struct expansion *x = a->x;
    return arena_format(&a->m->arena, "%s, %" PRIu64 " tensors expected", x->spec->name,
                        x->totals.parameter_tensors);
}

static void add_tensor_line(struct adding *a, const char *code, const char *cause, const struct sum *sum)
{
    add_line(a, code, cause, tensor_detail(a, sum), sum);
}

/* What the formula says stands first, be it nothing. */
static void add_formula_line(struct adding *a)
{
    const struct totals *t = &a->x->totals;
    const char *detail = formula_detail(a);
    a->s->formula = t->parameters;
    a->s->lines[a->s->count++] = (struct statement_line){
        "formula",    "formula", detail ? detail : "", t->parameter_tensors, (int64_t)t->parameters,
        GROUND_SHAPE, 0,
    };
}

static void make_lines(struct adding *a)
{
    add_formula_line(a);
    add_line(a, "missing", "missing", row_detail(a, &a->missing), &a->missing);
    add_line(a, "missing-quant", "missing scales and their kin", fault_detail(a, &a->lacking), &a->lacking);
    add_tensor_line(a, "packed", "packed values", &a->packed);
    add_tensor_line(a, "no-scales", "of 8 bits or fewer, without scales", &a->bare);
    add_tensor_line(a, "unknown-type", "of an unknown type", &a->untold);
    add_tensor_line(a, "vocabulary", a->vocabulary.elements < 0 ? "vocabulary cut" : "vocabulary padded",
                    &a->vocabulary);
    add_tensor_line(a, "wrong-shape", "wrong shape", &a->wrong);
    add_tensor_line(a, "wrong-type", "wrong type", &a->type);
    if (a->tied_absent.tensors && a->causes[CAUSE_TIED_COPY].tensors == 0) {
        add_line(a, "tied-once", "tied, stored once", row_detail(a, &a->tied_absent), &a->tied_absent);
        a->s->lines[a->s->count - 1].tensors = 0;
    }
    for (int c = CAUSE_EXPECTED + 1; c < CAUSE_UNKNOWN; c++) /* what is unknown is unexplained */
        if (a->causes[c].tensors)
            add_tensor_line(a, cause_code((enum cause)c), cause_name(a, (enum cause)c), &a->causes[c]);
}

/* ---- all ---------------------------------------------------------------------------------- */

bool statement_make(struct statement *s, struct model *m, numel_error *e)
{
    struct adding a = { .s = s, .m = m, .x = m->x, .r = &m->ck->registry, .error = e };
    *s = (struct statement){ .stored = m->ck->stored };
    add_tensors(&a);
    add_rows(&a);
    if (a.overflow || s->stored > INT64_MAX || m->x->totals.parameters > INT64_MAX)
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the statement's sums do not fit in 63 bits");
    make_lines(&a);
    int64_t sum = 0;
    for (size_t i = 0; i < s->count; i++) sum += s->lines[i].elements;
    s->unexplained = (int64_t)s->stored - sum;
    s->agrees = m->differences.proven && s->unexplained == 0;
    s->in_part = m->differences.consistent && s->unexplained == 0 && !s->agrees;
    return true;
}
