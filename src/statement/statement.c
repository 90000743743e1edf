/*
 * statement.c -- makes lines that are sums over the matches: what a tensor is decides the line that counts
 * it.
 */
#include "statement/statement.h"

#include "base/num.h"

const struct line_code statement_codes[STATEMENT_CODES] = {
#define X(name, code, text, explains) { code, text, explains },
    DEVIATIONS(X)
#undef X
#define X(name, word, text) { "quant-" word, text, true },
        LAYOUT_BESIDE(X)
#undef X
#define X(name, code, text, explains) { code, text, explains },
            CAUSES(X)
#undef X
};

static const struct line_code *of_cause(enum cause c) { return &statement_codes[STATEMENT_CAUSES + c]; }

static bool is_part(enum layout_role r) { return r != LAYOUT_VALUE && r < LAYOUT_BIAS; }

const struct line_code *statement_beside(const struct model_tensor *t)
{
    if (t->cause != CAUSE_SIDECAR || !is_part(t->part)) return of_cause(t->cause);
    return &statement_codes[STATEMENT_QUANT_SCALE + (t->part - LAYOUT_SCALE)];
}

/* ---- sums --------------------------------------------------------------------------------- */

/* The code for how a tensor differs from the spec; NULL if it does not, or if its cause already states it. */
static const struct line_code *deviation(const struct model_tensor *t)
{
    bool expected = t->cause == CAUSE_EXPECTED;
    if (!t->site || !cause_harmless(t->cause)) return NULL;
    switch (t->fit) {
    case FIT_PACKED: return expected ? &statement_codes[STATEMENT_PACKED] : NULL;
    case FIT_PADDED: return expected ? &statement_codes[STATEMENT_PADDING] : NULL;
    case FIT_BARE: return &statement_codes[STATEMENT_NO_SCALES];
    case FIT_SAME:
        return expected && !t->supposed && t->ground != GROUND_SHAPE
                   ? &statement_codes[STATEMENT_UNKNOWN_TYPE]
                   : NULL;
    case FIT_VOCABULARY: return expected ? &statement_codes[STATEMENT_VOCABULARY] : NULL;
    case FIT_TYPE: return &statement_codes[STATEMENT_WRONG_TYPE];
    case FIT_WRONG: return &statement_codes[STATEMENT_WRONG_SHAPE];
    default: return NULL;
    }
}

const struct line_code *statement_code(const struct model_tensor *t)
{
    const struct line_code *code = deviation(t);
    return code ? code : statement_beside(t);
}

static void add_formula(struct tally *t, const struct model *m)
{
    const struct expansion *x = m->x;
    struct tally_line *l =
        tally_add(t, &statement_codes[STATEMENT_FORMULA], (numel_str){ NULL, 0 }, x->totals.parameters, 0);
    char count[TEXT_COUNT];
    if (!l) return;
    l->tensors = (int64_t)x->totals.parameter_tensors;
    l->ground = GROUND_SHAPE;
    l->detail = arena_format(t->arena, "%s, %s expected", m->called,
                             text_count(count, x->totals.parameter_tensors, "tensor"));
    if (!l->detail) error_nomem(t->error);
}

/* A name for what an `extra` block of the spec stores. */
NUMEL_MUST static const char *extra_text(struct model *m, const struct site *s)
{
    char shown[TEXT_QUOTE];
    numel_str extra = s ? s->extra : (numel_str){ NULL, 0 };
    if (!extra.p || text_equal(extra, "mtp")) return "multi-token prediction";
    return arena_format(&m->arena, "%s (%s)", text_bare(shown, extra), cause_text(CAUSE_EXTRA));
}

/* Adds the bytes of stored tensors; the formula's line has those stored as expected. */
static void add_bytes(struct statement *s, struct tally_line *l, uint64_t bytes)
{
    if (l && tally_sum(&s->tally, &l->bytes, bytes, 0)) s->bytes += bytes;
}

static void add_tensors(struct statement *sum, struct model *m)
{
    struct tally *t = &sum->tally;
    uint64_t expected = 0; /* bytes */
    for (uint32_t i = 0; i < m->ck->registry.count; i++) {
        uint64_t bytes = m->ck->registry.tensors[i].bytes;
        if (model_as_expected(m, i)) {
            if (!num_add(&expected, expected, bytes)) expected = UINT64_MAX; /* also too large for a line */
            continue;
        }
        const struct model_tensor is = model_tensor(m, i);
        const struct line_code *off = deviation(&is);
        struct tally_line *l =
            tally_add(t, off ? off : statement_beside(&is), m->ck->registry.tensors[i].name, is.stored,
                      off && site_counts(is.site) ? is.site->elements : 0);
        line_rests(l, is.ground);
        add_bytes(sum, l, bytes);
        if (l && l->names == 1 && l->code == of_cause(CAUSE_EXTRA)) l->cause = extra_text(m, is.site);
        if (l && !l->cause) error_nomem(t->error);
    }
    add_bytes(sum, tally_line(t, &statement_codes[STATEMENT_FORMULA]), expected);
}

/* The missing one of a tied tensor's two names; the row is that of the second name. */
static numel_str not_stored(const struct model *m, const struct model_row *row)
{
    const struct site *to = model_tied_to(m->x, row->site);
    const struct model_row of = model_row(m, to ? to->first_row : row->site->first_row);
    return of.renamed ? of.name : row->name;
}

/* Adds missing tensors. Scales and zero points add no elements, since they are not in the formula. */
static void add_rows(struct tally *t, struct model *m)
{
    for (size_t i = 0; i < m->differences.missing; i++) {
        const struct gap *g = &m->differences.gaps[i];
        if (g->beside)
            line_rests(tally_add(t, &statement_codes[STATEMENT_MISSING_QUANT], g->name, 0, 0), GROUND_SHAPE);
    }
    bool twice = tally_find(t, of_cause(CAUSE_TIED_COPY)) != NULL;
    for (uint32_t i = 0; i < m->x->row_count; i++) {
        const struct model_row row = model_row(m, i);
        const struct site *s = row.site;
        if (row.tensor != NAMES_ABSENT) continue;
        if (s->tied && !s->extra.p && !twice) {
            struct tally_line *l =
                tally_add(t, &statement_codes[STATEMENT_TIED_ONCE], not_stored(m, &row), 0, 0);
            line_rests(l, GROUND_SHAPE);
            if (l) l->tensors = 0;
        }
        if (row.missing)
            line_rests(tally_add(t, &statement_codes[STATEMENT_MISSING], row.name, 0,
                                 site_counts(s) ? s->elements : 0),
                       GROUND_SHAPE);
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static int in_order(const struct tally_line *a, const struct tally_line *b)
{
    return a->code < b->code ? -1 : a->code > b->code;
}

bool statement_make(struct statement *s, struct model *m, const char *copies, numel_error *e)
{
    int64_t left;
    *s = (struct statement){ .stored = m->ck->stored, .formula = m->x->totals.parameters };
    tally_init(&s->tally, &m->arena, e);
    add_formula(&s->tally, m);
    add_tensors(s, m);
    add_rows(&s->tally, m);
    struct tally_line *tied = tally_find(&s->tally, of_cause(CAUSE_TIED_COPY));
    if (tied) tied->note = copies;
    tally_sort(&s->tally, 1, in_order);
    if (!tally_close(&s->tally, s->stored, 0, &left)) return false;
    struct tally_line *cut = tally_find(&s->tally, &statement_codes[STATEMENT_VOCABULARY]);
    if (cut && cut->elements < 0) cut->cause = "vocabulary cut";
    const struct tally_line *unknown = tally_find(&s->tally, &statement_codes[STATEMENT_UNKNOWN]);
    s->unexplained = left + (unknown ? unknown->elements : 0);
    s->agrees = m->differences.proven && s->unexplained == 0;
    s->in_part = m->differences.consistent && s->unexplained == 0 && !s->agrees;
    return true;
}
