/* formula_report.c -- the report of `numel formula`: symbols with evidence, terms, the whole. */
#include "reporter/judgement_section.h"
#include "reporter/handles.h"
#include "reporter/sections.h"

#include "memory/memory.h"
#include "model/unknown.h"
#include "base/border.h"

/* ---- shared with reconcile ---------------------------------------------------------------- */

/* clang-format off */
static const struct column symbol_columns[] = {
    { "name", "symbol", 0 }, { "value", "value", COLUMN_RIGHT }, { "evidence", "evidence", 0 },
    { "from", "from", COLUMN_NOTE },
};
/* clang-format on */

static void symbol_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct term_symbol *s = &((const struct terms *)ctx)->symbols[i];
    (void)depth;
    c[0] = CELL_T(s->name);
    c[1] = (struct cell){ .kind = s->value < 0 ? CELL_SIGNED : CELL_COUNT,
                          .i = s->value,
                          .u = (uint64_t)s->value };
    c[2] = CELL_T(evidence_name(s->evidence));
    c[3] = CELL_S(text_of(s->from));
}

void formula_symbols(struct numel_report *r, const struct terms *t, bool hidden)
{
    report_section(r, &(struct section){ .key = "symbols",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         .columns = symbol_columns,
                                         .column_count = 4,
                                         .rows = t->symbol_count,
                                         .headed = true,
                                         .row = symbol_row,
                                         .ctx = t,
                                         .hidden = hidden });
}

const char *architecture_line(struct model *u)
{
    const char *from = u->from ? u->from : "given";
    if (u->other) return u->other->name;
    if (!u->architecture) return NULL;
    return arena_format(&u->arena, "%s (by %s)", u->called, from);
}

/* ---- sizes under a name that the class does not read ---------------------------------------- */

struct unread {
    struct arena *arena;
    const struct terms *terms;
    struct config_unread *items;
    size_t count, room;
    bool failed;
};

/* The specification may read what the class does not: of a family whose code came with the model. */
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

/* clang-format off */
static const struct column unread_columns[] = {
    { "key", "not read", 0 }, { "value", "value", COLUMN_RIGHT }, { "class", "class", 0 },
    { "instead", "reads", 0 }, { "default", "default", COLUMN_RIGHT },
};
/* clang-format on */

static void unread_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct config_unread *x = &((const struct unread *)ctx)->items[i];
    (void)depth;
    c[0] = CELL_S(x->key);
    c[1] = CELL_U(CELL_COUNT, x->value);
    c[2] = CELL_S(x->class);
    c[3] = CELL_S(x->read);
    c[4] = CELL_U(CELL_COUNT, x->used);
}

/* ---- the report --------------------------------------------------------------------------- */

struct formula_report {
    struct model *model;
    const struct terms *terms;
    const char *architecture, *cache;
    struct unknown unknown; /* instead of terms, when no spec fits the checkpoint */
};

static const struct column head_columns[] = { { "architecture", NULL, 0 }, { NULL, "architecture", 0 } };

static void head_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct formula_report *f = ctx;
    (void)i, (void)depth;
    c[0] = CELL_T(f->model->architecture);
    c[1] = CELL_S(text_of(f->architecture));
}

static const struct column term_columns[] = {
    { "role", "role", 0 },
    { "expr", "formula", COLUMN_NAME },
    { "each", "each", COLUMN_RIGHT | COLUMN_RANK(2) },
    { "times", "times", COLUMN_RIGHT | COLUMN_RANK(8) },
    { "total", "total", COLUMN_RIGHT },
    { NULL, "share", COLUMN_RIGHT | COLUMN_RANK(1) },
    { "buffer", NULL, 0 },
    { "evidence", NULL, 0 },
};

static void term_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct formula_report *f = ctx;
    const struct term *t = &f->terms->items[i];
    (void)depth;
    c[0] = CELL_S(t->role);
    c[1] = CELL_T(t->expr);
    c[2] = CELL_U(CELL_COUNT, t->each);
    c[3] = CELL_U(CELL_COUNT, t->times);
    c[4] = CELL_U(CELL_COUNT, t->total);
    if (!t->buffer) c[5] = (struct cell){ .kind = CELL_SHARE, .u = t->total, .n = f->terms->total };
    c[6] = CELL_U(CELL_BOOL, t->buffer);
    c[7] = CELL_T(evidence_name(t->evidence));
}

/* clang-format off */
static const struct column total_columns[] = {
    { "expression", "expression", 0 }, { "total", NULL, 0 }, { NULL, "total", 0 },
    { "tensors", "tensors", 0 },       { "buffers", "buffers", 0 }, { "cache", "cache", COLUMN_NOTE },
};
/* clang-format on */

static void total_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct formula_report *f = ctx;
    (void)i, (void)depth;
    c[0] = CELL_T(f->terms->expression);
    c[1] = CELL_U(CELL_COUNT, f->terms->total);
    c[2] = CELL_U(CELL_TOTAL, f->terms->total);
    c[3] = CELL_U(CELL_COUNT, model_formula(f->model)->totals.parameter_tensors);
    c[4] = CELL_U(CELL_COUNT, model_formula(f->model)->totals.buffers);
    if (f->cache) c[5] = CELL_S(text_of(f->cache));
}

static void add_sections(struct numel_report *r, const struct formula_report *f, const struct unread *unread)
{
    report_section(r, &(struct section){ .form = SECTION_FIELDS,
                                         .columns = head_columns,
                                         .column_count = 2,
                                         .rows = 1,
                                         .row = head_row,
                                         .ctx = f });
    formula_symbols(r, f->terms, false);
    report_section(r, &(struct section){ .key = "unread",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         COLUMNS(unread_columns),
                                         .rows = unread->count,
                                         .headed = true,
                                         .row = unread_row,
                                         .ctx = unread,
                                         .hidden = !unread->count });
    report_section(r, &(struct section){ .key = "terms",
                                         .title = "",
                                         .form = SECTION_LIST,
                                         .columns = term_columns,
                                         .column_count = 8,
                                         .rows = f->terms->count,
                                         .headed = true,
                                         .row = term_row,
                                         .ctx = f });
    report_section(r, &(struct section){ .title = "",
                                         .form = SECTION_FIELDS,
                                         COLUMNS(total_columns),
                                         .rows = 1,
                                         .row = total_row,
                                         .ctx = f });
}

/* ---- no spec fits ------------------------------------------------------------------------- */

/* clang-format off */
static const struct column unknown_columns[] = {
    { NULL, "architecture", 0 }, { "architecture", NULL, 0 }, { "expression", "expression", 0 },
    { "total", NULL, 0 },        { NULL, "total", 0 },        { "agrees", NULL, 0 },
    { "tensors", "tensors", 0 },
};
/* clang-format on */

static void unknown_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct formula_report *f = ctx;
    (void)i, (void)depth;
    c[0] = CELL_T(f->architecture);
    c[2] = CELL_T(f->unknown.terms.expression);
    c[3] = CELL_U(CELL_COUNT, f->unknown.terms.total);
    c[4] = CELL_U(CELL_TOTAL, f->unknown.terms.total);
    c[6] = CELL_U(CELL_COUNT, f->model->ck->registry.count);
}

NUMEL_MUST static bool infer_unknown(struct numel_report *r, struct formula_report *f,
                                     const numel_checkpoint *ck, numel_error *e)
{
    const char *why = f->model->why.what[0] ? f->model->why.what : "no configuration was found (--config)";
    if (!unknown_make(&f->unknown, ck, f->model->config, &r->arena, e)) return false;
    f->architecture = arena_format(&r->arena, "unknown, everything here is inferred: %.300s", why);
    if (!f->architecture) return error_nomem(e);
    r->quiet_nothing = true; /* a total that agrees by construction is not a formula's */
    report_section(r, &(struct section){ .form = SECTION_FIELDS,
                                         .columns = unknown_columns,
                                         .column_count = 7,
                                         .rows = 1,
                                         .row = unknown_row,
                                         .ctx = f });
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
    numel_error local, *e = error ? error : &local;
    error_clear(e);
    struct handle *c = subject_model(s, e);
    *out = c ? report_new(c->memory, "numel.formula/1", e) : NULL;
    return report_made(out, *out && make_formula(*out, c, e), e);
}
