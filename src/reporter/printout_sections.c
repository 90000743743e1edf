/* printout_sections.c -- the lists of the printout report: their columns, and what stands in them. */
#include "reporter/printout_report.h"

#include "base/text.h"

/* ---- head and verdict --------------------------------------------------------------------- */

static const struct column head_columns[] = {
    { "path", "", 0 },    { "printout", "printout", 0 }, { "class", NULL, 0 },
    { NULL, "found", 0 }, { "architecture", NULL, 0 },   { NULL, "architecture", 0 },
};

static void head_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout_report *r = ctx;
    const struct printed *x = chosen_print(r);
    (void)i, (void)depth;
    if (r->path) c[0] = CELL_S(text_of(r->path));
    c[1] = CELL_S(text_of(r->name));
    if (x) c[2] = CELL_S(r->p.modules[x->module].class);
    if (r->what) c[3] = CELL_T(r->what);
    if (r->c && r->c->model->architecture) c[4] = CELL_T(r->c->model->architecture);
    if (r->architecture) c[5] = CELL_S(text_of(r->architecture));
}

/* clang-format off */
static const struct column verdict_columns[] = {
    { "printed", NULL, 0 },    { NULL, "printed", 0 },       { "lower_bound", NULL, 0 },
    { "parameters", NULL, 0 }, { "unseen_elements", NULL, 0 }, { "unseen_tensors", NULL, 0 },
    { "left", NULL, 0 },       { "regrouped", NULL, 0 },     { "agrees", NULL, 0 },
    { "verdict", "", 0 },
};
/* clang-format on */

static void verdict_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout_report *r = ctx;
    const struct printed *x = chosen_print(r);
    const struct summary *t = chosen_table(r);
    uint64_t n = x ? x->elements : t ? table_count(t).nominal : 0;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, n);
    if (!r->c || t) c[1] = r->printed ? CELL_T(r->printed) : CELL_U(CELL_TOTAL, n);
    if (x) c[2] = CELL_U(CELL_BOOL, r->account.bound);
    if (r->c) c[3] = CELL_U(CELL_COUNT, r->held.parameters);
    if (r->c) c[4] = CELL_U(CELL_COUNT, r->account.unseen_elements);
    if (r->c) c[5] = CELL_U(CELL_COUNT, r->account.unseen_tensors);
    if (r->c) c[6] = rest_cell(r->account.left);
    if (r->c) c[7] = CELL_U(CELL_COUNT, r->b.regrouped);
    c[8] = CELL_U(CELL_BOOL, !r->report->disagrees);
    c[9] = CELL_T(r->verdict);
}

/* ---- the printouts in the text ------------------------------------------------------------ */

/* clang-format off */
static const struct column print_columns[] = {
    { "class", "printed", COLUMN_NAME },  { "first_line", "from line", COLUMN_RIGHT },
    { "last_line", "to", COLUMN_RIGHT },  { "modules", "modules", COLUMN_RIGHT },
    { "elements", "elements", COLUMN_RIGHT }, { "cut", NULL, 0 },
    { "chosen", NULL, 0 },                { NULL, "", COLUMN_NOTE },
};
/* clang-format on */

static void print_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout_report *r = ctx;
    const struct printed *x = &r->p.prints[i];
    (void)depth;
    c[0] = CELL_S(r->p.modules[x->module].class);
    c[1] = CELL_U(CELL_NUMBER, x->first_line);
    c[2] = CELL_U(CELL_NUMBER, x->last_line);
    c[3] = CELL_U(CELL_COUNT, x->end - x->module);
    c[4] = CELL_U(CELL_COUNT, x->elements);
    c[5] = CELL_U(CELL_BOOL, x->cut);
    c[6] = CELL_U(CELL_BOOL, i == r->chosen);
    if (i == r->chosen) c[7] = CELL_T("shown here");
}

/* ---- modules ------------------------------------------------------------------------------ */

/* clang-format off */
static const struct column module_columns[] = {
    { NULL, "module", COLUMN_NAME },        { "module", NULL, 0 },
    { "depth", NULL, 0 },                   { "times", NULL, 0 }, 
    { "printed", "printed", COLUMN_RIGHT }, { "held", "model", COLUMN_RIGHT },
    { NULL, "", COLUMN_RIGHT },
    { "difference", NULL, 0 },              { "unseen", NULL, 0 },
    { "tied", NULL, 0 },                    { "adapters", NULL, 0 },
    { "class", NULL, 0 },                   { "remark", NULL, 0 },
    { NULL, "class", COLUMN_NAME | COLUMN_RANK(5) },
};
/* clang-format on */

/* Without a path there is nothing to hold it against: the columns of that have no heading. */
/* clang-format off */
static const struct column alone_columns[] = {
    { NULL, "module", COLUMN_NAME },        { "module", NULL, 0 },
    { "depth", NULL, 0 },                   { "times", NULL, 0 }, 
    { "printed", "printed", COLUMN_RIGHT }, { "held", NULL, 0 },
    { NULL, NULL, 0 },
    { "difference", NULL, 0 },              { "unseen", NULL, 0 },
    { "tied", NULL, 0 },                    { "adapters", NULL, 0 },
    { "class", NULL, 0 },                   { "remark", NULL, 0 },
    { NULL, "class", COLUMN_NAME | COLUMN_RANK(5) },
};
/* clang-format on */

static void module_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout_report *r = ctx;
    const struct printed_row *row = &r->rows.items[i];
    const struct beside *b = &row->all;
    uint64_t unseen = b->sizeless + b->bare;
    *depth = row->depth;
    c[0] = CELL_T(row->label);
    c[1] = CELL_T(row->path);
    c[2] = CELL_U(CELL_NUMBER, row->depth);
    c[3] = CELL_U(CELL_COUNT, row->times);
    if (row->shows == SHOWS_SIZES || b->printed) c[4] = CELL_U(CELL_COUNT, b->printed);
    c[11] = CELL_S(row->class);
    if (row->remark) c[12] = CELL_T(row->remark);
    c[13] = CELL_T(row->what);
    if (!r->c) return;
    int64_t change = (int64_t)(b->larger + b->strange) - (int64_t)(b->smaller + b->absent);
    c[5] = CELL_U(CELL_COUNT, b->held + unseen + b->strange);
    c[7] = (struct cell){ .kind = CELL_SIGNED, .i = change };
    if (change) c[6] = c[7];
    c[8] = CELL_U(CELL_COUNT, unseen);
    c[9] = CELL_U(CELL_COUNT, b->tied);
    c[10] = CELL_U(CELL_COUNT, b->adapters);
}

/* ---- what cannot be seen ------------------------------------------------------------------ */

/* clang-format off */
static const struct column unseen_columns[] = {
    { "class", "not visible", COLUMN_NAME }, { "why", "", 0 },
    { "modules", "modules", COLUMN_RIGHT },     { "tensors", NULL, 0 },
    { "elements", "elements", COLUMN_RIGHT },   { "name", "for example", COLUMN_NAME },
};
/* clang-format on */

static void unseen_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct unseen *u = &((const struct printout_report *)ctx)->account.unseen[i];
    (void)depth;
    c[0] = CELL_S(u->class);
    c[1] = CELL_T(unseen_text(u->kind));
    c[2] = CELL_U(CELL_COUNT, u->modules);
    if (u->tensors) c[3] = CELL_U(CELL_COUNT, u->tensors);
    if (u->known) c[4] = CELL_U(CELL_COUNT, u->elements);
    c[5] = CELL_T(u->name);
}

/* ---- totals that the text states ---------------------------------------------------------- */

/* clang-format off */
static const struct column stated_columns[] = {
    { "label", "stated", COLUMN_NAME }, { "text", "", COLUMN_RIGHT }, { "low", NULL, 0 },
    { "high", NULL, 0 },                { "line", "line", COLUMN_RIGHT }, { "met", NULL, 0 },
    { "how", NULL, 0 },                 { NULL, "is", COLUMN_WRAP },
};
/* clang-format on */

static void stated_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct stated_row *s = &((const struct printout_report *)ctx)->stated.items[i];
    (void)depth;
    c[0] = CELL_S(s->stated->label);
    c[1] = CELL_S(s->stated->text);
    c[2] = CELL_U(CELL_COUNT, s->stated->low);
    c[3] = CELL_U(CELL_COUNT, s->stated->high);
    c[4] = CELL_U(CELL_NUMBER, s->stated->line);
    c[5] = CELL_U(CELL_BOOL, s->meets != NULL);
    c[6] = c[7] = CELL_T(s->meets ? s->meets : s->remark ? s->remark : "less than printed");
}

/* ---- tables ------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column table_columns[] = {
    { "name", "table", COLUMN_NAME },            { "first_line", "from line", COLUMN_RIGHT },
    { "last_line", "to", COLUMN_RIGHT },         { "rows", "rows", COLUMN_RIGHT },
    { "elements", "sum of rows", COLUMN_RIGHT }, { "rounded", NULL, 0 },
    { "stated", "stated", COLUMN_RIGHT },        { "stated_text", NULL, 0 },
    { "low", NULL, 0 },                          { "high", NULL, 0 },
    { "optimizer", NULL, 0 },                    { "agrees", NULL, 0 },
    { NULL, "", COLUMN_NOTE },
};
/* clang-format on */

static void table_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout *p = &((const struct printout_report *)ctx)->p;
    const struct summary *x = &p->summaries[i];
    (void)depth;
    if (x->end > x->row) c[0] = CELL_S(p->rows[x->row].name);
    c[1] = CELL_U(CELL_NUMBER, x->first_line);
    c[2] = CELL_U(CELL_NUMBER, x->last_line);
    c[3] = CELL_U(CELL_COUNT, x->end - x->row);
    c[4] = CELL_U(CELL_COUNT, x->elements);
    c[5] = CELL_U(CELL_BOOL, x->rounded);
    if (!x->total_known) return;
    c[6] = CELL_U(CELL_COUNT, x->total.nominal);
    c[7] = CELL_S(x->total_text);
    c[8] = CELL_U(CELL_COUNT, x->total.low);
    c[9] = CELL_U(CELL_COUNT, x->total.high);
    if (x->optimizer) c[10] = CELL_U(CELL_COUNT, x->optimizer);
    c[11] = CELL_U(CELL_BOOL, x->agrees);
    c[12] = CELL_T(!x->agrees ? "differs" : x->optimizer ? "agrees, including the optimizer's" : "agrees");
}

/* clang-format off */
static const struct column layer_columns[] = {
    { "table", NULL, 0 }, { "line", NULL, 0 }, { "depth", NULL, 0 }, { "name", NULL, 0 },
    { "elements", NULL, 0 },
};
/* clang-format on */

static void layer_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout *p = &((const struct printout_report *)ctx)->p;
    const struct summary_row *row = &p->rows[i];
    (void)depth;
    c[0] = CELL_U(CELL_NUMBER, row->summary);
    c[1] = CELL_U(CELL_NUMBER, row->line);
    c[2] = CELL_U(CELL_NUMBER, row->depth);
    c[3] = CELL_S(row->name);
    if (row->counted) c[4] = CELL_U(CELL_COUNT, row->elements);
}

/* ---- findings ----------------------------------------------------------------------------- */

/* clang-format off */
static const struct column remark_columns[] = {
    { NULL, "", 0 },           { NULL, "", 0 },     { NULL, "", COLUMN_RIGHT }, { "code", NULL, 0 },
    { "severity", NULL, 0 },   { "line", NULL, 0 }, { "column", NULL, 0 },
    { "message", "", COLUMN_WRAP },
};
/* clang-format on */

static void remark_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct remark *m = &((const struct printout_report *)ctx)->p.remarks[i];
    (void)depth;
    c[0] = c[4] = CELL_T(m->harmless ? "note" : "error");
    c[1] = c[3] = CELL_T(m->code);
    c[2] = c[5] = CELL_U(CELL_NUMBER, m->line);
    if (m->column) c[6] = CELL_U(CELL_NUMBER, m->column);
    c[7] = CELL_T(m->message);
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* A list with headings, of which text shows nothing when it is empty. */
static struct section list_of(const struct printout_report *r, const char *key, size_t rows)
{
    return (struct section){ .key = key,
                             .title = "",
                             .form = SECTION_LIST,
                             .headed = true,
                             .rows = rows,
                             .hidden = rows == 0,
                             .ctx = r };
}

#define ADD(to, list, names, how)                              \
    do {                                                       \
        struct section filled = (list);                        \
        filled.columns = (names);                              \
        filled.column_count = sizeof(names) / sizeof *(names); \
        filled.row = (how);                                    \
        report_section((to), &filled);                         \
    } while (0)

static bool add_modules(struct numel_report *out, const struct printout_report *r, bool all)
{
    enum { SHOWN = 80 };
    struct section s = list_of(r, "modules", r->rows.count);
    if (s.rows > SHOWN && !all) {
        s.text_rows = SHOWN;
        s.more = arena_format(&out->arena, "... and %zu more (--no-truncate shows them)", s.rows - SHOWN);
        if (!s.more) return false;
    }
    if (r->c) ADD(out, s, module_columns, module_row);
    else ADD(out, s, alone_columns, module_row);
    return true;
}

/* The sum: JSON has its lines, text two rows more, what is held, and what is left. */
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

static void add_tables(struct numel_report *out, const struct printout_report *r)
{
    struct section s = list_of(r, "tables", r->p.summary_count);
    ADD(out, s, table_columns, table_row);
    s = list_of(r, "rows", r->p.row_count);
    s.hidden = true;
    ADD(out, s, layer_columns, layer_row);
}

bool printout_sections(struct numel_report *out, struct printout_report *r, bool all)
{
    const struct section fields = { .title = "", .form = SECTION_FIELDS, .rows = 1, .ctx = r };
    ADD(out, fields, head_columns, head_row);
    struct section s = list_of(r, "printouts", r->p.print_count);
    s.hidden = s.rows < 2;
    ADD(out, s, print_columns, print_row);
    if (!add_modules(out, r, all)) return false;
    ADD(out, list_of(r, "unseen", r->account.unseen_count), unseen_columns, unseen_row);
    add_account(out, r);
    ADD(out, list_of(r, "stated", r->stated.count), stated_columns, stated_row);
    add_tables(out, r);
    ADD(out, fields, verdict_columns, verdict_row);
    s = list_of(r, "findings", r->p.remark_count);
    s.headed = false;
    ADD(out, s, remark_columns, remark_row);
    return true;
}
