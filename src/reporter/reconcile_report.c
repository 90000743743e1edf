/*
 * reconcile_report.c -- the report of `numel reconcile`.
 *
 *     cause              tensors       elements
 *     formula                310    596,049,920   qwen3, 310 tensors expected
 *     tied copy stored         1   +155,582,464   lm_head.weight
 *     stored                 311    751,632,384
 *     unexplained                             0
 */
#include "model/unknown.h"
#include "reporter/components_words.h"
#include "reporter/handles.h"
#include "reporter/lines.h"
#include "reporter/mixture_section.h"
#include "reporter/reconcile_causes.h"
#include "reporter/sections.h"
#include "base/border.h"
#include "reporter/judgement_section.h"

struct reconcile_report {
    struct handle *c;
    struct terms terms; /* these three are the handle's; empty without an expansion */
    struct roles roles;
    struct unchecked unchecked;
    const numel_checkpoint *ck;
    const numel_judgement *judged;
    const char *architecture, *promised;
    struct toned verdict;
    const struct quantization *quantization;
    const struct mixture_page *mixture; /* for GGUF */
    const char *unknown_line;
    struct unknown *unknown;       /* the inferred formula if no specification fits; else NULL */
    const struct adapter *adapter; /* its type is NULL for a model */
    const struct change *change;
    bool all; /* no list is shortened */
    struct line_table lines;
};

/* ---- head and verdict --------------------------------------------------------------------- */

static void head_row(struct table_row *row, struct cell *c)
{
    const struct reconcile_report *r = row->of;
    if (r->c->model->architecture) c[1] = CELL_T(r->c->model->architecture);
    if (r->unknown) c[2] = CELL_T(r->unknown_line);
    if (r->terms.expression) c[3] = CELL_T(r->terms.expression);
}

static const struct table head_table = TABLE(
    NULL, NULL, SECTION_FIELDS, 0, head_row,
    { "path", "", 0, VIA(CELL_STR, struct reconcile_report, ck, path) }, { "architecture", NULL, 0, MADE },
    { NULL, "architecture", 0, AT(CELL_STR, struct reconcile_report, architecture) },
    { "expression", "expression", 0, VIA(CELL_TEXT, struct reconcile_report, unknown, terms.expression) },
    { NULL, "quantization", 0, VIA(CELL_TEXT, struct reconcile_report, quantization, line) },
    { NULL, "packed", 0, VIA(CELL_TEXT, struct reconcile_report, quantization, packed) },
    { NULL, "unquantized", 0, VIA(CELL_TEXT, struct reconcile_report, quantization, left) },
    { NULL, "index", 0, AT(CELL_TEXT, struct reconcile_report, promised) });

static void verdict_row(struct table_row *row, struct cell *c)
{
    const struct reconcile_report *r = row->of;
    if (r->c->model->x) c[0] = CELL_U(CELL_COUNT, r->c->statement.formula);
    c[1] = CELL_U(CELL_COUNT, r->ck->stored);
    if (r->c->model->x) c[2] = rest_cell(r->c->statement.unexplained);
    if (r->c->model->x)
        c[3] = CELL_U(CELL_BOOL, r->c->statement.agrees && r->judged->verdict == NUMEL_STATE_AGREES);
    if (r->adapter->type && (r->adapter->proven || r->judged->verdict >= NUMEL_STATE_DISAGREES))
        c[3] = CELL_U(CELL_BOOL, r->adapter->proven && r->judged->verdict == NUMEL_STATE_AGREES);
    c[4] = CELL_TONED(r->verdict);
    if (r->unknown) c[5] = CELL_U(CELL_TOTAL, r->ck->stored);
    bool in_part = r->c->statement.in_part || r->c->statement.agrees;
    c[6] = CELL_U(CELL_BOOL, r->c->model->x && in_part && r->judged->verdict == NUMEL_STATE_IN_PART);
}

static const struct table verdict_table =
    TABLE(NULL, "", SECTION_FIELDS, 0, verdict_row, { "formula", NULL, 0, MADE }, { "stored", NULL, 0, MADE },
          { "unexplained", NULL, 0, MADE }, { "agrees", NULL, 0, MADE }, { "verdict", "", 0, MADE },
          { NULL, "stored", 0, MADE }, { "in_part", NULL, 0, MADE });

/* ---- the statement ------------------------------------------------------------------------ */

/* If weights are packed, element counts do not show how much space each line takes, so text shows bytes,
 * too. */
static bool is_packed(const struct tally *t)
{
    bool packed = false;
    for (int i = STATEMENT_QUANT_SCALE; i < STATEMENT_CAUSES; i++)
        packed |= tally_find(t, &statement_codes[i]) != NULL;
    return packed || tally_find(t, &statement_codes[STATEMENT_PACKED]) != NULL;
}

/* Text has two extra rows, the stored total and the unexplained rest. It omits the line of unknown
 * tensors, as these are the rest. */
static void add_statement(struct numel_report *out, struct reconcile_report *r)
{
    const struct statement *s = &r->c->statement;
    r->lines = (struct line_table){
        .tally = &s->tally,
        .shows = LINES_TENSORS | LINES_ZEROS | LINES_GROUND | LINES_BYTES |
                 (is_packed(&s->tally) ? LINES_BYTES_TEXT : 0),
        .unshown = tally_find(&s->tally, &statement_codes[STATEMENT_UNKNOWN]) != NULL,
        .ends = { { .cause = "stored",
                    .tensors = CELL_U(CELL_COUNT, r->ck->registry.count),
                    .elements = CELL_U(CELL_COUNT, s->stored),
                    .bytes = CELL_U(CELL_BYTES, s->bytes) },
                  { .cause = "unexplained", .elements = rest_cell(s->unexplained) } },
        .after = 2,
        .hidden = !r->c->model->x,
    };
    line_sections(out, &r->lines, "statement");
}

/* ---- lists -------------------------------------------------------------------------------- */

static struct cell dims_cell(const uint64_t *dims, uint32_t n)
{
    return (struct cell){ .kind = CELL_DIMS, .dims = dims, .n = n };
}

static void missing_row(struct table_row *row, struct cell *c)
{
    const struct gap *g = row->item;
    c[2] = dims_cell(g->dims, g->ndim);
}

static const struct table missing_table =
    TABLE("missing", "", SECTION_LIST, TABLE_FILLED, missing_row,
          { NULL, "missing", 0, SAID_AS(TONE_BAD, "missing") },
          { "name", "", COLUMN_NAME, AT(CELL_STR, struct gap, name) }, { "shape", "", 0, MADE });

static void mismatched_row(struct table_row *row, struct cell *c)
{
    const struct reconcile_report *r = row->of;
    const struct gap *g = row->item;
    const numel_tensor *t = &r->ck->registry.tensors[g->tensor];
    c[0] = CELL_TONE(g->fit == FIT_TYPE ? "wrong type" : "wrong shape", TONE_BAD);
    c[1] = CELL_S(t->name);
    c[3] = dims_cell(g->dims, g->ndim);
    c[6] = dims_cell(t->dims, t->ndim);
    if (g->fit != FIT_TYPE) return;
    c[4] = CELL_S(g->types);
    c[7] = CELL_S(text_of(t->dtype->name));
}

static const struct table mismatched_table =
    TABLE("mismatched", "", SECTION_LIST, TABLE_FILLED, mismatched_row, { NULL, "", 0, MADE },
          { "name", "", COLUMN_NAME, MADE }, { NULL, "", 0, SAID("expected") }, { "expected", "", 0, MADE },
          { "expected_type", "", COLUMN_TYPE, MADE }, { NULL, "", 0, SAID("found") },
          { "actual", "", 0, MADE }, { "actual_type", "", COLUMN_TYPE, MADE });

static void unexpected_row(struct table_row *row, struct cell *c)
{
    const struct reconcile_report *r = row->of;
    uint32_t n = *(const uint32_t *)row->item;
    const numel_tensor *t = &r->ck->registry.tensors[n];
    c[1] = CELL_S(t->name);
    c[2] = dims_cell(t->dims, t->ndim);
    c[3] = CELL_T(cause_text(model_tensor(r->c->model, n).cause));
}

static const struct table unexpected_table =
    TABLE("unexpected", "", SECTION_LIST, TABLE_FILLED, unexpected_row,
          { NULL, "", 0, SAID_AS(TONE_BAD, "unexpected") }, { "name", "", COLUMN_NAME, MADE },
          { "shape", "", 0, MADE }, { "cause", "", COLUMN_NOTE, MADE });

static const struct table contradiction_table =
    TABLE("contradictions", "", SECTION_LIST, TABLE_FILLED, NULL,
          { NULL, "", 0, SAID_AS(TONE_BAD, "contradiction") },
          { "name", NULL, 0, AT(CELL_STR, struct contradiction, name) },
          { "text", NULL, 0, AT(CELL_TEXT, struct contradiction, text) },
          { NULL, "", COLUMN_WRAP, AT(CELL_TEXT, struct contradiction, said) });

static const struct table reason_table =
    TABLE("reasons", "", SECTION_LIST, TABLE_FILLED, NULL, { NULL, "", 0, SAID("reason") },
          { "key", NULL, 0, AT(CELL_TEXT, struct reason, key) },
          { "declared", NULL, 0, AT(CELL_NUMBER, struct reason, declared) },
          { "found", NULL, 0, AT(CELL_NUMBER, struct reason, found) },
          { "weights", NULL, 0, AT(CELL_COUNT, struct reason, weights) },
          { "text", NULL, 0, AT(CELL_TEXT, struct reason, said) },
          { NULL, "", COLUMN_WRAP, AT(CELL_TEXT, struct reason, said) });

static const struct table unchecked_table = TABLE(
    "unchecked", "", SECTION_LIST, TABLE_FILLED, NULL, { NULL, "", 0, SAID_AS(TONE_SOFT, "not checked") },
    { "name", "", COLUMN_NAME, AT(CELL_STR, struct unchecked_item, name) },
    { "tensors", "", COLUMN_RIGHT, AT(CELL_COUNT, struct unchecked_item, tensors) },
    { "elements", NULL, 0, AT(CELL_COUNT, struct unchecked_item, elements) },
    { "code", NULL, 0, AT(CELL_TEXT, struct unchecked_item, code) },
    { NULL, "", COLUMN_NOTE, AT(CELL_TEXT, struct unchecked_item, why) });

/* Shortens a list in text unless all rows are wanted; `of` has their causes. */
NUMEL_MUST static bool add_list(struct numel_report *out, const struct reconcile_report *r, size_t shown,
                                const uint32_t *of, struct section *s)
{
    return r->all || folded_list(out, r->change, of, s, shown);
}

NUMEL_MUST static bool add_lists(struct numel_report *out, const struct reconcile_report *r)
{
    const struct change *ch = r->change;
    const struct differences *d = &r->c->model->differences;
    const struct gap *wrong = d->gaps ? d->gaps + d->missing : NULL;
    const struct unchecked *u = &r->unchecked;
    enum { MANY = 20, FEW = 6 };
    bool in_part = r->c->statement.in_part && r->judged->verdict == NUMEL_STATE_IN_PART;
    if (!cause_lines(out, ch, r->all) ||
        !add_list(out, r, MANY, ch->gaps, report_list(out, &missing_table, ROWS(d->gaps, d->missing), r)) ||
        !add_list(out, r, MANY, ch->unexpected,
                  report_list(out, &unexpected_table, ROWS(d->unexpected, d->unexpected_count), r)) ||
        !add_list(out, r, MANY, ch->gaps ? ch->gaps + d->missing : NULL,
                  report_list(out, &mismatched_table, ROWS(wrong, d->mismatched), r)) ||
        !add_list(out, r, MANY, ch->contradictions,
                  report_list(out, &contradiction_table, ROWS(d->contradictions, d->contradiction_count), r)))
        return false;
    struct section *reasons = report_list(out, &reason_table, ROWS(d->reasons, d->reason_count), NULL);
    reasons->hidden |= ch->by_configuration; /* its cause states it */
    struct section *unchecked = report_list(out, &unchecked_table, ROWS(u->items, u->count), NULL);
    unchecked->hidden |= !in_part;
    if (!r->all) report_shorten(out, reasons, MANY);
    if (!r->all) report_shorten(out, unchecked, FEW);
    return true;
}

/* ---- counts ------------------------------------------------------------------------------- */

static const struct table count_table = TABLE(
    "counts", "", SECTION_OBJECT, 0, NULL, { "logical", NULL, 0, AT(CELL_COUNT, struct counts, logical) },
    { "unique", NULL, 0, AT(CELL_COUNT, struct counts, unique) },
    { "parameters", "parameters", 0, AT(CELL_TOTAL, struct counts, parameters) },
    { "buffers", NULL, 0, AT(CELL_COUNT, struct counts, buffers) },
    { "non_embedding", "non-embedding", 0, AT(CELL_TOTAL, struct counts, non_embedding) },
    { "active", "active", 0, AT_IF(has_active, CELL_TOTAL, struct counts, active) });

static const struct table role_table = TABLE(
    "roles", NULL, SECTION_LIST, TABLE_HIDDEN, NULL, { "role", NULL, 0, AT(CELL_STR, struct role_sum, role) },
    { "elements", NULL, 0, AT(CELL_COUNT, struct role_sum, elements) });

/* ---- the report --------------------------------------------------------------------------- */

/* "agrees in part: ...; 437 tensors are not checked: another tower (437)" */
static struct toned partly(struct reconcile_report *r)
{
    const struct statement *s = &r->c->statement;
    struct arena *a = &r->c->model->arena;
    char n[TEXT_NUMBER];
    struct buffer b;
    const char *sep = ": ";
    buffer_init(&b, a->memory);
    buffer_text(&b, "agrees in part");
    size_t verdict = b.n;
    buffer_text(&b, ": all expected tensors are present");
    if (r->c->model->inferred)
        buffer_text(&b, "; some sizes are in no configuration and are inferred from the tensors");
    uint64_t open = model_packing(r->c->model).open;
    if (open) {
        const char *solutions = solutions_text(r->c, a);
        text_number(n, open);
        if (solutions && !*solutions)
            buffer_format(&b, "; %s packed weight%s recognised by name only: logical size unknown", n,
                          open == 1 ? " is" : "s are");
        else
            buffer_format(&b, "; %s packed weight%s may be %s, their shapes are the same", n,
                          open == 1 ? "" : "s", solutions ? solutions : "");
        b.failed |= !solutions;
    }
    if (r->c->model->differences.grounds[GROUND_NAME])
        buffer_format(&b, "; %s %s not checked",
                      text_number(n, r->c->model->differences.grounds[GROUND_NAME]),
                      r->c->model->differences.grounds[GROUND_NAME] == 1 ? "tensor is" : "tensors are");
    for (size_t i = 0; i < s->tally.count; i++) {
        const struct tally_line *l = s->tally.lines[i];
        if (l->unchecked == 0) continue;
        buffer_format(&b, "%s%s (%s)", sep, l->cause, text_number(n, l->unchecked));
        sep = ", ";
    }
    return toned_keep(&b, a, TONE_PART, verdict);
}

/* "FILE: what is wrong", with the file escaped. */
static const char *broken_text(struct reconcile_report *r)
{
    const numel_error *why = &r->c->model->why;
    char file[TEXT_QUOTE];
    if (!why->file[0]) return why->what;
    const char *text =
        arena_format(&r->c->model->arena, "%s: %s", text_bare(file, text_of(why->file)), why->what);
    return text ? text : why->what;
}

static bool has_wrong_type(const struct differences *s)
{
    for (size_t i = s->missing; i < s->missing + s->mismatched; i++)
        if (s->gaps[i].fit == FIT_TYPE) return true;
    return false;
}

static struct toned agrees_text(struct reconcile_report *r)
{
    struct model *m = r->c->model;
    bool more = r->ck->registry.count > m->x->totals.parameter_tensors;
    const char *others = more ? "the others are accounted for" : "and no others",
               *bare = unscaled_text(m, &m->arena), *tied = tied_clauses(&r->c->tied, m, false, &m->arena);
    const char *loads = model_is_gguf(m) && registry_find(&m->ck->registry, text_of("rope_freqs.weight"))
                            ? "; rope_freqs.weight is unknown to llama.cpp before July 2024 (update it)"
                            : "";
    if (!bare || !tied) return (struct toned){ NULL, TONE_NONE, 0 };
    return toned_format(&m->arena, TONE_GOOD, "agrees", ": all expected tensors are present, %s%s%s%s",
                        others, bare, tied, loads);
}

/* The first cause outside the statement, such as bytes or a loader, that makes the verdict worse. NULL if
 * there is none. */
static const numel_cause *worse_cause(const struct reconcile_report *r)
{
    const struct statement *s = &r->c->statement;
    numel_state own = s->agrees ? NUMEL_STATE_AGREES : NUMEL_STATE_IN_PART;
    if ((!s->agrees && !s->in_part) || r->judged->verdict <= own) return NULL;
    for (size_t i = 0; i < r->judged->cause_count; i++)
        if (r->judged->causes[i].state == r->judged->verdict) return &r->judged->causes[i];
    return NULL;
}

static struct toned worse_text(const struct reconcile_report *r, const numel_cause *cause)
{
    const char *state =
        cause->state == NUMEL_STATE_IN_PART ? "agrees in part" : numel_state_name(cause->state);
    return toned_format(&r->c->model->arena, tone_of_state(cause->state), state, ": %s, but %s",
                        r->ck->named ? "the index names all expected tensors"
                                     : "all expected tensors are present",
                        cause->text);
}

/* The adapter's own verdict, unless bytes or a loader make it worse. */
static struct toned adapted_text(const struct reconcile_report *r, struct arena *a)
{
    const numel_judgement *j = r->judged;
    numel_state own = r->adapter->complaint_count ? NUMEL_STATE_DISAGREES
                      : r->adapter->proven        ? NUMEL_STATE_AGREES
                                                  : NUMEL_STATE_IN_PART;
    for (size_t i = 0; i < j->cause_count && j->verdict > own; i++)
        if (j->causes[i].state == j->verdict)
            return toned_format(a, tone_of_state(j->verdict), numel_state_name(j->verdict), ": %s",
                                j->causes[i].text);
    return adapter_verdict(r->adapter, a);
}

static struct toned verdict_of(struct reconcile_report *r)
{
    struct arena *a = &r->c->model->arena;
    const struct statement *s = &r->c->statement;
    const struct differences *d = &r->c->model->differences;
    if (r->adapter->type && (!r->c->model->x || r->adapter->proven)) return adapted_text(r, a);
    if (r->c->model->broken)
        return toned_format(a, TONE_NONE, "", "invalid configuration, no formula: %.300s", broken_text(r));
    if (!r->c->model->x)
        return toned_format(a, TONE_BAD, "no", " formula: %.300s",
                            r->c->model->why.what[0] ? r->c->model->why.what
                                                     : "no configuration was found (--config)");
    const numel_cause *worse = worse_cause(r);
    if (worse) return worse_text(r, worse);
    if (s->agrees) return agrees_text(r);
    if (s->in_part) return partly(r);
    const char *more_text = d->contradiction_count == 0 ? ""
                            : d->contradiction_count == 1
                                ? ", 1 contradiction"
                                : arena_format(a, ", %zu contradictions", d->contradiction_count);
    if (!more_text) return (struct toned){ NULL, TONE_NONE, 0 };
    return toned_format(a, TONE_BAD, "disagrees",
                        ": %zu missing, %zu of the wrong shape%s, %zu unexpected%s%s", d->missing,
                        d->mismatched, has_wrong_type(d) ? " or type" : "", d->unexpected_count, more_text,
                        r->ck->missing ? "; shards are missing" : "");
}

NUMEL_MUST static bool add_sections(struct numel_report *out, struct reconcile_report *r, numel_error *e)
{
    name_section(out, r->ck);
    if (!promised_section(out, r->c->model, &r->promised, e)) return false;
    report_one(out, &head_table, r);
    if (!unknown_components(out, r->c->model, r->adapter, e) || !adapter_sections(out, r->adapter, e) ||
        !training_section(out, r->c->model, e))
        return false;
    if (r->unknown) unknown_sections(out, r->unknown);
    else formula_symbols(out, &r->terms, r->terms.symbol_count == 0);
    add_statement(out, r);
    report_one(out, &verdict_table, r);
    return true;
}

/* Makes the model and what the report needs of its formula. An adapter has no formula of its own. */
NUMEL_MUST static bool take_model(struct reconcile_report *r, numel_error *e)
{
    if (!report_ready(r->c, e)) return false;
    r->adapter = adapter_of(r->c, e);
    if (!r->adapter || !r->c->model->x) return r->adapter != NULL;
    const struct terms *terms = handle_terms(r->c, e);
    const struct roles *roles = terms ? handle_roles(r->c, e) : NULL;
    const struct unchecked *unchecked = roles ? handle_unchecked(r->c, e) : NULL;
    if (!unchecked) return false;
    r->terms = *terms;
    r->roles = *roles;
    r->unchecked = *unchecked;
    return true;
}

/* Infers a formula from tensors and integers if no specification fits. */
NUMEL_MUST static bool infer_formula(struct numel_report *out, struct reconcile_report *r, numel_error *e)
{
    r->unknown = arena_alloc(&out->arena, sizeof *r->unknown);
    if (!r->unknown) return error_nomem(e);
    if (!unknown_architecture(&r->unknown_line, r->c->model, true, &out->arena, e)) return false;
    return unknown_make(r->unknown, r->ck, r->c->model->config, &out->arena, e);
}

NUMEL_MUST static bool make_reconcile(struct numel_report *out, struct handle *c, const numel_view *view,
                                      numel_error *e)
{
    struct reconcile_report *r = arena_alloc(&out->arena, sizeof *r);
    if (!r) return error_nomem(e);
    *r = (struct reconcile_report){ .c = c, .ck = c->ck, .all = view->all };
    if (!take_model(r, e)) return false;
    if (!r->adapter->type && !r->c->model->x && !r->c->model->entry && !r->c->model->broken &&
        !r->c->model->other && !infer_formula(out, r, e))
        return false;
    r->architecture = architecture_line(r->c->model);
    r->quantization = quantization_of(r->c, &out->arena, e);
    if (!r->quantization || !(r->mixture = mixture_of(r->ck, &out->arena, e))) return false;
    r->judged = judgement_of(c, e);
    if (!r->judged) return false;
    r->verdict = verdict_of(r);
    if (!r->verdict.text || r->c->model->arena.failed) return error_nomem(e);
    r->change = change_of(c, e);
    if (!r->change || !judgement_section(out, r->judged, e)) return false;
    report_judge(out, r->judged->verdict, NUMEL_STATE_DISAGREES);
    out->quiet_nothing = !r->c->model->x;
    out->quiet =
        r->c->model->x && r->c->statement.unexplained > 0 ? (uint64_t)r->c->statement.unexplained : 0;
    if (!add_sections(out, r, e)) return false;
    struct section *counts = report_one(out, &count_table, &c->model->counts);
    counts->null = counts->hidden = !c->model->x;
    stored_quantization(out, r->quantization, r->mixture);
    if (!ground_section(out, r->c, r->adapter, e)) return false;
    report_list(out, &role_table, ROWS(r->roles.items, r->roles.count), NULL);
    if (!add_lists(out, r)) return error_nomem(e);
    return around_section(out, r->ck->heads ? r->ck->dir : NULL, NULL, true, e);
}

numel_rc numel_report_reconcile(numel_report **out, numel_subject *s, const numel_view *view,
                                numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    size_t members;
    *out = NULL;
    if (!border_view(&seen, view, e) || !subject_names(s, e) || !subject_members(s, &members, e))
        return e->code;
    if (members) return components_report(out, s, false, e);
    struct handle *c = subject_stored(s, e);
    *out = c ? report_new(c->memory, "numel.reconcile/1", e) : NULL;
    return report_made(out, *out && make_reconcile(*out, c, &seen, e), e);
}
