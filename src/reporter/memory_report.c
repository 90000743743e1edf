/*
 * memory_report.c -- the report of `numel memory`: exact and estimated sums, kept apart; a table over
 * contexts.
 */
#include "reporter/judgement_section.h"
#include "subject/whole.h"
#include "memory/expression.h"
#include "memory/memory.h"
#include "reporter/components_words.h"
#include "reporter/handles.h"
#include "reporter/memory_sections.h"
#include "reporter/remote_section.h"
#include "reporter/sections.h"

#include "base/border.h"
#include "base/num.h"
#include "base/text.h"

/* ---- what it is about ------------------------------------------------------------------------- */

static const char together[] = "all components at once, none offloaded; activations: the largest component's";

static void head_row(struct table_row *row, struct cell *c)
{
    const struct memory_page *p = row->of;
    c[6] = CELL_T(runtime_name(p->m.ask.run.runtime));
    if (p->title) c[9] = CELL_T(together);
}

static const struct table head_table =
    TABLE(NULL, NULL, SECTION_FIELDS, 0, head_row, { "path", "", 0, AT(CELL_STR, struct memory_page, path) },
          { NULL, "architecture", 0, AT(CELL_STR, struct memory_page, architecture) },
          { NULL, "components", 0, AT(CELL_TEXT, struct memory_page, title) },
          { "context", NULL, 0, AT(CELL_COUNT, struct memory_page, m.ask.run.context) },
          { NULL, "context", 0, AT(CELL_TEXT, struct memory_page, context) },
          { "batch", NULL, 0, AT(CELL_COUNT, struct memory_page, m.ask.run.batch) },
          { "runtime", NULL, 0, MADE }, { NULL, "runtime", 0, AT(CELL_TEXT, struct memory_page, runtime) },
          { "kv", "keys and values", 0, AT(CELL_TEXT, struct memory_page, kv) },
          { "components_rule", "together", 0, MADE },
          { NULL, "not known", 0, AT(CELL_STR, struct memory_page, why) });

NUMEL_MUST static const char *context_text(struct memory_page *p, struct arena *a)
{
    const struct memory *m = &p->m;
    char n[TEXT_COUNT], batch[TEXT_COUNT], length[TEXT_NUMBER], source[64] = "", sequences[64] = "";
    if (m->ask.run.batch > 1)
        text_format(sequences, sizeof sequences, " of each of %s",
                    text_count(batch, m->ask.run.batch, "sequence"));
    if (m->ask.run.source)
        text_format(source, sizeof source, ", %s of an encoder", text_number(batch, m->ask.run.source));
    const char *than = m->ask.run.context > m->length ? ", more than the model's context: " : " of ";
    text_count(n, m->ask.run.context, "token");
    if (!m->length || m->length == m->ask.run.context) return arena_format(a, "%s%s%s", n, sequences, source);
    return arena_format(a, "%s%s%s%s%s", n, sequences, source, than, text_number(length, m->length));
}

/* ---- the sums --------------------------------------------------------------------------------- */

static void sum_row(struct table_row *row, struct cell *c)
{
    (void)c;
    row->depth = ((const struct memory_sum *)row->item)->depth;
}

static const struct table sum_table =
    TABLE(NULL, "", SECTION_LIST, TABLE_HEADED, sum_row,
          { NULL, "", COLUMN_NAME, AT(CELL_TEXT, struct memory_sum, what) },
          { NULL, "bytes", COLUMN_RIGHT, AT_IF(known, CELL_COUNT, struct memory_sum, bytes) },
          { NULL, "", COLUMN_RIGHT, AT_IF(known, CELL_SIZE, struct memory_sum, bytes) },
          { NULL, "", COLUMN_NOTE, AT(CELL_STR, struct memory_sum, note) });

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

/* A cache inferred from names, and weights of an estimated size, come after the exact sum. */
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

static const struct table bytes_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
          { "bytes", NULL, 0, AT(CELL_COUNT, struct memory_weights, bytes) });

static const struct table type_table =
    TABLE("by_type", NULL, SECTION_MAP, TABLE_HIDDEN, NULL,
          { "type", NULL, 0, AT(CELL_TEXT, struct memory_type, name) },
          { "tensors", NULL, 0, AT(CELL_COUNT, struct memory_type, tensors) },
          { "elements", NULL, 0, AT(CELL_COUNT, struct memory_type, elements) },
          { "bytes", NULL, 0, AT(CELL_COUNT, struct memory_type, bytes) });

static const struct table element_table =
    TABLE("elements", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL,
          { "k", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_K]) },
          { "v", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_V]) },
          { "index_k", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_INDEX_K]) },
          { "conv", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_CONV]) },
          { "recurrent", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_RECURRENT]) },
          { "cross_k", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_CROSS_K]) },
          { "cross_v", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_CROSS_V]) },
          { "other", NULL, 0, AT(CELL_COUNT, struct cache_bytes, elements[CACHE_OTHER]) },
          { "total", NULL, 0, AT(CELL_COUNT, struct cache_bytes, total) });

static const struct table cache_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
          { "bytes", NULL, 0, AT(CELL_COUNT, struct memory_page, m.cache.bytes) },
          { "bytes_per_token", NULL, 0, AT(CELL_COUNT, struct memory_page, m.cache.next) },
          { "fixed_bytes", NULL, 0, AT(CELL_COUNT, struct memory_page, m.cache.fixed) },
          { "expression", NULL, 0, AT(CELL_STR, struct memory_page, expression) });

static void layer_row(struct table_row *row, struct cell *c)
{
    const struct cache_layers *l = row->item;
    c[0] = CELL_T(cache_layer_name(l->kind));
    c[1] = CELL_U(CELL_COUNT, l->count);
    if (l->window >= 0) c[2] = CELL_U(CELL_COUNT, (uint64_t)l->window);
}

static const struct table layer_table =
    TABLE("layers", NULL, SECTION_LIST, TABLE_HIDDEN, layer_row, { "kind", NULL, 0, MADE },
          { "count", NULL, 0, MADE }, { "window", NULL, 0, MADE });

static const struct table exact_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
          { "exact_bytes", NULL, 0, AT(CELL_COUNT, struct memory_page, exact) });

static const struct table estimate_table = TABLE(
    "estimate", NULL, SECTION_OBJECT, TABLE_HIDDEN, NULL,
    { "activations_bytes", NULL, 0, AT_IF(m.rule, CELL_COUNT, struct memory_page, m.activations) },
    { "rule", NULL, 0, AT(CELL_TEXT, struct memory_page, m.rule) },
    { "cache_bytes", NULL, 0, AT_IF(m.by_name, CELL_COUNT, struct memory_page, m.cache.bytes) },
    { "cache_rule", NULL, 0, AT_IF(m.by_name, CELL_TEXT, struct memory_page, expression) },
    { "weights_bytes", NULL, 0, AT_IF(m.weights.estimated, CELL_COUNT, struct memory_page, m.weights.bytes) },
    { "weights_rule", NULL, 0, AT_IF(m.weights.estimated, CELL_TEXT, struct memory_page, m.weights.note) });

static const struct table total_table =
    TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
          { "estimated_total_bytes", NULL, 0, AT_IF(known, CELL_COUNT, struct memory_page, total) });

static void add_weights_json(struct numel_report *r, const struct memory_page *p)
{
    const struct memory_weights *w = &p->m.weights;
    bool known = w->known && !w->estimated;
    report_begin(r, "weights");
    report_one(r, &bytes_table, known ? w : NULL);
    report_list(r, &type_table, ROWS(w->types, known ? w->type_count : 0), NULL);
    report_end(r);
}

static void add_cache_json(struct numel_report *r, const struct memory_page *p)
{
    bool known = p->m.cache_known && !p->m.by_name;
    report_begin(r, "cache");
    report_one(r, &element_table, &p->m.cache)->null = !known;
    report_one(r, &cache_table, known ? p : NULL);
    report_list(r, &layer_table, ROWS(p->m.layers, p->m.layer_count), NULL);
    report_end(r);
}

static void add_sections(struct numel_report *r, const struct memory_page *p)
{
    if (!p->whole) component_section(r, p->m.handle->ck);
    report_one(r, &head_table, p);
    if (!p->whole) remote_section(r, p->m.handle->ck);
    memory_components_sections(r, p);
    report_list(r, &sum_table, ROWS(p->sums, p->sum_count), NULL);
    add_weights_json(r, p);
    add_cache_json(r, p);
    report_one(r, &exact_table, memory_exact(&p->m) ? p : NULL);
    report_one(r, &estimate_table, p);
    report_one(r, &total_table, p);
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
    p->expression =
        m->by_name ? arena_format(a, "estimated from names and shapes of projections, %" PRIu64 " layers",
                                  m->inferred_layers)
        : m->x     ? memory_expression(m->x, a)
                   : "";
    if (!p->whole) p->architecture = architecture_line(m->handle->model);
    else if (!(p->title = components_title(&p->whole->c, a))) return error_nomem(e);
    p->why = !m->cache_known ? m->cache_why : m->by_name ? m->cache_why : NULL;
    if (!p->context || !p->runtime || !p->kv || !p->expression) return error_nomem(e);
    if (m->no_context) p->context = NULL;
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
        return error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the total does not fit in 64 bits");
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

/* Fills the page from p->m, and adds the sections. */
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

/* Works on a copy of the judged components, as memory_whole_make() changes it. */
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
    numel_error local, *e = error_begin(error, &local);
    struct handle *c = NULL;
    numel_plan own;
    size_t members = s->components;
    *out = NULL;
    if (!border_plan(&own, plan, e)) return e->code;
    if (!members && (!(c = subject_model(s, e)) || !subject_members(s, &members, e))) return e->code;
    *out = report_new(s->options.allocator, "numel.memory/1", e);
    bool ok = *out && (members || !c ? make_several(*out, s, &own, e) : make_memory(*out, c, &own, e));
    return report_made(out, ok, e);
}
