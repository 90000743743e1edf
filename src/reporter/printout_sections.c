/* printout_sections.c -- the sections of the printout report: their columns and rows. */
#include "reporter/printout_report.h"

#include "base/text.h"
#include "reporter/sections.h"

enum { SHOWN = 80 }; /* modules */

/* ---- head and verdict --------------------------------------------------------------------- */

static void head_row(struct table_row *row, struct cell *c)
{
    const struct printout_report *r = row->of;
    const struct printed *x = chosen_print(r);
    if (x) c[2] = CELL_S(r->p.modules[x->module].class);
    if (r->c && r->c->model->architecture) c[4] = CELL_T(r->c->model->architecture);
}

static const struct table head_table = TABLE(
    NULL, "", SECTION_FIELDS, 0, head_row, { "path", "", 0, AT(CELL_STR, struct printout_report, path) },
    { "printout", "printout", 0, AT(CELL_STR, struct printout_report, name) }, { "class", NULL, 0, MADE },
    { NULL, "found", 0, AT(CELL_TEXT, struct printout_report, what) }, { "architecture", NULL, 0, MADE },
    { NULL, "architecture", 0, AT(CELL_STR, struct printout_report, architecture) });

static void verdict_row(struct table_row *row, struct cell *c)
{
    const struct printout_report *r = row->of;
    const struct printed *x = chosen_print(r);
    const struct summary *t = chosen_table(r);
    uint64_t n = x ? x->elements : t ? table_count(t).nominal : 0;
    c[0] = CELL_U(CELL_COUNT, n);
    if (!r->c || t) c[1] = r->printed ? CELL_T(r->printed) : CELL_U(CELL_TOTAL, n);
    if (x) c[2] = CELL_U(CELL_BOOL, r->account.bound);
    if (r->c) c[6] = rest_cell(r->account.left);
    c[8] = CELL_U(CELL_BOOL, !r->report->disagrees);
}

static const struct table verdict_table = TABLE(
    NULL, "", SECTION_FIELDS, 0, verdict_row, { "printed", NULL, 0, MADE }, { NULL, "printed", 0, MADE },
    { "lower_bound", NULL, 0, MADE },
    { "parameters", NULL, 0, AT_IF(c, CELL_COUNT, struct printout_report, held.parameters) },
    { "unseen_elements", NULL, 0, AT_IF(c, CELL_COUNT, struct printout_report, account.unseen_elements) },
    { "unseen_tensors", NULL, 0, AT_IF(c, CELL_COUNT, struct printout_report, account.unseen_tensors) },
    { "left", NULL, 0, MADE },
    { "regrouped", NULL, 0, AT_IF(c, CELL_COUNT, struct printout_report, b.regrouped) },
    { "agrees", NULL, 0, MADE }, { "verdict", "", 0, AT(CELL_TEXT, struct printout_report, verdict) });

/* ---- the printouts in the text ------------------------------------------------------------ */

static void print_row(struct table_row *row, struct cell *c)
{
    const struct printout_report *r = row->of;
    const struct printed *x = row->item;
    c[0] = CELL_S(r->p.modules[x->module].class);
    c[3] = CELL_U(CELL_COUNT, x->end - x->module);
    c[6] = CELL_U(CELL_BOOL, row->i == r->chosen);
    if (row->i == r->chosen) c[7] = CELL_T("shown here");
}

static const struct table print_table =
    TABLE("printouts", "", SECTION_LIST, TABLE_HEADED, print_row, { "class", "printed", COLUMN_NAME, MADE },
          { "first_line", "from line", COLUMN_RIGHT, AT(CELL_NUMBER, struct printed, first_line) },
          { "last_line", "to", COLUMN_RIGHT, AT(CELL_NUMBER, struct printed, last_line) },
          { "modules", "modules", COLUMN_RIGHT, MADE },
          { "elements", "elements", COLUMN_RIGHT, AT(CELL_COUNT, struct printed, elements) },
          { "cut", NULL, 0, AT(CELL_BOOL, struct printed, cut) }, { "chosen", NULL, 0, MADE },
          { NULL, "", COLUMN_NOTE, MADE });

/* ---- modules ------------------------------------------------------------------------------ */

static void module_row(struct table_row *at, struct cell *c)
{
    const struct printout_report *r = at->of;
    const struct printed_row *row = at->item;
    const struct beside *b = &row->all;
    uint64_t unseen = b->sizeless + b->bare;
    at->depth = row->depth;
    if (row->shows == SHOWS_SIZES || b->printed) c[4] = CELL_U(CELL_COUNT, b->printed);
    if (!r->c) return;
    int64_t change = (int64_t)(b->larger + b->strange) - (int64_t)(b->smaller + b->absent);
    c[5] = CELL_U(CELL_COUNT, b->held + unseen + b->strange);
    c[7] = (struct cell){ .kind = CELL_SIGNED, .i = change };
    if (change) c[6] = c[7];
    c[8] = CELL_U(CELL_COUNT, unseen);
    c[9] = CELL_U(CELL_COUNT, b->tied);
    c[10] = CELL_U(CELL_COUNT, b->adapters);
}

static const struct table module_table =
    TABLE("modules", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, module_row,
          { NULL, "module", COLUMN_NAME, AT(CELL_TEXT, struct printed_row, label) },
          { "module", NULL, 0, AT(CELL_TEXT, struct printed_row, path) },
          { "depth", NULL, 0, AT(CELL_NUMBER, struct printed_row, depth) },
          { "times", NULL, 0, AT(CELL_COUNT, struct printed_row, times) },
          { "printed", "printed", COLUMN_RIGHT, MADE }, { "held", "model", COLUMN_RIGHT, MADE },
          { NULL, "", COLUMN_RIGHT, MADE }, { "difference", NULL, 0, MADE }, { "unseen", NULL, 0, MADE },
          { "tied", NULL, 0, MADE }, { "adapters", NULL, 0, MADE },
          { "class", NULL, 0, AT(CELL_STR, struct printed_row, class) },
          { "remark", NULL, 0, AT(CELL_TEXT, struct printed_row, remark) },
          { NULL, "class", COLUMN_NAME | COLUMN_RANK(5), AT(CELL_TEXT, struct printed_row, what) });

/* ---- what cannot be seen ------------------------------------------------------------------ */

static void unseen_row(struct table_row *row, struct cell *c)
{
    const struct unseen *u = row->item;
    c[1] = CELL_T(unseen_text(u->kind));
}

static const struct table unseen_table =
    TABLE("unseen", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, unseen_row,
          { "class", "not visible", COLUMN_NAME, AT(CELL_STR, struct unseen, class) }, { "why", "", 0, MADE },
          { "modules", "modules", COLUMN_RIGHT, AT(CELL_COUNT, struct unseen, modules) },
          { "tensors", NULL, 0, AT_SOME(CELL_COUNT, struct unseen, tensors) },
          { "elements", "elements", COLUMN_RIGHT, AT_IF(known, CELL_COUNT, struct unseen, elements) },
          { "name", "for example", COLUMN_NAME, AT(CELL_TEXT, struct unseen, name) });

/* ---- totals that the text states ---------------------------------------------------------- */

static void stated_row(struct table_row *row, struct cell *c)
{
    const struct stated_row *s = row->item;
    c[5] = CELL_U(CELL_BOOL, s->meets != NULL);
    c[6] = c[7] = CELL_T(s->meets ? s->meets : s->remark ? s->remark : "less than printed");
}

static const struct table stated_table =
    TABLE("stated", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, stated_row,
          { "label", "stated", COLUMN_NAME, VIA(CELL_STR, struct stated_row, stated, label) },
          { "text", "", COLUMN_RIGHT, VIA(CELL_STR, struct stated_row, stated, text) },
          { "low", NULL, 0, VIA(CELL_COUNT, struct stated_row, stated, low) },
          { "high", NULL, 0, VIA(CELL_COUNT, struct stated_row, stated, high) },
          { "line", "line", COLUMN_RIGHT, VIA(CELL_NUMBER, struct stated_row, stated, line) },
          { "met", NULL, 0, MADE }, { "how", NULL, 0, MADE }, { NULL, "is", COLUMN_WRAP, MADE });

/* ---- tables ------------------------------------------------------------------------------- */

static void table_row(struct table_row *row, struct cell *c)
{
    const struct printout *p = row->of;
    const struct summary *x = row->item;
    if (x->end > x->row) c[0] = CELL_S(p->rows[x->row].name);
    c[3] = CELL_U(CELL_COUNT, x->end - x->row);
    if (!x->total_known) return;
    if (x->optimizer) c[10] = CELL_U(CELL_COUNT, x->optimizer);
    c[12] = !x->agrees     ? CELL_T("differs")
            : x->optimizer ? CELL_T("agrees, including the optimizer's")
                           : CELL_TONE("agrees", TONE_GOOD);
}

static const struct table table_table =
    TABLE("tables", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, table_row,
          { "name", "table", COLUMN_NAME, MADE },
          { "first_line", "from line", COLUMN_RIGHT, AT(CELL_NUMBER, struct summary, first_line) },
          { "last_line", "to", COLUMN_RIGHT, AT(CELL_NUMBER, struct summary, last_line) },
          { "rows", "rows", COLUMN_RIGHT, MADE },
          { "elements", "sum of rows", COLUMN_RIGHT, AT(CELL_COUNT, struct summary, elements) },
          { "rounded", NULL, 0, AT(CELL_BOOL, struct summary, rounded) },
          { "stated", "stated", COLUMN_RIGHT, AT_IF(total_known, CELL_COUNT, struct summary, total.nominal) },
          { "stated_text", NULL, 0, AT_IF(total_known, CELL_STR, struct summary, total_text) },
          { "low", NULL, 0, AT_IF(total_known, CELL_COUNT, struct summary, total.low) },
          { "high", NULL, 0, AT_IF(total_known, CELL_COUNT, struct summary, total.high) },
          { "optimizer", NULL, 0, MADE },
          { "agrees", NULL, 0, AT_IF(total_known, CELL_BOOL, struct summary, agrees) },
          { NULL, "", COLUMN_NOTE, MADE });

static const struct table layer_table =
    TABLE("rows", "", SECTION_LIST, TABLE_HEADED | TABLE_HIDDEN, NULL,
          { "table", NULL, 0, AT(CELL_NUMBER, struct summary_row, summary) },
          { "line", NULL, 0, AT(CELL_NUMBER, struct summary_row, line) },
          { "depth", NULL, 0, AT(CELL_NUMBER, struct summary_row, depth) },
          { "name", NULL, 0, AT(CELL_STR, struct summary_row, name) },
          { "elements", NULL, 0, AT_IF(counted, CELL_COUNT, struct summary_row, elements) });

/* ---- findings ----------------------------------------------------------------------------- */

static void remark_row(struct table_row *row, struct cell *c)
{
    const struct remark *m = row->item;
    c[0] = c[4] = severity_cell(m->harmless ? NUMEL_NOTE : NUMEL_ERROR);
}

static const struct table remark_table =
    TABLE("findings", "", SECTION_LIST, TABLE_FILLED, remark_row, { NULL, "", 0, MADE },
          { NULL, "", 0, AT(CELL_TEXT, struct remark, code) },
          { NULL, "", COLUMN_RIGHT, AT(CELL_NUMBER, struct remark, line) },
          { "code", NULL, 0, AT(CELL_TEXT, struct remark, code) }, { "severity", NULL, 0, MADE },
          { "line", NULL, 0, AT(CELL_NUMBER, struct remark, line) },
          { "column", NULL, 0, AT_SOME(CELL_NUMBER, struct remark, column) },
          { "message", "", COLUMN_WRAP, AT(CELL_TEXT, struct remark, message) });

/* ---- all of it ---------------------------------------------------------------------------- */

/* Adds the account. Text has two extra rows: the total held, and the rest. */
static void add_account(struct numel_report *out, struct printout_report *r)
{
    bool beside = r->c && r->account.tally.count;
    r->lines = (struct line_table){
        .tally = &r->account.tally,
        .ends = { { .cause = r->b.held == r->held.parameters ? "parameters" : "held",
                    .elements = CELL_U(CELL_COUNT, r->b.held) },
                  { .cause = "unexplained", .elements = rest_cell(r->account.left) } },
        .after = 2,
        .hidden = !beside,
    };
    line_sections(out, &r->lines, "account");
}

void printout_sections(struct numel_report *out, struct printout_report *r, bool all)
{
    const struct printout *p = &r->p;
    report_one(out, &head_table, r);
    report_list(out, &print_table, ROWS(p->prints, p->print_count), r)->hidden = p->print_count < 2;
    struct section *modules = report_list(out, &module_table, ROWS(r->rows.items, r->rows.count), r);
    if (!all) report_shorten(out, modules, SHOWN);
    report_list(out, &unseen_table, ROWS(r->account.unseen, r->account.unseen_count), NULL);
    add_account(out, r);
    report_list(out, &stated_table, ROWS(r->stated.items, r->stated.count), NULL);
    report_list(out, &table_table, ROWS(p->summaries, p->summary_count), p);
    report_list(out, &layer_table, ROWS(p->rows, p->row_count), NULL);
    report_one(out, &verdict_table, r);
    report_list(out, &remark_table, ROWS(p->remarks, p->remark_count), NULL);
}
