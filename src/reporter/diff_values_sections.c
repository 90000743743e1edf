/*
 * diff_values_sections.c -- the results of `numel diff --values`: a table of layers that shows at a glance
 * which differ, the most changed tensors, and for programs a record for each tensor.
 *
 *     layer                differ     rel L2
 *     model.layers.[0-11]  identical
 *     model.layers.12      3 of 9    0.00214  ########
 */
#include "reporter/diff_values.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>

enum { BAR = 20, LAYER_ROWS = 160, MOST_ROWS = 10, REALS = 7 };

struct value_why { /* why pairs are not compared */
    enum compare_state state;
    const char *layout, *text; /* layout: of COMPARE_PACKED, else NULL */
    uint64_t pairs;
};

struct value_sections {
    struct diff_values v;
    const char *verdict;
    struct value_why *whys; /* reasons that occur */
    size_t why_count;
    char real[REALS][NUMBER_REAL], text[64], bar[BAR + 1]; /* scratch space for the current row */
};

/* ---- why not ------------------------------------------------------------------------------ */

/* The reason of a pair that is not compared; room for it if it is the first of its kind. */
static struct value_why *why_of(const struct value_sections *s, const struct compare_pair *p)
{
    struct value_why *w = s->whys;
    const char *layout = p->state == COMPARE_PACKED ? p->layout : NULL;
    for (; w < s->whys + s->why_count; w++)
        if (w->state == p->state && (!layout || strcmp(w->layout, layout) == 0)) break;
    return w;
}

/* The reasons, in the order of their states, layouts as they come. */
NUMEL_MUST static bool find_whys(struct value_sections *s, struct arena *a)
{
    for (int state = COMPARE_DONE + 1; state < COMPARE_STATE_COUNT; state++)
        for (size_t i = 0; s->v.why[state] && i < s->v.c.count; i++) {
            const struct compare_pair *p = &s->v.c.pairs[i];
            if (p->state != state) continue;
            struct value_why *w = why_of(s, p);
            if (w == s->whys + s->why_count) {
                const char *text = compare_why(p->state);
                if (state == COMPARE_PACKED)
                    text = arena_join(a, text_of(text), text_of(": "), text_of(p->layout)).p;
                *w = (struct value_why){ (enum compare_state)state, p->layout, text, 0 };
                s->why_count++;
            }
            w->pairs++;
            if (!w->text) return false;
        }
    return true;
}

/* ---- cells -------------------------------------------------------------------------------- */

struct cell value_real_cell(char out[NUMBER_REAL], double v)
{
    double back = 0;
    if (!isfinite(v)) return (struct cell){ .kind = CELL_NULL };
    for (int digits = 15; digits <= 17; digits++) {
        number_real(out, v, NUMBER_SHORT, digits);
        if (number_real_read(text_of(out), false, &back) && !(back < v) && !(back > v)) break;
    }
    return (struct cell){ .kind = CELL_RAW, .t = out };
}

static struct cell shown(char out[NUMBER_REAL], double v, enum number_style style, int digits)
{
    return isfinite(v) ? CELL_T(number_real(out, v, style, digits)) : (struct cell){ .kind = CELL_NULL };
}

struct cell value_short_cell(char out[NUMBER_REAL], double v) { return shown(out, v, NUMBER_SHORT, 3); }
struct cell value_decibel_cell(char out[NUMBER_REAL], double v) { return shown(out, v, NUMBER_FIXED, 1); }

/* Fixed decimals keep values close to 1 distinguishable from it. */
static struct cell cosine_cell(char out[NUMBER_REAL], double v) { return shown(out, v, NUMBER_FIXED, 6); }

/* One word for why there is no relative distance. */
static const char *undefined_word(const struct distance *d)
{
    if (d->nan[A] != d->nan[B] || d->nan[A]) return "NaN";
    if (d->infinite[A] || d->infinite[B]) return "infinite";
    return d->undefined ? "too large" : "a is 0";
}

static struct cell relative_cell(char out[NUMBER_REAL], const struct distance *d)
{
    double v = distance_relative(d);
    return isfinite(v) ? value_short_cell(out, v) : CELL_T(undefined_word(d));
}

static bool is_whole(const struct diff_values *v, uint32_t pair)
{
    const struct decoder *how = decode_find(value_tensor(v, pair, A)->dtype);
    return how && how->whole && !v->c.pairs[pair].view[A];
}

/* ---- layers ------------------------------------------------------------------------------- */

static const char *bar_of(struct value_sections *s, double v)
{
    int n = s->v.largest > 0 ? (int)(v / s->v.largest * BAR + 0.5) : 0;
    if (n < 1) n = 1; /* any difference must show */
    if (n > BAR) n = BAR;
    memset(s->bar, '#', (size_t)n);
    s->bar[n] = '\0';
    return s->bar;
}

static void row_row(struct table_row *at, struct cell *c)
{
    struct value_sections *s = (struct value_sections *)at->of; /* its texts are scratch */
    const struct value_row *row = at->item;
    const struct value_layer *l = &s->v.layers[row->first];
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    text_format(s->text, sizeof s->text, "%s of %s", text_number(n, l->differ), text_number(m, l->tensors));
    c[1] = value_layer_same(l) ? CELL_T("identical")
           : l->differ         ? CELL_T(s->text)
           : l->not_compared   ? CELL_T("not compared")
                               : CELL_T("equal values");
    if (l->d.elements == 0) return;
    double v = distance_relative(&l->d);
    c[2] = relative_cell(s->real[0], &l->d);
    if (isfinite(v)) c[3] = CELL_T(bar_of(s, v));
    c[4] = value_short_cell(s->real[1], distance_most(&l->d));
    c[5] = cosine_cell(s->real[2], distance_cosine(&l->d));
    if (s->v.quantized) c[6] = value_decibel_cell(s->real[3], distance_decibels(&l->d));
}

static const struct table row_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, row_row,
          { NULL, "layer", COLUMN_NAME, AT(CELL_TEXT, struct value_row, name) },
          { NULL, "differ", COLUMN_RIGHT, MADE }, { NULL, "rel L2", COLUMN_RIGHT, MADE },
          { NULL, "", 0, MADE }, { NULL, "max abs", COLUMN_RIGHT | COLUMN_RANK(4), MADE },
          { NULL, "cosine", COLUMN_RIGHT | COLUMN_RANK(3), MADE },
          { NULL, "SNR dB", COLUMN_RIGHT | COLUMN_RANK(2), MADE });

static void layer_row(struct table_row *row, struct cell *c)
{
    struct value_sections *s = (struct value_sections *)row->of;
    const struct value_layer *l = row->item;
    if (l->d.elements == 0) return;
    c[6] = value_real_cell(s->real[0], distance_most(&l->d));
    c[7] = value_real_cell(s->real[1], distance_mean(&l->d));
    c[8] = value_real_cell(s->real[2], distance_relative(&l->d));
    c[9] = value_real_cell(s->real[3], distance_cosine(&l->d));
    c[10] = value_real_cell(s->real[4], distance_decibels(&l->d));
}

static const struct table layer_table =
    TABLE("layers", NULL, SECTION_LIST, TABLE_HIDDEN, layer_row,
          { "name", NULL, 0, AT(CELL_STR, struct value_layer, name) },
          { "layer", NULL, 0, AT_IF(stem.n, CELL_NUMBER, struct value_layer, number) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct value_layer, tensors) },
          { "equal", NULL, 0, AT(CELL_COUNT, struct value_layer, equal) },
          { "differ", NULL, 0, AT(CELL_COUNT, struct value_layer, differ) },
          { "not_compared", NULL, 0, AT(CELL_COUNT, struct value_layer, not_compared) },
          { "max_abs", NULL, 0, MADE }, { "mean_abs", NULL, 0, MADE }, { "rel_l2", NULL, 0, MADE },
          { "cosine", NULL, 0, MADE }, { "snr_db", NULL, 0, MADE });

/* ---- tensors ------------------------------------------------------------------------------ */

static const char *const units[] = { "element", "block", "byte" };

static void most_row(struct table_row *row, struct cell *c)
{
    struct value_sections *s = (struct value_sections *)row->of;
    uint32_t pair = *(const uint32_t *)row->item;
    const struct compare_pair *p = &s->v.c.pairs[pair];
    char n[TEXT_NUMBER];
    c[0] = CELL_S(value_tensor(&s->v, pair, A)->name);
    text_number(n, p->d.differing);
    if (p->unit == COMPARE_ELEMENTS) text_format(s->text, sizeof s->text, "%s", n);
    else text_format(s->text, sizeof s->text, "%s %s%s", n, units[p->unit], p->d.differing == 1 ? "" : "s");
    c[3] = CELL_T(s->text);
    if (!p->measured) return;
    c[1] = relative_cell(s->real[0], &p->d);
    c[2] = value_short_cell(s->real[1], distance_most(&p->d));
    if (is_whole(&s->v, pair)) c[2] = CELL_U(CELL_COUNT, p->d.whole_most);
    c[4] = value_short_cell(s->real[2], distance_mean(&p->d));
    c[5] = cosine_cell(s->real[3], distance_cosine(&p->d));
    if (s->v.quantized) c[6] = value_decibel_cell(s->real[4], distance_decibels(&p->d));
}

static const struct table most_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, most_row,
          { NULL, "most changed", COLUMN_NAME, MADE }, { NULL, "rel L2", COLUMN_RIGHT, MADE },
          { NULL, "max abs", COLUMN_RIGHT, MADE }, { NULL, "differ", COLUMN_RIGHT, MADE },
          { NULL, "mean abs", COLUMN_RIGHT | COLUMN_RANK(4), MADE },
          { NULL, "cosine", COLUMN_RIGHT | COLUMN_RANK(3), MADE },
          { NULL, "SNR dB", COLUMN_RIGHT | COLUMN_RANK(2), MADE });

static void distance_cells(struct value_sections *s, uint32_t pair, struct cell *c)
{
    const struct distance *d = &s->v.c.pairs[pair].d;
    c[0] = value_real_cell(s->real[0], distance_most(d));
    if (is_whole(&s->v, pair) && c[0].kind != CELL_NULL) c[0] = CELL_U(CELL_NUMBER, d->whole_most);
    c[1] = value_real_cell(s->real[1], distance_mean(d));
    c[2] = value_real_cell(s->real[2], distance_relative(d));
    c[3] = value_real_cell(s->real[3], distance_cosine(d));
    c[4] = value_real_cell(s->real[4], distance_decibels(d));
    c[5] = CELL_U(CELL_COUNT, d->nan[A]);
    c[6] = CELL_U(CELL_COUNT, d->nan[B]);
    c[7] = CELL_U(CELL_COUNT, d->infinite[A]);
    c[8] = CELL_U(CELL_COUNT, d->infinite[B]);
}

static void tensor_row(struct table_row *row, struct cell *c)
{
    struct value_sections *s = (struct value_sections *)row->of;
    const struct compare_pair *p = row->item;
    const numel_tensor *a = value_tensor(&s->v, (uint32_t)row->i, A),
                       *b = value_tensor(&s->v, (uint32_t)row->i, B);
    c[0] = CELL_S(a->name);
    c[1] = CELL_S(b->name);
    c[2] = CELL_S(text_of(a->dtype->name));
    c[3] = CELL_S(text_of(b->dtype->name));
    c[4] = CELL_U(CELL_COUNT, a->elements);
    c[19] = CELL_U(CELL_BOOL, p->turn != 0);
    if (p->state != COMPARE_DONE) {
        c[5] = CELL_T(why_of(s, p)->text);
        return;
    }
    c[6] = CELL_U(CELL_BOOL, p->same_bytes);
    c[7] = CELL_T(units[p->unit]);
    c[8] = CELL_U(CELL_COUNT, p->units);
    c[9] = CELL_U(CELL_COUNT, p->d.differing);
    if (p->measured) distance_cells(s, (uint32_t)row->i, &c[10]);
}

static const struct table tensor_table =
    TABLE("tensors", NULL, SECTION_LIST, TABLE_HIDDEN, tensor_row, { "name", NULL, 0, MADE },
          { "other_name", NULL, 0, MADE }, { "dtype_a", NULL, 0, MADE }, { "dtype_b", NULL, 0, MADE },
          { "elements", NULL, 0, MADE }, { "not_compared", NULL, 0, MADE }, { "equal_bits", NULL, 0, MADE },
          { "unit", NULL, 0, MADE }, { "units", NULL, 0, MADE }, { "differing", NULL, 0, MADE },
          { "max_abs", NULL, 0, MADE }, { "mean_abs", NULL, 0, MADE }, { "rel_l2", NULL, 0, MADE },
          { "cosine", NULL, 0, MADE }, { "snr_db", NULL, 0, MADE }, { "nan_a", NULL, 0, MADE },
          { "nan_b", NULL, 0, MADE }, { "infinite_a", NULL, 0, MADE }, { "infinite_b", NULL, 0, MADE },
          { "permuted", NULL, 0, MADE });

/* ---- totals ------------------------------------------------------------------------------- */

static void total_row(struct table_row *row, struct cell *c)
{
    const struct diff_values *v = row->of;
    c[0] = CELL_U(CELL_COUNT, v->equal + v->differ);
    c[5] = CELL_U(CELL_BOOL, !v->c.stopped && v->unreadable == 0);
}

static const struct table total_table = TABLE(
    NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, total_row, { "compared", NULL, 0, MADE },
    { "equal", NULL, 0, AT(CELL_COUNT, struct diff_values, equal) },
    { "differ", NULL, 0, AT(CELL_COUNT, struct diff_values, differ) },
    { "not_compared", NULL, 0, AT(CELL_COUNT, struct diff_values, not_compared) },
    { "equal_bits", NULL, 0, AT(CELL_COUNT, struct diff_values, same_bytes) }, { "complete", NULL, 0, MADE });

static void why_row(struct table_row *row, struct cell *c)
{
    const struct value_sections *s = row->of;
    if (row->i == s->why_count) {
        c[0] = CELL_T("rows permuted");
        c[1] = CELL_U(CELL_COUNT, s->v.turned);
        c[2] = CELL_T("compared in the row order that llama.cpp's converter gives q and k");
        return;
    }
    c[0] = CELL_T("not compared");
    c[1] = CELL_U(CELL_COUNT, s->whys[row->i].pairs);
    c[2] = CELL_T(s->whys[row->i].text);
}

static const struct table why_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_FILLED, why_row, { NULL, "", 0, MADE },
          { NULL, "", COLUMN_RIGHT, MADE }, { NULL, "", COLUMN_WRAP, MADE });

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
    if (v->c.count == 0) buffer_text(&b, "values: the two have no tensor in common");
    return buffer_keep(&b, a);
}

/* ---- all ---------------------------------------------------------------------------------- */

static const struct table verdict_table = TABLE(
    NULL, NULL, SECTION_FIELDS, 0, NULL, { NULL, "", 0, AT(CELL_TEXT, struct value_sections, verdict) });

void diff_values_verdict(struct numel_report *out, const struct value_sections *s)
{
    report_one(out, &verdict_table, s);
}

const struct diff_values *diff_values_of(const struct value_sections *s) { return &s->v; }

NUMEL_MUST bool diff_values_make(struct numel_report *out, struct value_sections **made, struct diff *d,
                                 const numel_work *how, numel_error *e)
{
    struct value_sections *s = arena_alloc(&out->arena, sizeof *s);
    if (!s) return error_nomem(e);
    *s = (struct value_sections){ .why_count = 0 };
    if (!diff_compare(&s->v, d, how, e)) return false;
    s->whys = arena_alloc(&out->arena, (s->v.not_compared + 1) * sizeof *s->whys);
    if (!s->whys || !find_whys(s, &out->arena)) return error_nomem(e);
    s->verdict = verdict_of(&s->v, &out->arena);
    if (!s->verdict) return error_nomem(e);
    out->stopped = s->v.c.stopped;
    out->unreadable = s->v.unreadable;
    out->disagrees = out->disagrees || s->v.differ;
    out->in_part = s->v.not_compared > 0;
    *made = s;
    return true;
}

/* Unreadable files are listed with the values, because only these need the data. */

static void file_row(struct table_row *row, struct cell *c)
{
    const struct diff_values *v = row->of;
    for (int w = A; w <= B; w++)
        for (size_t k = 0; k < v->c.side[w].file_count; k++) {
            const numel_error *e = &v->c.files[w][k];
            if (error_free(e) || row->i-- > 0) continue;
            c[0] = CELL_S(text_of(v->c.side[w].files[k].path));
            c[1] = CELL_T(e->what);
            return;
        }
}

static const struct table file_table = TABLE("files", "", SECTION_LIST, TABLE_FILLED, file_row,
                                             { "path", "", 0, MADE }, { "message", "", COLUMN_WRAP, MADE });

void diff_values_sections(struct numel_report *out, const struct value_sections *s, bool all)
{
    const struct diff_values *v = &s->v;
    struct section *layers = report_list(out, &row_table, ROWS(v->rows, v->row_count), s);
    struct section *most = report_list(out, &most_table, ROWS(v->most, v->most_count), s);
    if (!all) report_shorten(out, layers, LAYER_ROWS);
    if (!all) report_shorten(out, most, MOST_ROWS);
    report_list(out, &why_table, s, 0, s->why_count + (v->turned > 0), s);
    report_begin(out, "values");
    report_one(out, &total_table, v);
    report_list(out, &tensor_table, ROWS(v->c.pairs, v->c.count), s);
    report_list(out, &layer_table, ROWS(v->layers, v->layer_count), s);
    report_list(out, &file_table, v, 0, v->unreadable, v);
    report_end(out);
}
