/* verify_values_sections.c -- what numel verify --values counted: one line of text, a list in JSON. */
#include "reporter/sections.h"

#include "base/text.h"

/* clang-format off */
static const struct column columns[] = {
    { "tensor", NULL, 0 },    { "file", NULL, 0 }, { "dtype", NULL, 0 }, { "elements", NULL, 0 },
    { "nan", NULL, 0 },       { "inf", NULL, 0 },  { "zero", NULL, 0 },  { "scale_nan", NULL, 0 },
    { "scale_inf", NULL, 0 },
};
/* clang-format on */

/* What a type cannot say is null: values of blocks, scales of what has none, all that was not read. */
static void row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct value_report *r = ctx;
    const numel_tensor *t = &r->v->ck->registry.tensors[i];
    const struct tensor_values *v = &r->values.tensors[i];
    const struct scanner *how = v->state == VALUE_SCANNED ? scan_find(t->dtype) : NULL;
    (void)depth;
    c[0] = CELL_S(t->name);
    c[1] = CELL_S(text_of(r->v->ck->files[t->file].path));
    c[2] = CELL_S(text_of(t->dtype->name));
    c[3] = CELL_U(CELL_COUNT, t->elements);
    if (!how) return;
    if (!how->scales) c[4] = CELL_U(CELL_COUNT, v->counts.nan);
    if (!how->scales) c[5] = CELL_U(CELL_COUNT, v->counts.infinite);
    c[6] = CELL_U(CELL_COUNT, v->counts.zero);
    if (how->scales) c[7] = CELL_U(CELL_COUNT, v->counts.scale_nan);
    if (how->scales) c[8] = CELL_U(CELL_COUNT, v->counts.scale_infinite);
}

static const struct column sum_columns[] = { { NULL, "values", 0 } };

static void sum_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)i, (void)depth;
    c[0] = CELL_T(((const struct value_report *)ctx)->text);
}

NUMEL_MUST static const char *sum_text(struct arena *a, const struct value_report *r)
{
    char n[6][TEXT_COUNT];
    uint64_t scales = r->sum.scale_nan + r->sum.scale_infinite;
    return arena_format(a, "%s in %s: %s NaN, %s infinite, %s zero; %s bad scales",
                        text_count(n[0], r->elements, "value"), text_count(n[1], r->tensors, "tensor"),
                        text_number(n[2], r->sum.nan), text_number(n[3], r->sum.infinite),
                        text_number(n[4], r->sum.zero), text_number(n[5], scales));
}

bool verify_values_sections(struct numel_report *out, const struct verify *v)
{
    struct value_report *r = v->values;
    if (!r) return true;
    r->text = sum_text(v->arena, r);
    if (!r->text) return false;
    report_section(out, &(struct section){ .title = "",
                                           .form = SECTION_FIELDS,
                                           .columns = sum_columns,
                                           .column_count = 1,
                                           .rows = 1,
                                           .row = sum_row,
                                           .ctx = r });
    report_section(out, &(struct section){ .key = "values",
                                           .form = SECTION_LIST,
                                           .columns = columns,
                                           .column_count = sizeof columns / sizeof *columns,
                                           .rows = v->ck->registry.count,
                                           .row = row,
                                           .ctx = r,
                                           .hidden = true });
    return true;
}
