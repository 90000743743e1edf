/*
 * memory_report.c -- the report of `numel memory`: what is exact and what is estimated, apart; a table over contexts.
 */
#include "reporter/judgement_section.h"
#include "subject/whole.h"
#include "memory/expression.h"
#include "memory/memory.h"
#include "reporter/components_words.h"
#include "reporter/handles.h"
#include "reporter/memory_sections.h"
#include "reporter/sections.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"

/* ---- what it is about ------------------------------------------------------------------------- */

enum {
    PATH,
    MODEL,
    COMPONENTS,
    CONTEXT,
    CONTEXT_TEXT,
    BATCH,
    RUNTIME,
    RUNTIME_TEXT,
    KV,
    TOGETHER,
    NOTE,
    HEAD_CELLS
};
/* clang-format off */
static const struct column head_columns[HEAD_CELLS] = {
    [PATH] = { "path", "", 0 },
    [MODEL] = { NULL, "architecture", 0 },
    [COMPONENTS] = { NULL, "components", 0 },
    [CONTEXT] = { "context", NULL, 0 },
    [CONTEXT_TEXT] = { NULL, "context", 0 },
    [BATCH] = { "batch", NULL, 0 },
    [RUNTIME] = { "runtime", NULL, 0 },
    [RUNTIME_TEXT] = { NULL, "runtime", 0 },
    [KV] = { "kv", "keys and values", 0 },
    [TOGETHER] = { "components_rule", "together", 0 },
    [NOTE] = { NULL, "not known", 0 },
};
/* clang-format on */

static const char together[] =
    "all components at once, none of them moved elsewhere; activations of the one that takes most";

static void head_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    const struct memory_run *run = &p->m.ask.run;
    (void)i, (void)depth;
    if (p->path) c[PATH] = CELL_S(text_of(p->path));
    if (p->architecture) c[MODEL] = CELL_S(text_of(p->architecture));
    c[CONTEXT] = CELL_U(CELL_COUNT, run->context);
    if (!p->m.no_context) c[CONTEXT_TEXT] = CELL_T(p->context);
    c[BATCH] = CELL_U(CELL_COUNT, run->batch);
    c[RUNTIME] = CELL_T(runtime_name(run->runtime));
    c[RUNTIME_TEXT] = CELL_T(p->runtime);
    c[KV] = CELL_T(p->kv);
    if (p->title) c[COMPONENTS] = CELL_T(p->title);
    if (p->title) c[TOGETHER] = CELL_T(together);
    if (p->why) c[NOTE] = CELL_S(text_of(p->why));
}

NUMEL_MUST static const char *context_text(struct memory_page *p, struct arena *a)
{
    const struct memory *m = &p->m;
    char n[TEXT_COUNT], batch[TEXT_COUNT], length[TEXT_NUMBER], source[64] = "", sequences[64] = "";
    if (m->ask.run.batch > 1)
        text_format(sequences, sizeof sequences, " of each of %s",
                    text_count(batch, m->ask.run.batch, "sequence"));
    if (m->ask.run.source)
        text_format(source, sizeof source, ", %s of an encoder", text_number(batch, m->ask.run.source));
    const char *than = m->ask.run.context > m->length ? ", more than the model was made for: " : " of ";
    text_count(n, m->ask.run.context, "token");
    if (!m->length || m->length == m->ask.run.context) return arena_format(a, "%s%s%s", n, sequences, source);
    return arena_format(a, "%s%s%s%s%s", n, sequences, source, than, text_number(length, m->length));
}

/* ---- the sums --------------------------------------------------------------------------------- */

/* clang-format off */
static const struct column sum_columns[] = {
    { NULL, "", COLUMN_NAME }, { NULL, "bytes", COLUMN_RIGHT }, { NULL, "", COLUMN_RIGHT },
    { NULL, "", COLUMN_NOTE },
};
/* clang-format on */

static void sum_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_sum *s = &((const struct memory_page *)ctx)->sums[i];
    *depth = s->depth;
    c[0] = CELL_T(s->what);
    if (s->known) c[1] = CELL_U(CELL_COUNT, s->bytes);
    if (s->known) c[2] = CELL_U(CELL_SIZE, s->bytes);
    if (s->note) c[3] = CELL_S(text_of(s->note));
}

static void add_sum(struct memory_page *p, unsigned depth, const char *what, bool known, uint64_t bytes,
                    const char *note)
{
    if (p->sum_count == MEMORY_SUMS) return;
    p->sums[p->sum_count++] = (struct memory_sum){ what, note, bytes, depth, known };
}

static void add_weights(struct memory_page *p)
{
    const struct memory_weights *w = &p->m.weights;
    add_sum(p, 0, "weights", w->known, w->bytes, w->note);
    for (size_t i = 0; w->known && i < w->type_count && i < 12 && w->type_count > 1; i++)
        add_sum(p, 1, w->types[i].name, true, w->types[i].bytes, NULL);
}

static void add_cache(struct memory_page *p)
{
    const struct memory *m = &p->m;
    add_sum(p, 0, "cache", m->cache_known, m->cache.bytes, m->cache_known ? p->expression : NULL);
    if (!m->cache_known) return;
    if (m->cache.fixed) add_sum(p, 1, "that does not grow", true, m->cache.fixed, NULL);
    if (m->no_context) return;
    add_sum(p, 1, "the next token", true, m->cache.next, m->ask.run.batch > 1 ? "of one sequence" : NULL);
}

/* What names tell of the cache, and a layout of weights that nobody has seen, is no part of what is exact. */
static void add_totals(struct memory_page *p)
{
    const struct memory *m = &p->m;
    if (!m->weights.estimated) add_weights(p);
    if (!m->by_name) add_cache(p);
    add_sum(p, 0, "exact", memory_exact(m), p->exact, NULL);
    if (m->weights.estimated) add_weights(p);
    if (m->by_name) add_cache(p);
    add_sum(p, 0, "activations", m->rule != NULL, m->activations, m->rule ? "estimated: see below" : NULL);
    add_sum(p, 0, "estimated total", p->known, p->total, NULL);
}

/* ---- JSON of the same ------------------------------------------------------------------------- */

static const struct column bytes_columns[] = { { "bytes", NULL, 0 } };

static void weights_bytes(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (p->m.weights.known && !p->m.weights.estimated) c[0] = CELL_U(CELL_COUNT, p->m.weights.bytes);
}

static const struct column type_columns[] = {
    { "type", NULL, 0 }, { "tensors", NULL, 0 }, { "elements", NULL, 0 }, { "bytes", NULL, 0 }
};

static void type_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_type *t = &((const struct memory_page *)ctx)->m.weights.types[i];
    (void)depth;
    c[0] = CELL_T(t->name);
    c[1] = CELL_U(CELL_COUNT, t->tensors);
    c[2] = CELL_U(CELL_COUNT, t->elements);
    c[3] = CELL_U(CELL_COUNT, t->bytes);
}

/* clang-format off */
static const struct column element_columns[] = {
    { "k", NULL, 0 }, { "v", NULL, 0 }, { "index_k", NULL, 0 }, { "conv", NULL, 0 }, { "recurrent", NULL, 0 },
    { "cross_k", NULL, 0 }, { "cross_v", NULL, 0 }, { "other", NULL, 0 }, { "total", NULL, 0 },
};
static const struct column cache_columns[] = {
    { "bytes", NULL, 0 }, { "bytes_per_token", NULL, 0 }, { "fixed_bytes", NULL, 0 }, { "expression", NULL, 0 },
};
static const struct column layer_columns[] = { { "kind", NULL, 0 }, { "count", NULL, 0 }, { "window", NULL, 0 } };
/* clang-format on */

static void element_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    for (unsigned k = 0; k < CACHE_KINDS; k++) c[k] = CELL_U(CELL_COUNT, p->m.cache.elements[k]);
    c[CACHE_KINDS] = CELL_U(CELL_COUNT, p->m.cache.total);
}

static void cache_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (!p->m.cache_known || p->m.by_name) return;
    c[0] = CELL_U(CELL_COUNT, p->m.cache.bytes);
    c[1] = CELL_U(CELL_COUNT, p->m.cache.next);
    c[2] = CELL_U(CELL_COUNT, p->m.cache.fixed);
    if (p->expression) c[3] = CELL_S(text_of(p->expression));
}

static void layer_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct cache_layers *l = &((const struct memory_page *)ctx)->m.layers[i];
    (void)depth;
    c[0] = CELL_T(cache_layer_name(l->kind));
    c[1] = CELL_U(CELL_COUNT, l->count);
    if (l->window >= 0) c[2] = CELL_U(CELL_COUNT, (uint64_t)l->window);
}

static const struct column exact_columns[] = { { "exact_bytes", NULL, 0 } };
static const struct column estimate_columns[] = {
    { "activations_bytes", NULL, 0 }, { "rule", NULL, 0 },          { "cache_bytes", NULL, 0 },
    { "cache_rule", NULL, 0 },        { "weights_bytes", NULL, 0 }, { "weights_rule", NULL, 0 },
};
static const struct column total_columns[] = { { "estimated_total_bytes", NULL, 0 } };

static void exact_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (memory_exact(&p->m)) c[0] = CELL_U(CELL_COUNT, p->exact);
}

static void estimate_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (p->m.rule) c[0] = CELL_U(CELL_COUNT, p->m.activations);
    if (p->m.rule) c[1] = CELL_T(p->m.rule);
    if (p->m.weights.estimated) c[4] = CELL_U(CELL_COUNT, p->m.weights.bytes);
    if (p->m.weights.estimated) c[5] = CELL_T(p->m.weights.note);
    if (!p->m.by_name) return;
    c[2] = CELL_U(CELL_COUNT, p->m.cache.bytes);
    c[3] = CELL_T(p->expression);
}

static void total_row(const void *ctx, size_t i, struct cell *c, unsigned *depth)
{
    const struct memory_page *p = ctx;
    (void)i, (void)depth;
    if (p->known) c[0] = CELL_U(CELL_COUNT, p->total);
}

#define ROW(k, f, n, cols, r)                                                                     \
    &(struct section)                                                                             \
    {                                                                                             \
        .key = (k), .form = (f), COLUMNS(cols), .rows = (n), .row = (r), .ctx = p, .hidden = true \
    }

static void add_weights_json(struct numel_report *r, const struct memory_page *p)
{
    const struct memory_weights *w = &p->m.weights;
    size_t types = w->known && !w->estimated ? w->type_count : 0;
    report_section(r, &(struct section){ .key = "weights", .form = SECTION_BEGIN, .hidden = true });
    report_section(r, ROW(NULL, SECTION_FIELDS, 1, bytes_columns, weights_bytes));
    report_section(r, ROW("by_type", SECTION_MAP, types, type_columns, type_row));
    report_section(r, &(struct section){ .form = SECTION_END, .hidden = true });
}

static void add_cache_json(struct numel_report *r, const struct memory_page *p)
{
    struct section *elements;
    report_section(r, &(struct section){ .key = "cache", .form = SECTION_BEGIN, .hidden = true });
    elements = report_section(r, ROW("elements", SECTION_OBJECT, 1, element_columns, element_row));
    elements->null = !p->m.cache_known || p->m.by_name;
    report_section(r, ROW(NULL, SECTION_FIELDS, 1, cache_columns, cache_row));
    report_section(r, ROW("layers", SECTION_LIST, p->m.layer_count, layer_columns, layer_row));
    report_section(r, &(struct section){ .form = SECTION_END, .hidden = true });
}

static void add_sections(struct numel_report *r, const struct memory_page *p)
{
    if (!p->whole) component_section(r, p->m.handle->ck);
    report_section(r,
                   &(struct section){
                       .form = SECTION_FIELDS, COLUMNS(head_columns), .rows = 1, .row = head_row, .ctx = p });
    memory_components_sections(r, p);
    report_section(r, &(struct section){ .title = "",
                                         .form = SECTION_LIST,
                                         COLUMNS(sum_columns),
                                         .headed = true,
                                         .rows = p->sum_count,
                                         .row = sum_row,
                                         .ctx = p });
    add_weights_json(r, p);
    add_cache_json(r, p);
    report_section(r, ROW(NULL, SECTION_FIELDS, 1, exact_columns, exact_row));
    report_section(r, ROW("estimate", SECTION_OBJECT, 1, estimate_columns, estimate_row));
    report_section(r, ROW(NULL, SECTION_FIELDS, 1, total_columns, total_row));
    memory_fit_sections(r, p);
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* "vllm, by its rule, not measured: 7 groups of 10 layers". */
NUMEL_MUST static const char *runtime_text(const struct memory *m, struct arena *a)
{
    enum runtime r = m->ask.run.runtime;
    char groups[TEXT_COUNT], layers[TEXT_COUNT];
    if (!m->cache.groups) return arena_format(a, "%s, %s", runtime_name(r), runtime_source(r));
    text_count(groups, m->cache.groups, "group");
    text_count(layers, m->cache.group_layers, "layer");
    return arena_format(a, "%s, %s: %s of %s", runtime_name(r), runtime_source(r), groups, layers);
}

NUMEL_MUST static bool fill_texts(struct memory_page *p, struct arena *a, numel_error *e)
{
    const struct memory *m = &p->m;
    const struct memory_run *run = &m->ask.run;
    p->context = context_text(p, a);
    p->runtime = runtime_text(m, a);
    p->kv = run->k == run->v ? run->k->name : arena_format(a, "%s and %s", run->k->name, run->v->name);
    p->expression = m->by_name
                        ? arena_format(a, "estimated: by names and shapes of projections, %" PRIu64 " layers",
                                       m->inferred_layers)
                    : m->x ? memory_expression(m->x, a)
                           : "";
    if (!p->whole) p->architecture = architecture_line(m->handle->model);
    else if (!(p->title = components_title(&p->whole->c, a))) return error_nomem(e);
    p->why = !m->cache_known ? m->cache_why : m->by_name ? m->cache_why : NULL;
    if (!p->context || !p->runtime || !p->kv || !p->expression) return error_nomem(e);
    if (!p->expression[0]) p->expression = NULL;
    return true;
}

NUMEL_MUST static bool fill(struct memory_page *p, struct arena *a, numel_error *e)
{
    const struct memory *m = &p->m;
    if (!fill_texts(p, a, e)) return false;
    p->known = memory_known(m);
    if (!num_add(&p->exact, m->weights.bytes, m->cache.bytes) ||
        !num_add(&p->total, p->exact, m->rule ? m->activations : 0))
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the whole does not fit in 64 bits");
    add_totals(p);
    return memory_fill_fit(p, a, e);
}

static void done(void *ctx)
{
    struct memory_page *p = ctx;
    if (p->whole) memory_whole_done(p->whole);
    memory_done(&p->m);
}

NUMEL_MUST static struct memory_page *new_page(struct numel_report *r, numel_error *e)
{
    struct memory_page *p = arena_alloc(&r->arena, sizeof *p);
    if (!p) return error_nomem(e), NULL;
    *p = (struct memory_page){ .sum_count = 0 };
    r->done = done;
    r->done_ctx = p;
    return p;
}

/* p->m is made. */
NUMEL_MUST static bool finish(struct numel_report *r, struct memory_page *p, bool wrong, numel_error *e)
{
    const struct memory *m = &p->m;
    if (!fill(p, &r->arena, e)) return false;
    r->quiet = p->total;
    r->quiet_nothing = !p->known;
    r->disagrees = wrong || (m->ask.fit && m->fit.known && !m->fit.fits);
    r->in_part = !memory_exact(m) || (m->ask.fit && !m->fit.known);
    add_sections(r, p);
    return true;
}

NUMEL_MUST static bool make_memory(struct numel_report *r, struct handle *c, const numel_plan *plan,
                                   numel_error *e)
{
    struct memory_ask ask;
    struct memory_page *p = new_page(r, e);
    if (!p || !memory_ask(&ask, plan, e) || !judged_section(r, c, e)) return false;
    if (!memory_make(&p->m, c, &ask, &r->arena, e)) return false;
    p->path = c->path;
    return finish(r, p, c->model->broken, e);
}

/* What is asked of a component for the sums is asked of a copy of the rows that were judged. */
NUMEL_MUST static bool make_several(struct numel_report *r, numel_subject *s, const numel_plan *plan,
                                    numel_error *e)
{
    struct memory_ask ask;
    const struct memory_asking asking = { &ask, &s->knowledge, &s->options };
    struct memory_page *p = new_page(r, e);
    struct memory_whole *w = p ? arena_alloc(&r->arena, sizeof *w) : NULL;
    if (!w) return error_nomem(e);
    if (!subject_whole(s, e) || !memory_ask(&ask, plan, e)) return false;
    *w = (struct memory_whole){ .c = *s->whole };
    p->whole = w;
    p->path = w->c.path;
    return judgement_section(r, &s->judgement, e) && memory_whole_make(&p->m, w, &asking, &r->arena, e) &&
           finish(r, p, w->wrong, e);
}

numel_rc numel_report_memory(numel_report **out, numel_subject *s, const numel_plan *plan, numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    struct handle *c = NULL;
    numel_plan own;
    size_t members = s->components;
    error_clear(e);
    *out = NULL;
    if (!border_plan(&own, plan, e)) return e->code;
    if (!members && (!(c = subject_model(s, e)) || !subject_members(s, &members, e))) return e->code;
    *out = report_new(s->options.allocator, "numel.memory/1", e);
    bool ok = *out && (members || !c ? make_several(*out, s, &own, e) : make_memory(*out, c, &own, e));
    return report_made(out, ok, e);
}
