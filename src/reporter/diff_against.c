/*
 * diff_against.c -- `numel diff A B C --values`: B and C against A, side by side.
 *
 *     layer           b rel L2  c rel L2  b dB  c dB  closer
 *     model.layers.0    0.0941    0.0471  20.5  26.5  c
 */
#include "reporter/diff_against.h"

#include "base/number.h"
#include "diff/against.h"

#include <math.h>

enum { LAYER_ROWS = 160, TENSOR_ROWS = 10 };

struct against_sections {
    struct diff d;
    struct diff_values v;
    struct against x;
    const char *verdict;
    char real[4][NUMBER_REAL]; /* scratch space for the current row */
};

static const char *const closer[] = { NULL, "b", "c", "same" };

/* Relative distances and decibels of both, then the closer. */
static void row_cells(struct against_sections *s, const struct against_row *r, struct cell *c)
{
    for (int w = 0; w < 2; w++) {
        c[w] = value_short_cell(s->real[w], distance_relative(&r->d[w]));
        c[2 + w] = value_decibel_cell(s->real[2 + w], distance_decibels(&r->d[w]));
    }
    if (closer[r->closer]) c[4] = CELL_T(closer[r->closer]);
}

static void text_row(struct table_row *row, struct cell *c)
{
    struct against_sections *s = (struct against_sections *)(uintptr_t)row->of;
    row_cells(s, row->item, &c[1]);
}

/* clang-format off */
#define TEXT_COLUMNS(title)                                                                                       \
    { NULL, title, COLUMN_NAME, AT(CELL_STR, struct against_row, name) }, { NULL, "b rel L2", COLUMN_RIGHT, MADE }, \
    { NULL, "c rel L2", COLUMN_RIGHT, MADE }, { NULL, "b dB", COLUMN_RIGHT | COLUMN_RANK(2), MADE },           \
    { NULL, "c dB", COLUMN_RIGHT | COLUMN_RANK(2), MADE }, { NULL, "closer", COLUMN_NOTE, MADE }
static const struct table layer_text =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, text_row, TEXT_COLUMNS("layer, against a"));
static const struct table tensor_text =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, text_row, TEXT_COLUMNS("most unlike"));

static void json_row(struct table_row *row, struct cell *c)
{
    struct against_sections *s = (struct against_sections *)(uintptr_t)row->of;
    const struct against_row *r = row->item;
    for (int w = 0; w < 2; w++) {
        c[3 + w] = value_real_cell(s->real[w], distance_relative(&r->d[w]));
        c[5 + w] = value_real_cell(s->real[2 + w], distance_decibels(&r->d[w]));
    }
    if (closer[r->closer]) c[7] = CELL_T(closer[r->closer]);
}

#define JSON_COLUMNS                                                                                               \
    { "rel_l2_b", NULL, 0, MADE }, { "rel_l2_c", NULL, 0, MADE }, { "snr_db_b", NULL, 0, MADE },                    \
    { "snr_db_c", NULL, 0, MADE }, { "closer", NULL, 0, MADE }
static const struct table layer_json =
    TABLE("layers", NULL, SECTION_LIST, TABLE_HIDDEN, json_row, { "name", NULL, 0, AT(CELL_STR, struct against_row, name) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct against_row, tensors) }, { NULL, NULL, 0, MADE }, JSON_COLUMNS);
static const struct table tensor_json =
    TABLE("tensors", NULL, SECTION_LIST, TABLE_HIDDEN, json_row, { "name", NULL, 0, AT(CELL_STR, struct against_row, name) },
          { "dtype_b", NULL, 0, AT(CELL_TEXT, struct against_row, dtype[0]) },
          { "dtype_c", NULL, 0, AT(CELL_TEXT, struct against_row, dtype[1]) }, JSON_COLUMNS);
/* clang-format on */

static void total_row(struct table_row *row, struct cell *c)
{
    struct against_sections *s = (struct against_sections *)(uintptr_t)row->of;
    const struct against_row *r = &s->x.all;
    c[0] = CELL_S(text_of(s->d.side[B].ck->path));
    c[1] = CELL_U(CELL_COUNT, s->x.tensor_count);
    for (int w = 0; w < 2; w++) {
        c[7 + w] = value_real_cell(s->real[w], distance_relative(&r->d[w]));
        c[9 + w] = value_real_cell(s->real[2 + w], distance_decibels(&r->d[w]));
    }
}

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, total_row, { "path", NULL, 0, MADE },
          { "compared", NULL, 0, MADE },
          { "closer_b", NULL, 0, AT(CELL_COUNT, struct against_sections, x.closer[AGAINST_B]) },
          { "closer_c", NULL, 0, AT(CELL_COUNT, struct against_sections, x.closer[AGAINST_C]) },
          { "same", NULL, 0, AT(CELL_COUNT, struct against_sections, x.closer[AGAINST_SAME]) },
          { "equal", NULL, 0, AT(CELL_COUNT, struct against_sections, x.equal) },
          { "not_compared", NULL, 0, AT(CELL_COUNT, struct against_sections, x.not_compared) },
          { "rel_l2_b", NULL, 0, MADE }, { "rel_l2_c", NULL, 0, MADE }, { "snr_db_b", NULL, 0, MADE },
          { "snr_db_c", NULL, 0, MADE });

/* ---- the last line ---------------------------------------------------------------------------- */

/* "against a: c is closer in 5 of 7 tensors, b in 2; rel L2 of b 0.0941, of c 0.0471" */
NUMEL_MUST static const char *verdict_of(const struct against *x, struct arena *a)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER], real[NUMBER_REAL];
    bool c_first = x->closer[AGAINST_C] > x->closer[AGAINST_B];
    struct buffer b;
    buffer_init(&b, a->memory);
    if (x->tensor_count == 0) {
        buffer_text(&b, "against a: no tensor differs that both have");
        return buffer_keep(&b, a);
    }
    buffer_format(&b, "against a: %s is closer in %s of %s tensors, %s in ", c_first ? "c" : "b",
                  text_number(n, x->closer[c_first ? AGAINST_C : AGAINST_B]), text_number(m, x->tensor_count),
                  c_first ? "b" : "c");
    buffer_text(&b, text_number(n, x->closer[c_first ? AGAINST_B : AGAINST_C]));
    for (int w = 0; w < 2; w++) {
        double v = distance_relative(&x->all.d[w]);
        buffer_format(&b, "%s %c ", w ? ", of" : "; rel L2 of", w ? 'c' : 'b');
        buffer_text(&b, isfinite(v) ? number_real(real, v, NUMBER_SHORT, 3) : "undefined");
    }
    if (x->not_compared) buffer_format(&b, "; %s not compared", text_number(n, x->not_compared));
    return buffer_keep(&b, a);
}

static const struct table verdict_table = TABLE(
    NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "", 0, AT(CELL_TEXT, struct against_sections, verdict) });

/* ---- all ---------------------------------------------------------------------------------------- */

bool diff_against_make(struct numel_report *out, struct against_sections **made, const struct diff_values *b,
                       struct handle *base, struct handle *third, const numel_work *how, numel_error *e)
{
    struct against_sections *s = arena_alloc(&out->arena, sizeof *s);
    if (!s) return error_nomem(e);
    *s = (struct against_sections){ .verdict = NULL };
    if (!diff_make(&s->d, base, third, &out->arena, e) || !diff_compare(&s->v, &s->d, how, e) ||
        !against_make(&s->x, b, &s->v, &out->arena, e))
        return false;
    s->verdict = verdict_of(&s->x, &out->arena);
    if (!s->verdict) return error_nomem(e);
    out->stopped = out->stopped || s->v.c.stopped;
    out->unreadable += s->v.unreadable;
    out->disagrees = out->disagrees || s->v.differ || !s->d.equal;
    out->in_part = out->in_part || s->v.not_compared > 0;
    *made = s;
    return true;
}

void diff_against_sections(struct numel_report *out, const struct against_sections *s, bool all)
{
    if (!s) {
        report_section(out, &(struct section){ .is = { .key = "against", .form = SECTION_OBJECT },
                                               .null = true,
                                               .hidden = true });
        return;
    }
    size_t unlike = s->x.tensor_count - (size_t)s->x.closer[AGAINST_SAME]; /* the others are last */
    struct section *layers = report_list(out, &layer_text, ROWS(s->x.layers, s->x.layer_count), s);
    struct section *tensors = report_list(out, &tensor_text, ROWS(s->x.tensors, unlike), s);
    if (!all) report_shorten(out, layers, LAYER_ROWS);
    if (!all) report_shorten(out, tensors, TENSOR_ROWS);
    report_begin(out, "against");
    report_one(out, &total_table, s);
    report_list(out, &layer_json, ROWS(s->x.layers, s->x.layer_count), s);
    report_list(out, &tensor_json, ROWS(s->x.tensors, s->x.tensor_count), s);
    report_end(out);
}

void diff_against_verdict(struct numel_report *out, const struct against_sections *s)
{
    if (s) report_one(out, &verdict_table, s);
}
