/*
 * explain_report.c -- the report of `numel explain`: the best account as a statement, then the others.
 *
 *     cause                tensors       elements
 *     parameters               291  6,738,415,616  llama
 *     without output head        1   -131,072,000  lm_head.weight; a base model, or counted as tied
 *     6607.34M                 290  6,607,343,616
 *     difference                                0
 */
#include "reporter/judgement_section.h"
#include "reporter/explain_words.h"
#include "reporter/handles.h"
#include "reporter/lines.h"
#include "reporter/sections.h"

#include "base/border.h"
#include "base/num.h"

enum { SHOWN = 8, LISTED = 64, FAR = 6 };

struct explain_report {
    struct handle *c;
    struct ledger ledger;
    struct explanation x;
    struct wording *wordings;
    size_t wording_count, others;
    struct line_table lines;
    const char *path, *architecture, *claimed, *verdict;
    bool made; /* ledger and x are initialised */
};

/* ---- lines -------------------------------------------------------------------------------- */

/* In text, two rows follow the lines: their sum, and what remains. */
static void add_lines(struct numel_report *out, struct explain_report *r)
{
    if (!r->wording_count) return;
    const struct wording *w = &r->wordings[0];
    bool rounded = r->x.fits && !r->x.claim.n.exact;
    r->lines = (struct line_table){
        .tally = &w->tally,
        .shows = LINES_TENSORS,
        .ends = { { .cause = r->x.fits ? r->x.claim.text : "nearest",
                    .detail = rounded ? "within rounding" : NULL,
                    .elements = CELL_U(CELL_COUNT, w->a->shown) },
                  { .cause = r->x.fits ? "difference" : "unexplained",
                    .detail = explain_factors(&r->x, w->a->rest),
                    .elements = rest_cell(w->a->rest) } },
        .after = 2,
    };
    line_sections(out, &r->lines, NULL);
}

NUMEL_MUST static bool make_wordings(struct explain_report *r, bool all, numel_error *e)
{
    size_t n = all ? r->x.count : num_min(r->x.count, LISTED);
    r->wordings = arena_alloc(r->ledger.arena, (n + 1) * sizeof *r->wordings);
    if (!r->wordings) return error_nomem(e);
    for (; r->wording_count < n; r->wording_count++)
        if (!wording_make(&r->wordings[r->wording_count], &r->x, &r->x.accounts[r->wording_count], e))
            return false;
    r->others = r->x.count - n;
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void head_row(struct table_row *row, struct cell *c)
{
    const struct explain_report *r = row->of;
    const struct model *u = r->c->model;
    if (u->architecture) c[1] = CELL_T(u->architecture);
    if (!u->x) c[2] = CELL_T("unknown; tensors are recognised by their names only");
    else if (r->architecture) c[2] = CELL_S(text_of(r->architecture));
}

static const struct table head_table = TABLE(
    NULL, NULL, SECTION_FIELDS, 0, head_row, { "path", "", 0, AT(CELL_STR, struct explain_report, path) },
    { "architecture", NULL, 0, MADE }, { NULL, "architecture", 0, MADE },
    { NULL, "claim", 0, AT(CELL_STR, struct explain_report, claimed) });

static const struct table claim_table =
    TABLE("claim", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL,
          { "text", NULL, 0, AT(CELL_STR, struct explanation, claim.text) },
          { "value", NULL, 0, AT(CELL_COUNT, struct explanation, claim.n.value) },
          { "low", NULL, 0, AT(CELL_COUNT, struct explanation, low) },
          { "high", NULL, 0, AT(CELL_COUNT, struct explanation, high) },
          { "exact", NULL, 0, AT(CELL_BOOL, struct explanation, claim.n.exact) });

static const struct column other_columns[] = {
    { "cost", NULL, 0, VIA(CELL_NUMBER, struct wording, a, cost) },
    { "causes", NULL, 0, AT(CELL_RAW, struct wording, json) },
    { "value", "also", COLUMN_RIGHT, VIA(CELL_COUNT, struct wording, a, shown) },
    { "remainder", NULL, 0, MADE },
    { "reading", NULL, 0, MADE },
    { NULL, "", COLUMN_NOTE, AT(CELL_TEXT, struct wording, joined) },
};

static void other_row(struct table_row *row, struct cell *c)
{
    const struct wording *t = row->item;
    c[3] = rest_cell(t->a->rest);
    c[4] = CELL_T(claim_reading_text((enum claim_reading)t->a->reading));
}

static const struct table account_table =
    TABLE_OF("explanations", NULL, SECTION_LIST, TABLE_HIDDEN, other_row, other_columns);
static const struct table other_table =
    TABLE_OF(NULL, "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, other_row, other_columns);

static const struct table hidden_table =
    TABLE("hidden", "too small to affect the rounded number", SECTION_LIST, TABLE_FILLED, NULL,
          { "elements", "", COLUMN_RIGHT, AT(CELL_SIGNED, struct hidden, elements) },
          { "cause", "", COLUMN_NOTE, AT(CELL_TEXT, struct hidden, name) });

static void verdict_row(struct table_row *row, struct cell *c)
{
    const struct explain_report *r = row->of;
    c[1] = CELL_U(CELL_BOOL, r->x.fits && !r->x.explained);
    c[3] = rest_cell(r->wording_count ? r->wordings[0].a->rest : (int64_t)r->x.claim.n.value);
}

static const struct table verdict_table = TABLE(
    NULL, "", SECTION_FIELDS, 0, verdict_row,
    { "explained", NULL, 0, AT(CELL_BOOL, struct explain_report, x.explained) },
    { "possible", NULL, 0, MADE },
    { "met_per_mille", NULL, 0, AT(CELL_NUMBER, struct explain_report, x.met) },
    { "unexplained", NULL, 0, MADE }, { "others", NULL, 0, AT(CELL_NUMBER, struct explain_report, others) },
    { "verdict", "", 0, AT(CELL_TEXT, struct explain_report, verdict) });

/* ---- the report --------------------------------------------------------------------------- */

static void add_others(struct numel_report *out, const struct explain_report *r, bool all)
{
    size_t n = r->x.fits ? r->wording_count - 1 : 0;
    struct section *s = report_list(out, &other_table, ROWS(r->wordings + 1, n), NULL);
    size_t near = 0; /* a much more expensive account is not a rival */
    while (near < n && near < SHOWN && r->wordings[near + 1].a->cost <= r->wordings[0].a->cost + FAR) near++;
    if (n == near || all) return;
    s->text_rows = near;
    s->hidden = near == 0;
    s->more = arena_format(&out->arena, "... and %zu more (--no-truncate shows them)", n - near + r->others);
}

static void add_sections(struct numel_report *out, struct explain_report *r, bool all)
{
    name_section(out, r->c->ck);
    report_one(out, &head_table, r);
    report_one(out, &claim_table, &r->x);
    add_lines(out, r);
    report_one(out, &verdict_table, r);
    report_list(out, &account_table, ROWS(r->wordings, r->wording_count), NULL);
    add_others(out, r, all);
    report_list(out, &hidden_table, ROWS(r->x.hidden, r->x.hidden_count), NULL);
}

static void done(void *ctx)
{
    struct explain_report *r = ctx;
    if (r->made) {
        explain_done(&r->x);
        ledger_done(&r->ledger);
    }
}

/* Without a checkpoint, the configuration must provide something to count. */
NUMEL_MUST static bool take_model(struct numel_report *out, struct explain_report *r, numel_error *e)
{
    if (!judged_section(out, r->c, e)) return false;
    if (model_formula(r->c->model) || r->c->ck) return true;
    *e = r->c->model->why;
    return error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE,
                     "no configuration: give a config.json (--config), or --arch NAME and --set SYM=N");
}

NUMEL_MUST static bool make_explain(struct numel_report *out, const char *number, struct handle *c,
                                    const numel_view *view, numel_error *e)
{
    struct explain_report *r = arena_alloc(&out->arena, sizeof *r);
    struct claim claim;
    if (!r) return error_nomem(e);
    *r = (struct explain_report){ .c = c, .path = c->path };
    out->done = done;
    out->done_ctx = r;
    if (!claim_read(&claim, number, e)) return false;
    if (!take_model(out, r, e) || !ledger_make(&r->ledger, r->c, e)) return false;
    if (!explain(&r->x, &claim, &r->ledger, e)) return ledger_done(&r->ledger), false;
    r->made = true;
    r->architecture = architecture_line(r->c->model);
    r->claimed = explain_claim_text(&r->x, &out->arena);
    r->verdict = explain_verdict(&r->x, &out->arena);
    if (!make_wordings(r, view->all, e)) return false;
    int64_t rest = r->wording_count ? r->wordings[0].a->rest : (int64_t)claim.n.value;
    out->disagrees = !r->x.explained;
    out->quiet_text = arena_format(&out->arena, "%" PRId64, rest);
    if (!r->claimed || !r->verdict || !out->quiet_text || r->c->model->arena.failed) return error_nomem(e);
    add_sections(out, r, view->all);
    return true;
}

numel_rc numel_claim(const char *text, uint64_t *value, uint64_t *low, uint64_t *high, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct claim c;
    if (!claim_read(&c, text, e)) return e->code;
    uint64_t from, to;
    claim_window(&c, CLAIM_WRITTEN, &from, &to);
    *value = c.n.value;
    if (low) *low = from;
    if (high) *high = to;
    return NUMEL_OK;
}

numel_rc numel_report_explain(numel_report **out, const char *number, numel_subject *s,
                              const numel_view *view, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    *out = NULL;
    struct handle *c = border_view(&seen, view, e) ? subject_model(s, e) : NULL;
    *out = c ? report_new(c->memory, "numel.explain/1", e) : NULL;
    return report_made(out, *out && make_explain(*out, number, c, &seen, e), e);
}
