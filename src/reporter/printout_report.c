/*
 * printout_report.c -- the report of a printout: alone, or beside what a path holds.
 *
 *     module                          printed           held  class
 *     model.embed_tokens          131,072,000    131,072,000  Embedding
 *     model.layers.[0-31]       6,476,005,376  6,476,267,520  LlamaDecoderLayer
 *       self_attn.q_proj          536,870,912    536,870,912  Linear
 *       input_layernorm                              131,072  LlamaRMSNorm, prints no size
 *
 * Then what cannot be seen, and the sum of printed_account.h.
 */
#include "reporter/formula_report.h"
#include "reporter/printed_account.h"
#include "reporter/printed_stated.h"
#include "reporter/report.h"

#include "base/text.h"

enum { COMPARED = 8 }; /* of several printouts, the first so many are held against the path */

struct printout_report {
    struct printout p;
    struct comparison *c; /* NULL: no path */
    const char *path, *name, *architecture, *verdict, *what;
    struct holdings held;
    struct printed_beside b;
    struct printed_rows rows;
    struct account account;
    struct stated_rows stated;
    size_t chosen; /* of p.prints */
    const struct numel_report *report;
};

/* Of a text that holds tables alone: the first, or the first whose sum is what the path holds. */
static const struct summary *chosen_table(const struct printout_report *r)
{
    const struct printout *p = &r->p;
    if (p->print_count || !p->summary_count) return NULL;
    for (size_t i = 0; r->c && i < p->summary_count; i++)
        if (p->summaries[i].elements == r->held.parameters) return &p->summaries[i];
    return &p->summaries[0];
}

static const struct printed *chosen_print(const struct printout_report *r)
{
    return r->p.print_count ? &r->p.prints[r->chosen] : NULL;
}

/* ---- head and verdict --------------------------------------------------------------------- */

static const struct column head_columns[] = {
    { "path", "", 0 },
    { "printout", "printout", 0 },
    { "class", NULL, 0 },
    { NULL, "holds", 0 },
    { "architecture", NULL, 0 },
    { NULL, "architecture", 0 },
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
    if (r->c && r->c->u.architecture) c[4] = CELL_T(r->c->u.architecture);
    if (r->architecture) c[5] = CELL_S(text_of(r->architecture));
}

static const struct column verdict_columns[] = {
    { "printed", NULL, 0 },    { NULL, "printed", 0 },       { "lower_bound", NULL, 0 },
    { "parameters", NULL, 0 }, { "unseen_elements", NULL, 0 }, { "unseen_tensors", NULL, 0 },
    { "left", NULL, 0 },       { "regrouped", NULL, 0 },     { "agrees", NULL, 0 },
    { "verdict", "", 0 },
};

static void verdict_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout_report *r = ctx;
    const struct printed *x = chosen_print(r);
    const struct summary *t = chosen_table(r);
    uint64_t n = x ? x->elements : t ? t->elements : 0;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_COUNT, n);
    if (!r->c || t) c[1] = CELL_U(CELL_TOTAL, n);
    if (x) c[2] = CELL_U(CELL_BOOL, r->account.bound);
    if (r->c) c[3] = CELL_U(CELL_COUNT, r->held.parameters);
    if (r->c) c[4] = CELL_U(CELL_COUNT, r->account.unseen_elements);
    if (r->c) c[5] = CELL_U(CELL_COUNT, r->account.unseen_tensors);
    if (r->c && r->account.left == 0) c[6] = (struct cell){ .kind = CELL_RAW, .t = "0" };
    else if (r->c) c[6] = (struct cell){ .kind = CELL_SIGNED, .i = r->account.left };
    if (r->c) c[7] = CELL_U(CELL_COUNT, r->b.regrouped);
    c[8] = CELL_U(CELL_BOOL, !r->report->disagrees);
    c[9] = CELL_T(r->verdict);
}

/* ---- the printouts in the text ------------------------------------------------------------ */

static const struct column print_columns[] = {
    { "class", "printed", COLUMN_NAME },  { "first_line", "from line", COLUMN_RIGHT },
    { "last_line", "to", COLUMN_RIGHT },  { "modules", "modules", COLUMN_RIGHT },
    { "elements", "elements", COLUMN_RIGHT }, { "cut", NULL, 0 },
    { "chosen", NULL, 0 },                { NULL, "", 0 },
};

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
    if (i == r->chosen) c[7] = CELL_T("this one is shown");
}

/* ---- modules ------------------------------------------------------------------------------ */

static const struct column module_columns[] = {
    { NULL, "module", COLUMN_NAME },        { "module", NULL, 0 },
    { "depth", NULL, 0 },                   { "times", NULL, 0 }, 
    { "printed", "printed", COLUMN_RIGHT }, { "held", "held", COLUMN_RIGHT },
    { NULL, "", COLUMN_RIGHT },
    { "difference", NULL, 0 },              { "unseen", NULL, 0 },
    { "tied", NULL, 0 },                    { "adapters", NULL, 0 },
    { "class", NULL, 0 },                   { "remark", NULL, 0 },
    { NULL, "class", COLUMN_NAME },
};

/* Without a path there is nothing to hold it against: the columns of that have no heading. */
static const struct column alone_columns[] = {
    { NULL, "module", COLUMN_NAME },        { "module", NULL, 0 },
    { "depth", NULL, 0 },                   { "times", NULL, 0 }, 
    { "printed", "printed", COLUMN_RIGHT }, { "held", NULL, 0 },
    { NULL, NULL, 0 },
    { "difference", NULL, 0 },              { "unseen", NULL, 0 },
    { "tied", NULL, 0 },                    { "adapters", NULL, 0 },
    { "class", NULL, 0 },                   { "remark", NULL, 0 },
    { NULL, "class", COLUMN_NAME },
};

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

static const struct column unseen_columns[] = {
    { "class", "cannot be seen", COLUMN_NAME }, { "why", "", 0 },
    { "modules", "modules", COLUMN_RIGHT },     { "tensors", NULL, 0 },
    { "elements", "elements", COLUMN_RIGHT },   { "name", "like", COLUMN_NAME },
};

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

/* ---- the sum ------------------------------------------------------------------------------ */

static const struct column account_columns[] = {
    { "cause", "cause", 0 },
    { "tensors", NULL, 0 },
    { "elements", "elements", COLUMN_RIGHT },
    { "detail", "", COLUMN_NAME },
};

static void account_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct account_line *l = &((const struct printout_report *)ctx)->account.lines[i];
    (void)depth;
    c[0] = CELL_T(l->cause);
    if (l->tensors) c[1] = CELL_U(CELL_COUNT, l->tensors);
    c[2] = i ? (struct cell){ .kind = CELL_SIGNED, .i = l->elements }
             : CELL_U(CELL_COUNT, (uint64_t)l->elements);
    c[3] = CELL_T(l->detail);
}

/* In text two lines more: what is held, and what is left. */
static void account_table_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout_report *r = ctx;
    const struct account *x = &r->account;
    if (i < x->count) {
        account_row(ctx, i, c, depth);
        return;
    }
    bool last = i > x->count;
    c[0] = CELL_T(last ? "unexplained" : "parameters");
    c[2] = CELL_U(CELL_COUNT, last ? 0 : r->b.held);
    if (last && x->left) c[2] = (struct cell){ .kind = CELL_SIGNED, .i = x->left };
    if (!last && r->b.held != r->held.parameters) c[0] = CELL_T("held");
}

/* ---- totals that the text states ---------------------------------------------------------- */

static const struct column stated_columns[] = {
    { "label", "stated", COLUMN_NAME }, { "text", "", COLUMN_RIGHT }, { "low", NULL, 0 },
    { "high", NULL, 0 },                { "line", "line", COLUMN_RIGHT }, { "met", NULL, 0 },
    { "how", NULL, 0 },                 { NULL, "is", COLUMN_WRAP },
};

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
    c[6] = c[7] = CELL_T(s->meets ? s->meets : s->remark ? s->remark : "less than is printed");
}

/* ---- tables ------------------------------------------------------------------------------- */

static const struct column table_columns[] = {
    { "name", "table", COLUMN_NAME },            { "first_line", "from line", COLUMN_RIGHT },
    { "last_line", "to", COLUMN_RIGHT },         { "rows", "rows", COLUMN_RIGHT },
    { "elements", "sum of rows", COLUMN_RIGHT }, { "stated", "stated", COLUMN_RIGHT },
    { "agrees", NULL, 0 },                       { NULL, "", 0 },
};

/* The total that a table states below its last rule; NULL when it states none. */
static const struct stated *total_of(const struct printout *p, const struct summary *x)
{
    enum { LINES = 4 };
    for (size_t i = 0; i < p->stated_count; i++)
        if (p->stated[i].kind == STATED_TOTAL && p->stated[i].line > x->last_line &&
            p->stated[i].line <= x->last_line + LINES)
            return &p->stated[i];
    return NULL;
}

static bool table_agrees(const struct printout *p, const struct summary *x)
{
    const struct stated *s = total_of(p, x);
    return !s || (x->elements >= s->low && x->elements <= s->high);
}

static void table_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct printout *p = &((const struct printout_report *)ctx)->p;
    const struct summary *x = &p->summaries[i];
    const struct stated *s = total_of(p, x);
    bool agrees = table_agrees(p, x);
    (void)depth;
    if (x->end > x->row) c[0] = CELL_S(p->rows[x->row].name);
    c[1] = CELL_U(CELL_NUMBER, x->first_line);
    c[2] = CELL_U(CELL_NUMBER, x->last_line);
    c[3] = CELL_U(CELL_COUNT, x->end - x->row);
    c[4] = CELL_U(CELL_COUNT, x->elements);
    if (s) c[5] = CELL_U(CELL_COUNT, s->low);
    if (s) c[6] = CELL_U(CELL_BOOL, agrees);
    if (s) c[7] = CELL_T(agrees ? "agrees" : "differs");
}

static const struct column layer_columns[] = {
    { "table", NULL, 0 }, { "line", NULL, 0 }, { "depth", NULL, 0 }, { "name", NULL, 0 },
    { "elements", NULL, 0 },
};

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

static const struct column remark_columns[] = {
    { NULL, "", 0 },           { NULL, "", 0 },     { NULL, "", COLUMN_RIGHT }, { "code", NULL, 0 },
    { "severity", NULL, 0 },   { "line", NULL, 0 }, { "column", NULL, 0 },
    { "message", "", COLUMN_WRAP },
};

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

/* ---- the report --------------------------------------------------------------------------- */

#define COLUMNS(c) .columns = (c), .column_count = sizeof(c) / sizeof *(c)

static bool add_modules(struct numel_report *out, const struct printout_report *r, bool all)
{
    enum { SHOWN = 80 };
    struct section s = { .key = "modules", .title = "", .form = SECTION_LIST, .headed = true,
                         COLUMNS(module_columns), .rows = r->rows.count, .row = module_row,
                         .ctx = r, .hidden = r->rows.count == 0 };
    if (!r->c) s.columns = alone_columns;
    if (s.rows > SHOWN && !all) {
        s.text_rows = SHOWN;
        s.more = arena_format(&out->arena, "... and %zu more (--no-truncate shows them)",
                              s.rows - SHOWN);
        if (!s.more) return false;
    }
    report_section(out, &s);
    return true;
}

static bool add_sections(struct numel_report *out, const struct printout_report *r, bool all)
{
    const struct section list = { .title = "", .form = SECTION_LIST, .headed = true, .ctx = r };
    struct section s = { .form = SECTION_FIELDS, COLUMNS(head_columns), .rows = 1, .row = head_row,
                         .ctx = r };
    report_section(out, &s);
    s = list;
    s.key = "printouts", s.columns = print_columns, s.column_count = 8;
    s.rows = r->p.print_count, s.row = print_row, s.hidden = s.rows < 2;
    report_section(out, &s);
    if (!add_modules(out, r, all)) return false;
    s = list;
    s.key = "unseen", s.columns = unseen_columns, s.column_count = 6;
    s.rows = r->account.unseen_count, s.row = unseen_row, s.hidden = s.rows == 0;
    report_section(out, &s);
    s = list;
    s.key = "account", s.columns = account_columns, s.column_count = 4;
    s.rows = r->account.count, s.row = account_row, s.hidden = true;
    report_section(out, &s);
    s.key = NULL, s.rows += 2, s.row = account_table_row, s.hidden = !r->c || !r->account.count;
    report_section(out, &s);
    s = list;
    s.key = "stated", s.columns = stated_columns, s.column_count = 8;
    s.rows = r->stated.count, s.row = stated_row, s.hidden = s.rows == 0;
    report_section(out, &s);
    s = list;
    s.key = "tables", s.columns = table_columns, s.column_count = 8;
    s.rows = r->p.summary_count, s.row = table_row, s.hidden = s.rows == 0;
    report_section(out, &s);
    s.key = "rows", s.columns = layer_columns, s.column_count = 5;
    s.rows = r->p.row_count, s.row = layer_row, s.hidden = true;
    report_section(out, &s);
    s = (struct section){ .title = "", .form = SECTION_FIELDS, COLUMNS(verdict_columns), .rows = 1,
                          .row = verdict_row, .ctx = r };
    report_section(out, &s);
    s = list;
    s.key = "findings", s.columns = remark_columns, s.column_count = 8, s.headed = false;
    s.rows = r->p.remark_count, s.row = remark_row, s.hidden = s.rows == 0;
    report_section(out, &s);
    return true;
}

/* Of tables, which have no names to find in a path: only sums are compared. */
static const char *verdict_of_table(const struct printout_report *r, struct arena *a)
{
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    const struct summary *t = chosen_table(r);
    bool same = r->c && t->elements == r->held.parameters;
    if (!r->c) return "the rows are counted; what stands in a row is not known";
    return arena_format(a, "%s: the rows add up to %s, the path holds %s parameters",
                        same ? "agrees" : "differs", text_number(n, t->elements),
                        text_number(m, r->held.parameters));
}

/* "differs: 809,533,440 printed, not held; 4,096 held, not printed" */
static const char *differences(const struct account *x, struct arena *a)
{
    const char *text = "differs";
    char n[TEXT_NUMBER];
    bool first = true;
    for (size_t i = 0; i < x->count && text; i++) {
        int64_t v = x->lines[i].elements;
        if (!x->lines[i].disagrees) continue;
        text = arena_format(a, "%s%s%s %s", text, first ? ": " : "; ",
                            text_number(n, (uint64_t)(v < 0 ? -v : v)), x->lines[i].cause);
        first = false;
    }
    return text;
}

static const char *verdict_of(const struct printout_report *r, struct arena *a)
{
    char n[TEXT_NUMBER];
    if (chosen_table(r)) return verdict_of_table(r, a);
    const struct account *x = &r->account;
    if (!r->c && chosen_print(r)->cut)
        return arena_format(a, "at least %s: something was left out, or cut off",
                            text_number(n, chosen_print(r)->elements));
    if (!r->c && x->bound)
        return arena_format(a, "at least %s: what prints no size is not counted",
                            text_number(n, chosen_print(r)->elements));
    if (!r->c) return "every class that is printed tells its size";
    if (!x->agrees) return differences(x, a);
    if (x->unseen_tensors == 0) return "agrees: everything is printed, and as it is held";
    return arena_format(a, "agrees: what the printout counts is held; %s parameters cannot be seen in it",
                        text_number(n, x->unseen_elements));
}

/* Of several printouts the one that has most of what the path holds; alone, the largest. */
static bool choose(struct printout_report *r, struct arena *a, numel_error *e)
{
    size_t n = r->p.print_count < COMPARED ? r->p.print_count : COMPARED;
    for (size_t i = 0; i < n; i++) {
        struct printed_beside b;
        const struct printed *x = &r->p.prints[i];
        if (!printed_beside_make(&b, &r->p, x, r->c ? &r->held : NULL, a, e)) return false;
        bool better = r->c ? b.resolved > r->b.resolved : x->elements > chosen_print(r)->elements;
        if (i && !better) continue;
        r->b = b;
        r->chosen = i;
    }
    return true;
}

static bool count(struct printout_report *r, struct arena *a, numel_error *e)
{
    r->account.agrees = true;
    if (!r->p.print_count) {
        r->verdict = verdict_of(r, a);
        r->account.agrees = !r->c || chosen_table(r)->elements == r->held.parameters;
        return r->verdict || error_nomem(e);
    }
    if (!choose(r, a, e) || !printed_rows_make(&r->rows, &r->b, a, e) ||
        !account_make(&r->account, &r->b, a, e) || !stated_rows_make(&r->stated, &r->b, a, e))
        return false;
    const struct printed *x = chosen_print(r);
    r->what = arena_format(a, "lines %" PRIu32 " to %" PRIu32 ", %" PRIu32 " modules", x->first_line,
                           x->last_line, x->end - x->module);
    r->verdict = verdict_of(r, a);
    return (r->what && r->verdict) || error_nomem(e);
}

static void done(void *ctx)
{
    struct printout_report *r = ctx;
    memory_release(r->p.arena.memory, r->rows.items);
    printout_done(&r->p);
    comparison_free(r->c);
}

/* What a configuration alone makes one expect. */
static struct comparison *comparison_of_config(const char *path, const numel_knowledge *k,
                                               const numel_allocator *m, numel_error *e)
{
    static const numel_knowledge nothing;
    struct comparison *c = memory_resize(m, NULL, sizeof *c);
    if (!c) {
        error_nomem(e);
        return NULL;
    }
    *c = (struct comparison){ .memory = m };
    if (understand(&c->u, NULL, path, k ? k : &nothing, true, m, e)) {
        if (c->u.x) return c;
        *e = c->u.why;
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "no configuration that an architecture fits");
        understand_done(&c->u);
    }
    memory_release(m, c);
    return NULL;
}

static bool take_path(struct printout_report *r, const numel_checkpoint *ck, const char *config,
                      const numel_knowledge *k, struct arena *a, numel_error *e)
{
    if (!ck && !config) return true;
    r->path = ck ? ck->path : config;
    r->c = ck ? comparison_make(ck, k, true, a->memory, e) : comparison_of_config(config, k, a->memory, e);
    if (!r->c || !holdings_make(&r->held, r->c, a, e)) return false;
    r->architecture = r->c->u.x ? architecture_line(&r->c->u) : NULL;
    return true;
}

static bool make(struct numel_report *out, const numel_checkpoint *ck, const char *config,
                 const numel_printout *text, const numel_knowledge *k, bool all, numel_error *e)
{
    struct printout_report *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct printout_report){ .name = arena_text(&out->arena, text->name, strlen(text->name)),
                                   .report = out };
    arena_init(&r->p.arena, out->arena.memory);
    buffer_init(&r->p.text, out->arena.memory);
    out->done = done;
    out->done_ctx = r;
    if (!r->name) return error_nomem(e);
    if (!printout_read(&r->p, text->text, text->bytes, out->arena.memory, e)) {
        error_file(e, text->name);
        return false;
    }
    if (!r->p.print_count && !r->p.summary_count) {
        error_set(e, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                  "holds no printed model: what print(model) writes begins like 'LlamaForCausalLM('");
        error_file(e, text->name);
        return false;
    }
    if (!take_path(r, ck, config, k, &out->arena, e) || !count(r, &out->arena, e)) return false;
    out->disagrees = !r->account.agrees;
    for (size_t i = 0; i < r->p.remark_count; i++) out->disagrees |= !r->p.remarks[i].harmless;
    for (size_t i = 0; i < r->p.summary_count; i++)
        out->disagrees |= !table_agrees(&r->p, &r->p.summaries[i]);
    out->quiet = chosen_print(r) ? chosen_print(r)->elements : chosen_table(r)->elements;
    return add_sections(out, r, all) || error_nomem(e);
}

numel_rc numel_report_printout(numel_report **out, const numel_checkpoint *ck, const char *config,
                               const numel_printout *text, const numel_knowledge *k,
                               const numel_view *view, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    *out = report_new(ck ? ck->arena.memory : &memory_malloc, "numel.printout/1", e);
    if (*out && !make(*out, ck, config, text, k, view && view->all, e)) {
        numel_report_free(*out);
        *out = NULL;
    }
    return e->code;
}

bool numel_is_printout(const void *text, size_t bytes)
{
    struct printout p;
    numel_error e;
    error_clear(&e);
    bool read = printout_read(&p, text, bytes, &memory_malloc, &e);
    bool holds = p.print_count || p.summary_count || !read;
    printout_done(&p);
    return holds;
}
