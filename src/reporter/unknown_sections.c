/* unknown_sections.c -- the sections that an inferred formula adds to a report. */
#include "reporter/sections.h"

/* clang-format off */
static const struct column term_columns[] = {
    { "name", "inferred", COLUMN_NAME }, { "expr", "formula", COLUMN_NAME },
    { "each", "each", COLUMN_RIGHT | COLUMN_RANK(2) },    { "times", "times", COLUMN_RIGHT | COLUMN_RANK(8) },
    { "total", "total", COLUMN_RIGHT },  { NULL, "share", COLUMN_RIGHT | COLUMN_RANK(1) },
    { "evidence", NULL, 0 },
};
/* clang-format on */

static void term_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct unknown *u = ctx;
    const struct term *t = &u->terms.items[i];
    (void)depth;
    c[0] = CELL_T(t->role.p); /* labels of the fold are escaped */
    c[1] = CELL_T(t->expr);
    c[2] = CELL_U(CELL_COUNT, t->each);
    c[3] = CELL_U(CELL_COUNT, t->times);
    c[4] = CELL_U(CELL_COUNT, t->total);
    c[5] = (struct cell){ .kind = CELL_SHARE, .u = t->total, .n = u->terms.total };
    c[6] = CELL_T(evidence_name(t->evidence));
}

static const struct column note_columns[] = { { NULL, "", 0 }, { "note", "", COLUMN_NOTE } };

static void note_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)depth;
    c[0] = CELL_T("note");
    c[1] = CELL_T(((const struct unknown *)ctx)->notes[i]);
}

void unknown_sections(struct numel_report *r, const struct unknown *u)
{
    formula_symbols(r, &u->terms, u->terms.symbol_count == 0);
    report_section(r, &(struct section){ .key = "terms",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         .columns = term_columns,
                                         .column_count = 7,
                                         .rows = u->terms.count,
                                         .headed = true,
                                         .row = term_row,
                                         .ctx = u });
    report_section(r, &(struct section){ .key = "notes",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         .columns = note_columns,
                                         .column_count = 2,
                                         .rows = u->note_count,
                                         .row = note_row,
                                         .ctx = u });
}
