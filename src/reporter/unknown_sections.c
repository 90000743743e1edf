/* unknown_sections.c -- the sections of an inferred formula. */
#include "reporter/sections.h"

static void term_row(struct table_row *row, struct cell *c)
{
    const struct unknown *u = row->of;
    const struct term *t = row->item;
    c[0] = CELL_T(t->role.p); /* labels of the fold are escaped */
    c[5] = (struct cell){ .kind = CELL_SHARE, .u = t->total, .n = u->terms.total };
    c[6] = CELL_T(evidence_name(t->evidence));
}

static const struct table term_table =
    TABLE("terms", "", SECTION_LIST, TABLE_HEADED, term_row, { "name", "inferred", COLUMN_NAME, MADE },
          { "expr", "formula", COLUMN_NAME, AT(CELL_TEXT, struct term, expr) },
          { "each", "each", COLUMN_RIGHT | COLUMN_RANK(2), AT(CELL_COUNT, struct term, each) },
          { "times", "times", COLUMN_RIGHT | COLUMN_RANK(8), AT(CELL_COUNT, struct term, times) },
          { "total", "total", COLUMN_RIGHT, AT(CELL_COUNT, struct term, total) },
          { NULL, "share", COLUMN_RIGHT | COLUMN_RANK(1) | COLUMN_BAR, MADE }, { "evidence", NULL, 0, MADE });

static const struct table note_table =
    TABLE("notes", "", SECTION_LIST, 0, NULL, { NULL, "", 0, SAID_AS(TONE_SOFT, "note") },
          { "note", "", COLUMN_NOTE, ITSELF(CELL_TEXT, const char *) });

void unknown_sections(struct numel_report *r, const struct unknown *u)
{
    formula_symbols(r, &u->terms, u->terms.symbol_count == 0);
    report_list(r, &term_table, ROWS(u->terms.items, u->terms.count), u);
    report_list(r, &note_table, ROWS(u->notes, u->note_count), NULL);
}
