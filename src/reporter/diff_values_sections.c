/*
 * diff_values_sections.c -- what numel diff --values found: a table of layers that shows at a glance which differ, the
 * most changed tensors, and a record a tensor for programs.
 *
 *     layer                differ     rel L2
 *     model.layers.[0-11]  identical
 *     model.layers.12      3 of 9    0.00214  ########
 */
#include "reporter/diff_values.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

enum { BAR = 20, LAYER_ROWS = 160, MOST_ROWS = 10, REALS = 6 };

struct value_sections {
    struct diff_values v;
    const char *verdict;
    uint8_t whys[COMPARE_STATE_COUNT]; /* that occur */
    size_t why_count;
    char real[REALS][NUMBER_REAL], text[64], bar[BAR + 1]; /* of the row that is asked for */
};

/* ---- cells -------------------------------------------------------------------------------- */

/* The fewest digits that are read back as the same number; what is not finite is null. */
static struct cell real_cell(char out[NUMBER_REAL], double v)
{
    double back = 0;
    if (!isfinite(v)) return (struct cell){ .kind = CELL_NULL };
    for (int digits = 15; digits <= 17; digits++) {
        number_real(out, v, NUMBER_SHORT, digits);
        if (number_real_read(text_of(out), false, &back) && !(back < v) && !(back > v)) break;
    }
    return (struct cell){ .kind = CELL_RAW, .t = out };
}

static struct cell short_cell(char out[NUMBER_REAL], double v)
{
    return isfinite(v) ? CELL_T(number_real(out, v, NUMBER_SHORT, 3)) : (struct cell){ .kind = CELL_NULL };
}

/* Why there is no relative distance, in a word. */
static const char *undefined_word(const struct distance *d)
{
    if (d->nan[A] != d->nan[B] || d->nan[A]) return "NaN";
    if (d->infinite[A] || d->infinite[B]) return "infinite";
    return d->undefined ? "too large" : "a is 0";
}

/* What lies next to 1 is told from it. */
static struct cell cosine_cell(char out[NUMBER_REAL], double v)
{
    return isfinite(v) ? CELL_T(number_real(out, v, NUMBER_FIXED, 6)) : (struct cell){ .kind = CELL_NULL };
}

static struct cell relative_cell(char out[NUMBER_REAL], const struct distance *d)
{
    double v = distance_relative(d);
    return isfinite(v) ? short_cell(out, v) : CELL_T(undefined_word(d));
}

static bool is_whole(const struct diff_values *v, uint32_t pair)
{
    const struct decoder *how = decode_find(value_tensor(v, pair, A)->dtype);
    return how && how->whole;
}

/* ---- layers ------------------------------------------------------------------------------- */

static const struct column row_columns[] = {
    { NULL, "layer", COLUMN_NAME },
    { NULL, "differ", COLUMN_RIGHT },
    { NULL, "rel L2", COLUMN_RIGHT },
    { NULL, "", 0 },
    { NULL, "max abs", COLUMN_RIGHT | COLUMN_RANK(4) },
    { NULL, "cosine", COLUMN_RIGHT | COLUMN_RANK(3) },
};

static const char *bar_of(struct value_sections *s, double v)
{
    int n = s->v.largest > 0 ? (int)(v / s->v.largest * BAR + 0.5) : 0;
    if (n < 1) n = 1; /* it differs */
    if (n > BAR) n = BAR;
    memset(s->bar, '#', (size_t)n);
    s->bar[n] = '\0';
    return s->bar;
}

static void row_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    struct value_sections *s = (struct value_sections *)ctx; /* its texts are scratch */
    const struct value_row *row = &s->v.rows[i];
    const struct value_layer *l = &s->v.layers[row->first];
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    (void)depth;
    c[0] = CELL_T(row->name);
    text_format(s->text, sizeof s->text, "%s of %s", text_number(n, l->differ), text_number(m, l->tensors));
    c[1] = value_layer_same(l) ? CELL_T("identical")
           : l->differ         ? CELL_T(s->text)
           : l->not_compared   ? CELL_T("not compared")
                               : CELL_T("equal values");
    if (l->d.elements == 0) return;
    double v = distance_relative(&l->d);
    c[2] = relative_cell(s->real[0], &l->d);
    if (isfinite(v)) c[3] = CELL_T(bar_of(s, v));
    c[4] = short_cell(s->real[1], distance_most(&l->d));
    c[5] = cosine_cell(s->real[2], distance_cosine(&l->d));
}

/* clang-format off */
static const struct column layer_columns[] = {
    { "name", NULL, 0 },  { "layer", NULL, 0 }, { "tensors", NULL, 0 }, { "equal", NULL, 0 },
    { "differ", NULL, 0 }, { "not_compared", NULL, 0 }, { "max_abs", NULL, 0 }, { "mean_abs", NULL, 0 },
    { "rel_l2", NULL, 0 }, { "cosine", NULL, 0 },
};
/* clang-format on */

static void layer_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    struct value_sections *s = (struct value_sections *)ctx;
    const struct value_layer *l = &s->v.layers[i];
    (void)depth;
    c[0] = CELL_S(l->name);
    if (l->stem.n) c[1] = CELL_U(CELL_NUMBER, l->number);
    c[2] = CELL_U(CELL_COUNT, l->tensors);
    c[3] = CELL_U(CELL_COUNT, l->equal);
    c[4] = CELL_U(CELL_COUNT, l->differ);
    c[5] = CELL_U(CELL_COUNT, l->not_compared);
    if (l->d.elements == 0) return;
    c[6] = real_cell(s->real[0], distance_most(&l->d));
    c[7] = real_cell(s->real[1], distance_mean(&l->d));
    c[8] = real_cell(s->real[2], distance_relative(&l->d));
    c[9] = real_cell(s->real[3], distance_cosine(&l->d));
}

/* ---- tensors ------------------------------------------------------------------------------ */

static const struct column most_columns[] = {
    { NULL, "most changed", COLUMN_NAME },
    { NULL, "rel L2", COLUMN_RIGHT },
    { NULL, "max abs", COLUMN_RIGHT },
    { NULL, "differ", COLUMN_RIGHT },
    { NULL, "mean abs", COLUMN_RIGHT | COLUMN_RANK(4) },
    { NULL, "cosine", COLUMN_RIGHT | COLUMN_RANK(3) },
};

static const char *const units[] = { "element", "block", "byte" };

static void most_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    struct value_sections *s = (struct value_sections *)ctx;
    uint32_t pair = s->v.most[i];
    const struct compare_pair *p = &s->v.c.pairs[pair];
    char n[TEXT_NUMBER];
    (void)depth;
    c[0] = CELL_S(value_tensor(&s->v, pair, A)->name);
    text_number(n, p->d.differing);
    if (p->unit == COMPARE_ELEMENTS) text_format(s->text, sizeof s->text, "%s", n);
    else text_format(s->text, sizeof s->text, "%s %s%s", n, units[p->unit], p->d.differing == 1 ? "" : "s");
    c[3] = CELL_T(s->text);
    if (!p->measured) return;
    c[1] = relative_cell(s->real[0], &p->d);
    c[2] = short_cell(s->real[1], distance_most(&p->d));
    if (is_whole(&s->v, pair)) c[2] = CELL_U(CELL_COUNT, p->d.whole_most);
    c[4] = short_cell(s->real[2], distance_mean(&p->d));
    c[5] = cosine_cell(s->real[3], distance_cosine(&p->d));
}

/* clang-format off */
static const struct column tensor_columns[] = {
    { "name", NULL, 0 }, { "other_name", NULL, 0 }, { "dtype_a", NULL, 0 }, { "dtype_b", NULL, 0 },
    { "elements", NULL, 0 }, { "not_compared", NULL, 0 }, { "equal_bits", NULL, 0 }, { "unit", NULL, 0 },
    { "units", NULL, 0 }, { "differing", NULL, 0 }, { "max_abs", NULL, 0 }, { "mean_abs", NULL, 0 },
    { "rel_l2", NULL, 0 }, { "cosine", NULL, 0 }, { "nan_a", NULL, 0 }, { "nan_b", NULL, 0 },
    { "infinite_a", NULL, 0 }, { "infinite_b", NULL, 0 }, { "permuted", NULL, 0 },
};
/* clang-format on */

static void distance_cells(struct value_sections *s, uint32_t pair, struct cell *c)
{
    const struct distance *d = &s->v.c.pairs[pair].d;
    c[0] = real_cell(s->real[0], distance_most(d));
    if (is_whole(&s->v, pair) && c[0].kind != CELL_NULL) c[0] = CELL_U(CELL_NUMBER, d->whole_most);
    c[1] = real_cell(s->real[1], distance_mean(d));
    c[2] = real_cell(s->real[2], distance_relative(d));
    c[3] = real_cell(s->real[3], distance_cosine(d));
    c[4] = CELL_U(CELL_COUNT, d->nan[A]);
    c[5] = CELL_U(CELL_COUNT, d->nan[B]);
    c[6] = CELL_U(CELL_COUNT, d->infinite[A]);
    c[7] = CELL_U(CELL_COUNT, d->infinite[B]);
}

static void tensor_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    struct value_sections *s = (struct value_sections *)ctx;
    const struct compare_pair *p = &s->v.c.pairs[i];
    const numel_tensor *a = value_tensor(&s->v, (uint32_t)i, A), *b = value_tensor(&s->v, (uint32_t)i, B);
    (void)depth;
    c[0] = CELL_S(a->name);
    c[1] = CELL_S(b->name);
    c[2] = CELL_S(text_of(a->dtype->name));
    c[3] = CELL_S(text_of(b->dtype->name));
    c[4] = CELL_U(CELL_COUNT, a->elements);
    c[18] = CELL_U(CELL_BOOL, p->turn != 0);
    if (p->state != COMPARE_DONE) {
        c[5] = CELL_T(compare_why((enum compare_state)p->state));
        return;
    }
    c[6] = CELL_U(CELL_BOOL, p->same_bytes);
    c[7] = CELL_T(units[p->unit]);
    c[8] = CELL_U(CELL_COUNT, p->units);
    c[9] = CELL_U(CELL_COUNT, p->d.differing);
    if (p->measured) distance_cells(s, (uint32_t)i, &c[10]);
}

/* ---- totals ------------------------------------------------------------------------------- */

static const struct column total_columns[] = { { "compared", NULL, 0 },   { "equal", NULL, 0 },
                                               { "differ", NULL, 0 },     { "not_compared", NULL, 0 },
                                               { "equal_bits", NULL, 0 }, { "complete", NULL, 0 } };

static void total_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_values *v = &((const struct value_sections *)ctx)->v;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, v->equal + v->differ);
    c[1] = CELL_U(CELL_COUNT, v->equal);
    c[2] = CELL_U(CELL_COUNT, v->differ);
    c[3] = CELL_U(CELL_COUNT, v->not_compared);
    c[4] = CELL_U(CELL_COUNT, v->same_bytes);
    c[5] = CELL_U(CELL_BOOL, !v->c.stopped && v->unreadable == 0);
}

static const struct column why_columns[] = { { NULL, "", 0 },
                                             { NULL, "", COLUMN_RIGHT },
                                             { NULL, "", COLUMN_WRAP } };

static void why_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct value_sections *s = ctx;
    (void)depth;
    if (i == s->why_count) {
        c[0] = CELL_T("rows permuted");
        c[1] = CELL_U(CELL_COUNT, s->v.turned);
        c[2] = CELL_T("compared in the order in which llama.cpp's converter puts rows of q and k");
        return;
    }
    c[0] = CELL_T("not compared");
    c[1] = CELL_U(CELL_COUNT, s->v.why[s->whys[i]]);
    c[2] = CELL_T(compare_why((enum compare_state)s->whys[i]));
}

/* "2 of 9 tensors differ; identical bits in 6; 1 not compared" */
NUMEL_MUST static const char *verdict_of(const struct diff_values *v, struct arena *a)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    uint64_t compared = v->equal + v->differ, other = v->equal - v->same_bytes;
    struct buffer b;
    buffer_init(&b, a->memory);
    const char *between = "values: ";
    if (v->differ) {
        buffer_format(&b, "%s%s of %s tensors differ", between, text_number(n, v->differ),
                      text_number(m, compared));
        between = "; ";
    }
    if (v->same_bytes) {
        buffer_format(&b, "%sidentical bits in %s tensor%s", between, text_number(n, v->same_bytes),
                      v->same_bytes == 1 ? "" : "s");
        between = "; ";
    }
    if (other) {
        buffer_format(&b, "%sequal values in %s tensor%s of another dtype", between, text_number(n, other),
                      other == 1 ? "" : "s");
        between = "; ";
    }
    if (v->not_compared) buffer_format(&b, "%s%s not compared", between, text_number(n, v->not_compared));
    if (v->c.count == 0) buffer_text(&b, "values: no tensor stands in both");
    return buffer_keep(&b, a);
}

/* ---- all ---------------------------------------------------------------------------------- */

static const struct column verdict_columns[] = { { NULL, "", 0 } };

static void verdict_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    c[0] = CELL_T(((const struct value_sections *)ctx)->verdict);
}

void diff_values_verdict(struct numel_report *out, const struct value_sections *s)
{
    report_section(
        out, &(struct section){
                 .form = SECTION_FIELDS, COLUMNS(verdict_columns), .rows = 1, .row = verdict_row, .ctx = s });
}

NUMEL_MUST bool diff_values_make(struct numel_report *out, struct value_sections **made, const struct diff *d,
                                 const numel_work *how, numel_error *e)
{
    struct value_sections *s = arena_alloc(&out->arena, sizeof *s);
    if (!s) return error_nomem(e);
    *s = (struct value_sections){ .why_count = 0 };
    if (!diff_compare(&s->v, d, how, e)) return false;
    s->verdict = verdict_of(&s->v, &out->arena);
    if (!s->verdict) return error_nomem(e);
    for (int i = COMPARE_DONE + 1; i < COMPARE_STATE_COUNT; i++)
        if (s->v.why[i]) s->whys[s->why_count++] = (uint8_t)i;
    out->stopped = s->v.c.stopped;
    out->unreadable = s->v.unreadable;
    out->disagrees = out->disagrees || s->v.differ;
    out->in_part = s->v.not_compared > 0;
    *made = s;
    return true;
}

/* Which files could not be read stands with the values: nothing else of a diff reads them. */
static const struct column file_columns[] = { { "path", "", 0 }, { "message", "", COLUMN_WRAP } };

static void file_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct diff_values *v = &((const struct value_sections *)ctx)->v;
    (void)depth;
    for (int w = A; w <= B; w++)
        for (size_t k = 0; k < v->c.side[w].file_count; k++) {
            const numel_error *e = &v->c.files[w][k];
            if (error_free(e) || i-- > 0) continue;
            c[0] = CELL_S(text_of(v->c.side[w].files[k].path));
            c[1] = CELL_T(e->what);
            return;
        }
}

static void add_list(struct numel_report *out, const char *key, struct section s, size_t most, bool all)
{
    s.key = key;
    s.form = SECTION_LIST;
    s.hidden = key && !s.title;
    s.hidden = s.hidden || s.rows == 0;
    if (!s.hidden && s.rows > most && !all) {
        s.text_rows = most;
        s.more = arena_format(&out->arena, "... and %zu more (--no-truncate shows them)", s.rows - most);
    }
    report_section(out, &s);
}

#define ROWS(columns_, count, maker) COLUMNS(columns_), .rows = (count), .row = (maker), .ctx = s

void diff_values_sections(struct numel_report *out, const struct value_sections *s, bool all)
{
    const struct diff_values *v = &s->v;
    add_list(out, NULL,
             (struct section){ .title = "", .headed = true, ROWS(row_columns, v->row_count, row_row) },
             LAYER_ROWS, all);
    add_list(out, NULL,
             (struct section){ .title = "", .headed = true, ROWS(most_columns, v->most_count, most_row) },
             MOST_ROWS, all);
    add_list(out, NULL,
             (struct section){ .title = "", ROWS(why_columns, s->why_count + (s->v.turned > 0), why_row) },
             SIZE_MAX, all);
    report_section(out, &(struct section){ .key = "values", .form = SECTION_BEGIN });
    report_section(
        out, &(struct section){ .form = SECTION_FIELDS, .hidden = true, ROWS(total_columns, 1, total_row) });
    add_list(out, "tensors", (struct section){ ROWS(tensor_columns, v->c.count, tensor_row) }, 0, true);
    add_list(out, "layers", (struct section){ ROWS(layer_columns, v->layer_count, layer_row) }, 0, true);
    add_list(out, "files", (struct section){ .title = "", ROWS(file_columns, v->unreadable, file_row) },
             SIZE_MAX, all);
    report_section(out, &(struct section){ .form = SECTION_END });
}
