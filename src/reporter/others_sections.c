/* others_sections.c -- what other counters show: in text a line a counter with the causes below it, in
 * JSON a list. */
#include "reporter/sections.h"

static const struct column page_columns[] = { { NULL, "counter", 0 },
                                              { NULL, "count", COLUMN_RIGHT },
                                              { NULL, "shown as, or because of", COLUMN_NAME } };

static void line_cells(const struct others_line *l, struct cell *c)
{
    c[0] = CELL_T(l->cause);
    c[1] = (struct cell){ .kind = CELL_SIGNED, .i = l->elements };
    c[2] = CELL_T(l->detail);
}

static void text_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct others *o = ctx;
    const struct others_row *row = &o->rows[i];
    if (row->line) {
        *depth = 1;
        line_cells(row->line, c);
        return;
    }
    c[0] = CELL_T(row->tally ? row->tally->counter->name : o->known ? "parameters" : "stored elements");
    if (!row->tally) {
        c[1] = CELL_U(CELL_COUNT, o->from);
        return;
    }
    if (!row->tally->none) c[1] = CELL_U(CELL_COUNT, row->tally->value);
    if (row->tally->none) c[2] = CELL_T(row->tally->none);
    else if (row->tally->text) c[2] = CELL_T(row->tally->text);
}

/* clang-format off */
static const struct column json_columns[] = {
    { "counter", NULL, 0 },    { "where", NULL, 0 }, { "value", NULL, 0 },  { "text", NULL, 0 },
    { "difference", NULL, 0 }, { "from", NULL, 0 },  { "reason", NULL, 0 }, { "causes", NULL, 0 },
};
/* clang-format on */

static void json_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    static const char *const froms[] = { "parameters", "stored", "bytes" };
    const struct others *o = ctx;
    const struct tally *t = &o->tallies[i];
    (void)depth;
    c[0] = CELL_T(t->counter->name);
    c[1] = CELL_T(t->counter->where);
    if (!t->none) {
        c[2] = CELL_U(CELL_COUNT, t->value);
        if (t->text) c[3] = CELL_T(t->text);
        c[4] = (struct cell){ .kind = CELL_SIGNED, .i = t->difference };
        c[5] = CELL_T(froms[t->from]);
    }
    if (t->reason[0]) c[6] = CELL_T(t->reason);
    c[7] = (struct cell){ .kind = CELL_RAW, .t = t->causes };
}

void others_sections(struct numel_report *r, const struct others *o)
{
    report_section(r, &(struct section){ .title = "",
                                         .form = SECTION_LIST,
                                         .headed = true,
                                         .columns = page_columns,
                                         .column_count = 3,
                                         .rows = o->row_count,
                                         .row = text_row,
                                         .ctx = o });
    report_section(r, &(struct section){ .key = "others",
                                         .form = SECTION_LIST,
                                         .hidden = true,
                                         .columns = json_columns,
                                         .column_count = 8,
                                         .rows = others_counter_count,
                                         .row = json_row,
                                         .ctx = o });
}
