/*
 * explain_report.c -- the report of `numel explain`: the best account as a statement, then the others.
 *
 *     cause                tensors       elements
 *     parameters               291  6,738,415,616  llama
 *     without output head        1   -131,072,000  lm_head.weight; a base model, or counted as tied
 *     6607.34M                 290  6,607,343,616
 *     difference                                0
 */
#include "explain/explain.h"
#include "reporter/handles.h"
#include "reporter/sections.h"

#include "base/num.h"

enum { SHOWN = 8, LISTED = 64, LINES_MOST = STEPS_MOST + 40, CLOSE = 2, FAR = 6 };

struct told_line {
    const char *cause, *detail; /* ours, or escaped */
    uint64_t tensors;
    int64_t elements;
};

struct wording { /* an account in words */
    const struct account *a;
    struct told_line *lines;
    unsigned count;
    const char *joined; /* "parameters, without output head" */
    const char *json;
};

struct explain_report {
    struct numel_model *c;
    struct ledger ledger;
    struct explanation x;
    struct wording *wordings;
    size_t wording_count, others;
    const char *path, *architecture, *claimed, *verdict;
    bool made; /* ledger and x are there */
};

/* ---- lines -------------------------------------------------------------------------------- */

static const char *shown_name(struct arena *a, numel_str name)
{
    char quoted[TEXT_QUOTE];
    const char *q = text_quote(quoted, name);
    return arena_format(a, "%.*s", (int)strlen(q) - 2, q + 1);
}

struct touched { /* the entries that a step changes */
    const struct entry *first;
    uint64_t tensors;
};

static struct touched find_touched(const struct explanation *x, const struct counting *c, uint64_t before,
                                   uint64_t after)
{
    struct touched t = { NULL, 0 };
    for (size_t i = 0; i < x->ledger->count; i++) {
        const struct entry *n = &x->ledger->entries[i];
        bool was = explain_takes(c, before, n), is = explain_takes(c, after, n);
        if (was == is && (!is || explain_size(x, c, before, n) == explain_size(x, c, after, n))) continue;
        if (!t.first) t.first = n;
        t.tensors += n->tensors / c->divide;
    }
    return t;
}

/* "a.weight and 31 more; note" */
static const char *touched_detail(const struct explanation *x, const struct touched *t, const char *note)
{
    struct arena *a = x->ledger->arena;
    char count[TEXT_NUMBER];
    bool named = t->first && t->first->name.p;
    const char *what = !t->first ? "" : shown_name(a, named ? t->first->name : t->first->role);
    const char *more = "", *dash = note && note[0] && t->first ? "; " : "";
    if (t->first && t->first->described) what = shown_name(a, text_of(t->first->described));
    if (named && t->tensors > 1) more = arena_format(a, " and %s more", text_number(count, t->tensors - 1));
    if (!what || !more) return NULL;
    return arena_format(a, "%s%s%s%s", what, more, dash, note ? note : "");
}

static bool add_line(struct wording *t, const char *cause, const char *detail, uint64_t tensors,
                     int64_t elements)
{
    t->lines[t->count++] = (struct told_line){ cause, detail, tensors, elements };
    return detail != NULL;
}

static const char *start_detail(const struct explanation *x, const struct counting *c)
{
    struct touched t = { NULL, c->tensors };
    if (!c->scope) return c->detail;
    for (size_t i = 0; i < x->ledger->count && !t.first; i++)
        if (explain_takes(c, 0, &x->ledger->entries[i])) t.first = &x->ledger->entries[i];
    return touched_detail(x, &t, c->detail);
}

static const char *dimension_detail(const struct explanation *x, const struct account *a, int64_t change)
{
    char is[TEXT_NUMBER], was[TEXT_NUMBER];
    const struct dimension_value *d = &x->ledger->dimensions[a->dimension];
    const char *factors = explain_factors(x, change);
    return arena_format(x->ledger->arena, "%s = %s, not %s%s%s", d->symbol, text_number(is, a->resized),
                        text_number(was, (uint64_t)d->value), factors[0] ? "; " : "", factors);
}

/* What is stored, as reconcile says it. */
static bool stored_lines(const struct statement *s, struct wording *t)
{
    for (size_t i = 0; i < s->tally.count; i++) {
        const struct tally_line *l = s->tally.lines[i];
        add_line(t, l->cause, l->detail, (uint64_t)l->tensors, l->elements);
    }
    return true;
}

static bool step_lines(const struct explanation *x, struct wording *t, uint64_t *value)
{
    const struct counting *c = &x->countings[t->a->counting];
    uint64_t taken = 0;
    for (unsigned i = 0; i < step_rows; i++) {
        if (!(t->a->steps >> i & 1)) continue;
        uint64_t now = taken | UINT64_C(1) << i;
        uint64_t next = explain_value(x, c, now);
        struct touched touched = find_touched(x, c, taken, now);
        if (!add_line(t, steps[i].name, touched_detail(x, &touched, steps[i].note), touched.tensors,
                      (int64_t)next - (int64_t)*value))
            return false;
        taken = now;
        *value = next;
    }
    return true;
}

static bool tell_lines(const struct explanation *x, struct wording *t)
{
    const struct account *a = t->a;
    const struct counting *c = &x->countings[a->counting];
    uint64_t value = c->value;
    bool ok = c->stored ? stored_lines(&x->ledger->c->statement, t)
                        : add_line(t, c->name, start_detail(x, c), c->tensors, (int64_t)value);
    if (!ok || !step_lines(x, t, &value)) return false;
    int64_t change = (int64_t)a->counted - (int64_t)value;
    if (a->dimension != NO_DIMENSION &&
        !add_line(t, dimension_rows[a->dimension].name, dimension_detail(x, a, change), 0, change))
        return false;
    return !a->unit || add_line(t, unit_errors[a->unit].name, unit_errors[a->unit].detail, 0,
                                (int64_t)a->shown - (int64_t)a->counted);
}

static const char *join(const struct explanation *x, struct arena *arena, const struct wording *t)
{
    const struct counting *c = &x->countings[t->a->counting];
    struct buffer b;
    buffer_init(&b, arena->memory);
    if (c->stored) buffer_text(&b, c->name);
    for (unsigned i = c->stored ? t->count : 0; i < t->count; i++) {
        bool solved = t->a->dimension != NO_DIMENSION && i + 1 + (t->a->unit != 0) == t->count;
        buffer_format(&b, "%s%s", i ? ", " : "", t->lines[i].cause);
        if (solved) buffer_format(&b, " (%.*s)", (int)strcspn(t->lines[i].detail, ";"), t->lines[i].detail);
    }
    if (t->a->reading) buffer_format(&b, " (%s)", claim_reading_text((enum claim_reading)t->a->reading));
    const char *text = b.failed ? NULL : arena_text(arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

static const char *json_of(struct arena *arena, const struct wording *t)
{
    struct buffer b;
    buffer_init(&b, arena->memory);
    for (unsigned i = 0; i < t->count; i++) {
        const struct told_line *l = &t->lines[i];
        buffer_text(&b, i ? ",{\"cause\":" : "[{\"cause\":");
        text_json(&b, text_of(l->cause));
        buffer_text(&b, ",\"detail\":");
        text_json(&b, text_of(l->detail));
        buffer_format(&b, ",\"tensors\":%" PRIu64 ",\"elements\":%" PRId64 "}", l->tensors, l->elements);
    }
    buffer_char(&b, ']');
    const char *text = b.failed ? NULL : arena_text(arena, b.p, b.n);
    buffer_done(&b);
    return text;
}

static bool tell(struct explain_report *r, bool all, numel_error *e)
{
    const struct explanation *x = &r->x;
    struct arena *arena = r->ledger.arena;
    size_t n = all ? x->count : num_min(x->count, LISTED);
    r->wordings = arena_alloc(arena, (n + 1) * sizeof *r->wordings);
    if (!r->wordings) return error_nomem(e);
    for (; r->wording_count < n; r->wording_count++) {
        struct wording *t = &r->wordings[r->wording_count];
        *t = (struct wording){ .a = &x->accounts[r->wording_count] };
        t->lines = arena_alloc(arena, LINES_MOST * sizeof *t->lines);
        if (!t->lines || !tell_lines(x, t) || !(t->joined = join(x, arena, t)) ||
            !(t->json = json_of(arena, t)))
            return error_nomem(e);
    }
    r->others = x->count - n;
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
    c[0] = CELL_S(text_of(r->path));
    if (u->architecture) c[1] = CELL_T(u->architecture);
    if (!u->x) c[2] = CELL_T("not known; what the tensors are is taken from their names");
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

static const struct column line_columns[] = {
    { NULL, "cause", 0 },
    { NULL, "tensors", COLUMN_RIGHT },
    { NULL, "elements", COLUMN_RIGHT },
    { NULL, "", COLUMN_NAME },
};

static struct cell signed_cell(int64_t v)
{
    return v ? (struct cell){ .kind = CELL_SIGNED, .i = v } : CELL_U(CELL_COUNT, 0);
}

/* Two rows behind the lines: what they make, and what is left. */
static void line_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct explain_report *r = ctx;
    const struct wording *t = &r->wordings[0];
    (void)depth;
    if (i < t->count) {
        c[0] = CELL_T(t->lines[i].cause);
        if (t->lines[i].tensors) c[1] = CELL_U(CELL_COUNT, t->lines[i].tensors);
        c[2] = i ? (struct cell){ .kind = CELL_SIGNED, .i = t->lines[i].elements }
                 : CELL_U(CELL_COUNT, (uint64_t)t->lines[i].elements);
        c[3] = CELL_T(t->lines[i].detail);
    } else if (i == t->count) {
        c[0] = r->x.fits ? CELL_S(text_of(r->x.claim.text)) : CELL_T("nearest");
        c[2] = CELL_U(CELL_COUNT, t->a->shown);
        if (r->x.fits && !r->x.claim.n.exact) c[3] = CELL_T("within what the digits say");
    } else {
        c[0] = CELL_T(r->x.fits ? "difference" : "unexplained");
        c[2] = signed_cell(t->a->rest);
        c[3] = CELL_T(explain_factors(&r->x, t->a->rest));
    }
}

/* clang-format off */
static const struct column other_columns[] = {
    { "cost", NULL, 0 },  { "causes", NULL, 0 }, { "value", "also", COLUMN_RIGHT },
    { "remainder", NULL, 0 }, { "reading", NULL, 0 }, { NULL, "", COLUMN_NAME },
};
/* clang-format on */

static void other_cells(const struct wording *t, struct cell *c)
{
    c[0] = CELL_U(CELL_NUMBER, t->a->cost);
    c[1] = (struct cell){ .kind = CELL_RAW, .t = t->json };
    c[2] = CELL_U(CELL_COUNT, t->a->shown);
    c[3] = t->a->rest ? (struct cell){ .kind = CELL_SIGNED, .i = t->a->rest } : CELL_U(CELL_NUMBER, 0);
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

static const struct column hidden_columns[] = { { "elements", "not shown by these digits", COLUMN_RIGHT },
                                                { "cause", "", COLUMN_NAME } };

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
    c[3] = rest ? (struct cell){ .kind = CELL_SIGNED, .i = rest } : CELL_U(CELL_NUMBER, 0);
    c[4] = CELL_U(CELL_NUMBER, r->others);
    c[5] = CELL_T(r->verdict);
}

/* ---- words -------------------------------------------------------------------------------- */

static const char *claim_line(const struct explanation *x, struct arena *a)
{
    char low[TEXT_NUMBER], high[TEXT_NUMBER];
    if (x->claim.n.exact) return arena_format(a, "%s, exact", text_number(low, x->claim.n.value));
    return arena_format(a, "%s: %s to %s", x->claim.text, text_number(low, x->low),
                        text_number(high, x->high - 1));
}

/* Why an account that fits is no explanation. */
static const char *chance_of(const struct explanation *x, struct arena *a)
{
    const struct account *best = &x->accounts[0];
    unsigned percent = (x->met + 5) / 10;
    if (best->loose)
        return arena_format(a, "possible, may be chance: %s explains no rounded figure",
                            best->unit                    ? unit_errors[best->unit].name
                            : best->reading == CLAIM_NAME ? "a name"
                                                          : x->countings[best->counting].name);
    if (x->tied)
        return "possible, may be chance: another account fits as well, and the digits do not show which";
    if (best->cost > explain_bits_most(x))
        return arena_format(a,
                            "possible, may be chance: it takes %u bits to say, and these digits allow for %u",
                            best->cost, explain_bits_most(x));
    if (percent == 0) return "possible, may be chance: too many accounts are as cheap as this one";
    return arena_format(a, "possible, may be chance: an account as cheap fits %u %% of all such figures",
                        percent);
}

static const char *verdict_of(const struct explain_report *r, struct arena *a)
{
    const struct explanation *x = &r->x;
    char rest[TEXT_NUMBER];
    size_t close = 0;
    if (!x->count) return "not explained: the model has nothing to count";
    const struct account *best = &x->accounts[0];
    uint64_t size = best->rest < 0 ? 0 - (uint64_t)best->rest : (uint64_t)best->rest;
    if (!x->fits)
        return arena_format(a,
                            "not explained: no way of counting that is known gives it; the nearest leaves %s",
                            text_number(rest, size));
    if (!x->explained) return chance_of(x, a);
    while (close + 1 < x->count && x->accounts[close + 1].cost <= best->cost + CLOSE) close++;
    const char *how = x->claim.n.exact ? "explained to the last element" : "explained within its digits";
    if (x->claim.n.exact && best->dimension != NO_DIMENSION)
        how = "explained to the last element, with one size solved for";
    if (best->reading)
        how = arena_format(a, "explained: %s", claim_reading_text((enum claim_reading)best->reading));
    if (!how || close == 0) return how;
    return arena_format(a, "%s; %zu other %s about as well", how, close,
                        close == 1 ? "account fits" : "accounts fit");
}

/* ---- the report --------------------------------------------------------------------------- */

#define COLUMNS(c) .columns = (c), .column_count = sizeof(c) / sizeof *(c)

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
    size_t near = 0; /* what costs much more is no rival */
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

static bool add_sections(struct numel_report *out, const struct explain_report *r, bool all)
{
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
    report_section(out, &(struct section){ .title = "",
                                           .form = SECTION_LIST,
                                           .headed = true,
                                           COLUMNS(line_columns),
                                           .rows = r->wording_count ? r->wordings[0].count + 2 : 0,
                                           .row = line_row,
                                           .ctx = r,
                                           .hidden = r->wording_count == 0 });
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
                                           .title = "",
                                           .form = SECTION_LIST,
                                           .headed = true,
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

/* A configuration alone must tell what to count. */
static bool take_model(struct explain_report *r, numel_error *e)
{
    if (!report_ready(r->c, e)) return false;
    if (r->c->model->x || r->c->ck) return true;
    *e = r->c->model->why;
    return error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE,
                     "no configuration: give a config.json (--config), or --arch NAME and --set SYM=N");
}

static bool make_explain(struct numel_report *out, const char *number, struct numel_model *c,
                         const numel_view *view, numel_error *e)
{
    struct explain_report *r = arena_alloc(&out->arena, sizeof *r);
    struct claim claim;
    if (!r) return error_nomem(e);
    *r = (struct explain_report){ .c = c, .path = c->path };
    out->done = done;
    out->done_ctx = r;
    if (!claim_read(&claim, number, e)) return false;
    if (!take_model(r, e) || !ledger_make(&r->ledger, r->c, e)) return false;
    if (!explain(&r->x, &claim, &r->ledger, e)) return ledger_done(&r->ledger), false;
    r->made = true;
    r->architecture = architecture_line(r->c->model);
    r->claimed = claim_line(&r->x, &out->arena);
    r->verdict = verdict_of(r, &out->arena);
    if (!tell(r, view->all, e)) return false;
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
    *value = c.n.value;
    claim_window(&c, CLAIM_WRITTEN, low, high);
    return NUMEL_OK;
}

numel_rc report_explain_of(numel_report **out, const char *number, struct numel_model *c,
                           const numel_view *view, numel_error *e)
{
    *out = report_new(c->memory, "numel.explain/1", e);
    return report_made(out, *out && make_explain(*out, number, c, view, e), e);
}

numel_rc numel_report_explain(numel_report **out, const char *number, const numel_checkpoint *ck,
                              const char *path, const numel_knowledge *k, const numel_view *view,
                              numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    *out = NULL;
    struct numel_model *c = handle_new(ck, path, k, true, ck ? ck->arena.memory : &memory_malloc, e);
    if (c) report_explain_of(out, number, c, view, e);
    return report_owns(*out, c, e);
}
