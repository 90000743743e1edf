/* verify_values_sections.c -- the results of `numel verify --values`: one line of text, a list in JSON. */
#include "reporter/sections.h"

#include "base/text.h"

/* A count that does not apply is null: values of a block type, scales of a type without any, everything
 * that was not read. */
static void fill_row(struct table_row *row, struct cell *c)
{
    const struct value_report *r = row->of;
    const numel_tensor *t = &r->v->ck->registry.tensors[row->i];
    const struct tensor_values *v = &r->values.tensors[row->i];
    const struct scanner *how = v->state == VALUE_SCANNED ? scan_find(t->dtype) : NULL;
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

static const struct table table =
    TABLE("values", NULL, SECTION_LIST, TABLE_HIDDEN, fill_row, { "tensor", NULL, 0, MADE },
          { "file", NULL, 0, MADE }, { "dtype", NULL, 0, MADE }, { "elements", NULL, 0, MADE },
          { "nan", NULL, 0, MADE }, { "inf", NULL, 0, MADE }, { "zero", NULL, 0, MADE },
          { "scale_nan", NULL, 0, MADE }, { "scale_inf", NULL, 0, MADE });

static const struct table sum_table =
    TABLE(NULL, "", SECTION_FIELDS, 0, NULL, { NULL, "values", 0, AT(CELL_TEXT, struct value_report, text) });

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
    report_one(out, &sum_table, r);
    report_list(out, &table, r, 0, v->ck->registry.count, r);
    return true;
}
