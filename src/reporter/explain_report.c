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
    bool made; /* ledger and x are there */
};

/* ---- lines -------------------------------------------------------------------------------- */

/* In text two rows behind the lines: what they make, and what is left. */
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

static const struct column head_columns[] = {
    { "path", "", 0 },
    { "architecture", NULL, 0 },
    { NULL, "architecture", 0 },
    { NULL, "claim", 0 },
};

static void head_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct explain_report *r = ctx;
    const struct model *u = r->c->model;
    (void)i, (void)depth;
    if (r->path) c[0] = CELL_S(text_of(r->path));
    if (u->architecture) c[1] = CELL_T(u->architecture);
    if (!u->x) c[2] = CELL_T("unknown; tensors are recognised by their names only");
    else if (r->architecture) c[2] = CELL_S(text_of(r->architecture));
    c[3] = CELL_S(text_of(r->claimed));
}

/* clang-format off */
static const struct column claim_columns[] = {
    { "text", NULL, 0 }, { "value", NULL, 0 }, { "low", NULL, 0 }, { "high", NULL, 0 },
    { "exact", NULL, 0 },
};
/* clang-format on */

static void claim_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct explanation *x = &((const struct explain_report *)ctx)->x;
    (void)i, (void)depth;
    c[0] = CELL_S(text_of(x->claim.text));
    c[1] = CELL_U(CELL_COUNT, x->claim.n.value);
    c[2] = CELL_U(CELL_COUNT, x->low);
    c[3] = CELL_U(CELL_COUNT, x->high);
    c[4] = CELL_U(CELL_BOOL, x->claim.n.exact);
}

/* clang-format off */
static const struct column other_columns[] = {
    { "cost", NULL, 0 },  { "causes", NULL, 0 }, { "value", "also", COLUMN_RIGHT },
    { "remainder", NULL, 0 }, { "reading", NULL, 0 }, { NULL, "", COLUMN_NOTE },
};
/* clang-format on */

static void other_cells(const struct wording *t, struct cell *c)
{
    c[0] = CELL_U(CELL_NUMBER, t->a->cost);
    c[1] = (struct cell){ .kind = CELL_RAW, .t = t->json };
    c[2] = CELL_U(CELL_COUNT, t->a->shown);
    c[3] = rest_cell(t->a->rest);
    c[4] = CELL_T(claim_reading_text((enum claim_reading)t->a->reading));
    c[5] = CELL_T(t->joined);
}

static void account_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)depth;
    other_cells(&((const struct explain_report *)ctx)->wordings[i], c);
}

static void other_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    (void)depth;
    other_cells(&((const struct explain_report *)ctx)->wordings[i + 1], c);
}

static const struct column hidden_columns[] = { { "elements", "", COLUMN_RIGHT },
                                                { "cause", "", COLUMN_NOTE } };

static void hidden_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct hidden *h = &((const struct explain_report *)ctx)->x.hidden[i];
    (void)depth;
    c[0] = (struct cell){ .kind = CELL_SIGNED, .i = h->elements };
    c[1] = CELL_T(h->name);
}

/* clang-format off */
static const struct column verdict_columns[] = {
    { "explained", NULL, 0 }, { "possible", NULL, 0 },
    { "met_per_mille", NULL, 0 }, { "unexplained", NULL, 0 },
    { "others", NULL, 0 },    { "verdict", "", 0 },
};
/* clang-format on */

static void verdict_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct explain_report *r = ctx;
    int64_t rest = r->wording_count ? r->wordings[0].a->rest : (int64_t)r->x.claim.n.value;
    (void)i, (void)depth;
    c[0] = CELL_U(CELL_BOOL, r->x.explained);
    c[1] = CELL_U(CELL_BOOL, r->x.fits && !r->x.explained);
    c[2] = CELL_U(CELL_NUMBER, r->x.met);
    c[3] = rest_cell(rest);
    c[4] = CELL_U(CELL_NUMBER, r->others);
    c[5] = CELL_T(r->verdict);
}

/* ---- the report --------------------------------------------------------------------------- */

static bool add_others(struct numel_report *out, const struct explain_report *r, bool all)
{
    size_t n = r->x.fits ? r->wording_count - 1 : 0;
    struct section s = { .title = "",
                         .form = SECTION_LIST,
                         .headed = true,
                         COLUMNS(other_columns),
                         .rows = n,
                         .row = other_row,
                         .ctx = r,
                         .hidden = n == 0 };
    size_t near = 0; /* what costs much more is not a rival */
    while (near < n && near < SHOWN && r->wordings[near + 1].a->cost <= r->wordings[0].a->cost + FAR) near++;
    if (n > near && !all) {
        s.text_rows = near;
        s.hidden = near == 0;
        s.more =
            arena_format(&out->arena, "... and %zu more (--no-truncate shows them)", n - near + r->others);
        if (!s.more) return false;
    }
    report_section(out, &s);
    return true;
}

static bool add_sections(struct numel_report *out, struct explain_report *r, bool all)
{
    name_section(out, r->c->ck);
    report_section(out,
                   &(struct section){
                       .form = SECTION_FIELDS, COLUMNS(head_columns), .rows = 1, .row = head_row, .ctx = r });
    report_section(out, &(struct section){ .key = "claim",
                                           .form = SECTION_OBJECT,
                                           .hidden = true,
                                           COLUMNS(claim_columns),
                                           .rows = 1,
                                           .row = claim_row,
                                           .ctx = r });
    add_lines(out, r);
    report_section(out, &(struct section){ .title = "",
                                           .form = SECTION_FIELDS,
                                           COLUMNS(verdict_columns),
                                           .rows = 1,
                                           .row = verdict_row,
                                           .ctx = r });
    report_section(out, &(struct section){ .key = "explanations",
                                           .form = SECTION_LIST,
                                           .hidden = true,
                                           COLUMNS(other_columns),
                                           .rows = r->wording_count,
                                           .row = account_row,
                                           .ctx = r });
    if (!add_others(out, r, all)) return false;
    report_section(out, &(struct section){ .key = "hidden",
                                           .title = "too small to affect the rounded number",
                                           .form = SECTION_LIST,
                                           COLUMNS(hidden_columns),
                                           .rows = r->x.hidden_count,
                                           .row = hidden_row,
                                           .ctx = r,
                                           .hidden = r->x.hidden_count == 0 });
    return true;
}

static void done(void *ctx)
{
    struct explain_report *r = ctx;
    if (r->made) {
        explain_done(&r->x);
        ledger_done(&r->ledger);
    }
}

/* A configuration alone must say what to count. */
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
    return add_sections(out, r, view->all) || error_nomem(e);
}

numel_rc numel_claim(const char *text, uint64_t *value, uint64_t *low, uint64_t *high, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct claim c;
    error_clear(e);
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
    numel_error local, *e = error ? error : &local;
    numel_view seen;
    error_clear(e);
    *out = NULL;
    struct handle *c = border_view(&seen, view, e) ? subject_model(s, e) : NULL;
    *out = c ? report_new(c->memory, "numel.explain/1", e) : NULL;
    return report_made(out, *out && make_explain(*out, number, c, &seen, e), e);
}
