/* formula_report.c -- the report of `numel formula`: symbols with evidence, terms, total. */
#include "reporter/judgement_section.h"
#include "reporter/handles.h"
#include "reporter/sections.h"

#include "memory/memory.h"
#include "model/unknown.h"
#include "base/border.h"

/* ---- shared with reconcile ---------------------------------------------------------------- */

static void symbol_row(struct table_row *row, struct cell *c)
{
    const struct term_symbol *s = row->item;
    c[1] = (struct cell){ .kind = s->value < 0 ? CELL_SIGNED : CELL_COUNT,
                          .i = s->value,
                          .u = (uint64_t)s->value };
    c[2] = CELL_T(evidence_name(s->evidence));
}

static const struct table symbol_table =
    TABLE("symbols", "", SECTION_LIST, TABLE_HEADED, symbol_row,
          { "name", "symbol", 0, AT(CELL_TEXT, struct term_symbol, name) },
          { "value", "value", COLUMN_RIGHT, MADE }, { "evidence", "evidence", 0, MADE },
          { "from", "from", COLUMN_NOTE, AT(CELL_STR, struct term_symbol, from) });

void formula_symbols(struct numel_report *r, const struct terms *t, bool hidden)
{
    report_list(r, &symbol_table, ROWS(t->symbols, t->symbol_count), NULL)->hidden = hidden;
}

const char *architecture_line(struct model *u)
{
    const char *from = u->from ? u->from : "given";
    if (u->other) return u->other->name;
    if (!u->architecture) return NULL;
    return arena_format(&u->arena, "%s (by %s)", u->called, path_shown(from));
}

/* ---- sizes under a name that the class does not read ---------------------------------------- */

struct unread {
    struct arena *arena;
    const struct terms *terms;
    struct config_unread *items;
    size_t count, room;
    bool failed;
};

/* The specification may read a key that the class ignores, if the family's code ships with the model. */
static bool is_read(const struct terms *t, numel_str key)
{
    for (size_t i = 0; i < t->symbol_count; i++)
        if (text_equal(key, t->symbols[i].from)) return true;
    return false;
}

static void tell_unread(void *ctx, const struct config_unread *x)
{
    struct unread *u = ctx;
    if (is_read(u->terms, x->key) || u->failed) return;
    struct config_unread *items = arena_grow(u->arena, u->items, u->count, &u->room, sizeof *items);
    u->failed = !items;
    if (u->failed) return;
    u->items = items;
    u->items[u->count++] = *x;
}

static const struct table unread_table =
    TABLE("unread", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, NULL,
          { "key", "not read", 0, AT(CELL_STR, struct config_unread, key) },
          { "value", "value", COLUMN_RIGHT, AT(CELL_COUNT, struct config_unread, value) },
          { "class", "class", 0, AT(CELL_STR, struct config_unread, class) },
          { "instead", "reads", 0, AT(CELL_STR, struct config_unread, read) },
          { "default", "default", COLUMN_RIGHT, AT(CELL_COUNT, struct config_unread, used) });

/* ---- the report --------------------------------------------------------------------------- */

struct formula_report {
    struct model *model;
    const struct terms *terms;
    const char *architecture, *cache;
    struct unknown unknown; /* replaces terms if no specification fits the checkpoint */
};

static const struct table head_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, NULL,
          { "architecture", NULL, 0, VIA(CELL_TEXT, struct formula_report, model, architecture) },
          { NULL, "architecture", 0, AT(CELL_STR, struct formula_report, architecture) });

static void term_row(struct table_row *row, struct cell *c)
{
    const struct formula_report *f = row->of;
    const struct term *t = row->item;
    if (!t->buffer) c[5] = (struct cell){ .kind = CELL_SHARE, .u = t->total, .n = f->terms->total };
    c[7] = CELL_T(evidence_name(t->evidence));
}

static const struct table term_table =
    TABLE("terms", "", SECTION_LIST, TABLE_HEADED, term_row,
          { "role", "role", COLUMN_ROLE, AT(CELL_STR, struct term, role) },
          { "expr", "formula", COLUMN_NAME, AT(CELL_TEXT, struct term, expr) },
          { "each", "each", COLUMN_RIGHT | COLUMN_RANK(2), AT(CELL_COUNT, struct term, each) },
          { "times", "times", COLUMN_RIGHT | COLUMN_RANK(8), AT(CELL_COUNT, struct term, times) },
          { "total", "total", COLUMN_RIGHT, AT(CELL_COUNT, struct term, total) },
          { NULL, "share", COLUMN_RIGHT | COLUMN_RANK(1) | COLUMN_BAR, MADE },
          { "buffer", NULL, 0, AT(CELL_BOOL, struct term, buffer) }, { "evidence", NULL, 0, MADE });

static void total_row(struct table_row *row, struct cell *c)
{
    const struct formula_report *f = row->of;
    c[3] = CELL_U(CELL_COUNT, model_formula(f->model)->totals.parameter_tensors);
    c[4] = CELL_U(CELL_COUNT, model_formula(f->model)->totals.buffers);
}

static const struct table total_table =
    TABLE(NULL, "", SECTION_FIELDS, 0, total_row,
          { "expression", "expression", 0, VIA(CELL_TEXT, struct formula_report, terms, expression) },
          { "total", NULL, 0, VIA(CELL_COUNT, struct formula_report, terms, total) },
          { NULL, "total", 0, VIA(CELL_TOTAL, struct formula_report, terms, total) },
          { "tensors", "tensors", 0, MADE }, { "buffers", "buffers", 0, MADE },
          { "cache", "cache", COLUMN_NOTE, AT(CELL_STR, struct formula_report, cache) });

static void add_sections(struct numel_report *r, const struct formula_report *f, const struct unread *unread)
{
    report_one(r, &head_table, f);
    formula_symbols(r, f->terms, false);
    report_list(r, &unread_table, ROWS(unread->items, unread->count), NULL);
    report_list(r, &term_table, ROWS(f->terms->items, f->terms->count), f);
    report_one(r, &total_table, f);
}

/* ---- no spec fits ------------------------------------------------------------------------- */

static void unknown_row(struct table_row *row, struct cell *c)
{
    const struct formula_report *f = row->of;
    c[6] = CELL_U(CELL_COUNT, f->model->ck->registry.count);
}

static const struct table unknown_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, unknown_row,
          { NULL, "architecture", 0, AT(CELL_TEXT, struct formula_report, architecture) },
          { "architecture", NULL, 0, MADE },
          { "expression", "expression", 0, AT(CELL_TEXT, struct formula_report, unknown.terms.expression) },
          { "total", NULL, 0, AT(CELL_COUNT, struct formula_report, unknown.terms.total) },
          { NULL, "total", 0, AT(CELL_TOTAL, struct formula_report, unknown.terms.total) },
          { "agrees", NULL, 0, MADE }, { "tensors", "tensors", 0, MADE });

NUMEL_MUST static bool infer_unknown(struct numel_report *r, struct formula_report *f,
                                     const numel_checkpoint *ck, numel_error *e)
{
    const char *why = f->model->why.what[0] ? f->model->why.what : "no configuration was found (--config)";
    if (!unknown_make(&f->unknown, ck, f->model->config, &r->arena, e)) return false;
    f->architecture = arena_format(&r->arena, "unknown, everything below is inferred: %.300s", why);
    if (!f->architecture) return error_nomem(e);
    r->quiet_nothing = true; /* an inferred total agrees by construction */
    report_one(r, &unknown_table, f);
    unknown_sections(r, &f->unknown);
    return true;
}

NUMEL_MUST static bool make_formula(struct numel_report *r, struct handle *c, numel_error *e)
{
    const numel_checkpoint *ck = c->ck;
    struct formula_report *f = arena_alloc(&r->arena, sizeof *f);
    if (!f) return error_nomem(e);
    if (!judged_section(r, c, e)) return false;
    component_section(r, ck);
    *f = (struct formula_report){ .model = c->model };
    if (!model_formula(f->model) && ck && !f->model->entry && !f->model->broken)
        return infer_unknown(r, f, ck, e);
    if (!model_formula(f->model)) {
        *e = f->model->why;
        return error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE,
                         "no configuration: give a config.json, or --arch NAME and --set SYM=N");
    }
    f->terms = handle_terms(c, e);
    if (!f->terms) return false;
    f->architecture = architecture_line(f->model);
    if (!f->architecture) return error_nomem(e);
    if (!memory_in_symbols(c, &r->arena, &f->cache, e)) return false;
    struct unread *unread = arena_alloc(&r->arena, sizeof *unread);
    if (!unread) return error_nomem(e);
    *unread = (struct unread){ .arena = &r->arena, .terms = f->terms };
    config_unread(f->model->config, tell_unread, unread);
    if (unread->failed) return error_nomem(e);
    r->quiet = f->terms->total;
    add_sections(r, f, unread);
    return true;
}

numel_rc numel_report_formula(numel_report **out, numel_subject *s, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    struct handle *c = subject_model(s, e);
    *out = c ? report_new(c->memory, "numel.formula/1", e) : NULL;
    return report_made(out, *out && make_formula(*out, c, e), e);
}
