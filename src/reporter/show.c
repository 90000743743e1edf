/*
 * show.c -- the report of `numel show`: its facts, and the sections that only JSON has.
 */
#include "reporter/components_words.h"
#include "reporter/show.h"

#include "base/border.h"
#include "reporter/expect.h"
#include "reporter/handles.h"
#include "reporter/judgement_section.h"
#include "reporter/sections.h"
#include "source/folder.h"

#include <stdlib.h>

/* ---- facts -------------------------------------------------------------------------------- */

static int by_elements(const void *a, const void *b)
{
    const struct type_sum *x = a, *y = b;
    return (x->elements < y->elements) - (x->elements > y->elements);
}

/* Makes a table of types in the arena, most elements first. */
NUMEL_MUST static bool sum_types(struct show *s)
{
    const struct registry *r = &s->ck->registry;
    const numel_allocator *m = s->arena->memory;
    struct names names;
    void *p = NULL;
    bool ok = true;
    names_init(&names, m, sizeof *s->types);
    for (size_t i = 0; ok && i < r->count; i++) {
        const numel_tensor *t = &r->tensors[i];
        size_t n = s->type_count;
        ok = memory_grow(m, &p, &s->type_cap, n + 1, sizeof *s->types, s->error) &&
             names_reserve(&names, n + 1, s->error);
        if (!ok) break;
        s->types = p;
        s->types[n] = (struct type_sum){ .name = text_of(t->dtype->name) };
        uint32_t k = names_enter(&names, s->types, n);
        if (k == n) s->type_count++;
        s->types[k].tensors++;
        s->types[k].elements += t->elements; /* sums were checked when opened */
        s->types[k].bytes += t->bytes;
    }
    names_done(&names);
    struct type_sum *kept = arena_copy(s->arena, p, s->type_count * sizeof *s->types);
    memory_release(m, p);
    s->types = kept;
    if (!ok || !kept) return error_nomem(s->error);
    if (s->type_count) qsort(s->types, s->type_count, sizeof *s->types, by_elements);
    return true;
}

static void sum_files(struct show *s)
{
    for (size_t i = 0; i < s->ck->file_count; i++) {
        const numel_file *f = &s->ck->files[i];
        s->sum.bytes += f->bytes;
        s->sum.header += f->header_bytes;
        s->sum.data += f->data_bytes;
        s->sum.padding += f->padding;
        s->sum.gaps += f->gaps;
        s->sum.overlap += f->overlap;
        s->sum.trailing += f->trailing;
        s->sum.missing += f->missing;
    }
}

/* The architecture stated by the files: by a GGUF's own key, or by the configuration. */
NUMEL_MUST static bool find_architecture(struct show *s)
{
    const struct model *m = s->c->model;
    const numel_judgement *j = s->judgement;
    const struct metadata_entry *e = metadata_find(&s->ck->metadata, "general.architecture");
    if (e && e->type == META_STRING && s->ck->files[0].format == NUMEL_GGUF) {
        s->architecture = arena_text(s->arena, e->value.s.p, e->value.s.n);
        s->architecture_from = "metadata";
        return s->architecture || error_nomem(s->error);
    }
    if (!j->architecture || m->by_tensors || !m->from || !config_has_json(m->config)) return true;
    bool class = j->name && (!m->called || strcmp(j->name, m->called) != 0);
    s->architecture = j->architecture;
    s->architecture_from = path_base(m->from).p;
    if (class || (j->name && strcmp(j->name, j->architecture) == 0)) s->class_name = j->name;
    return true;
}

/* ---- sections: files, architecture, counts, types ----------------------------------------- */

static const char *data_name(numel_data d)
{
    return d == NUMEL_DATA_PRESENT ? "present" : d == NUMEL_DATA_ABSENT ? "absent" : "partial";
}

static void file_row(struct table_row *row, struct cell *c)
{
    const numel_file *f = row->item;
    c[4] = CELL_T(data_name(f->data));
    if (f->format == NUMEL_GGUF) c[13] = CELL_U(CELL_NUMBER, f->version);
    if (f->format == NUMEL_GGUF) c[14] = CELL_U(CELL_BOOL, f->big_endian);
}

static const struct table file_table = TABLE(
    "files", NULL, SECTION_LIST, TABLE_HIDDEN, file_row, { "path", NULL, 0, AT(CELL_STR, numel_file, path) },
    { "bytes", NULL, 0, AT(CELL_BYTES, numel_file, bytes) },
    { "header_bytes", NULL, 0, AT(CELL_COUNT, numel_file, header_bytes) },
    { "tensors", NULL, 0, AT(CELL_COUNT, numel_file, tensors) }, { "data", NULL, 0, MADE },
    { "data_bytes", NULL, 0, AT(CELL_COUNT, numel_file, data_bytes) },
    { "padding", NULL, 0, AT(CELL_COUNT, numel_file, padding) },
    { "gaps", NULL, 0, AT(CELL_COUNT, numel_file, gaps) },
    { "overlap", NULL, 0, AT(CELL_COUNT, numel_file, overlap) },
    { "trailing", NULL, 0, AT(CELL_COUNT, numel_file, trailing) },
    { "missing", NULL, 0, AT(CELL_COUNT, numel_file, missing) },
    { "header_only", NULL, 0, AT(CELL_BOOL, numel_file, header_only) },
    { "compressed", NULL, 0, AT(CELL_BOOL, numel_file, compressed) }, { "version", NULL, 0, MADE },
    { "big_endian", NULL, 0, MADE });

static void architecture_row(struct table_row *row, struct cell *c)
{
    const struct show *s = row->of;
    const char *name = s->architecture ? s->architecture : s->judgement->architecture;
    if (name) c[0] = CELL_S(text_of(name));
    if (s->c->model->spec) c[1] = CELL_T(s->c->model->architecture);
    c[2] = CELL_T(s->architecture_from ? s->architecture_from : s->judgement->known_by);
}

static const struct table architecture_table =
    TABLE("architecture", NULL, SECTION_OBJECT, TABLE_HIDDEN, architecture_row, { "name", NULL, 0, MADE },
          { "spec", NULL, 0, MADE }, { "from", NULL, 0, MADE },
          { "class", NULL, 0, AT(CELL_STR, struct show, class_name) });

/* Counts that need a formula are null without one. */
static void count_row(struct table_row *row, struct cell *c)
{
    const numel_checkpoint *ck = row->of;
    c[0] = CELL_U(CELL_COUNT, ck->registry.count);
    c[1] = CELL_U(CELL_COUNT, ck->stored);
}

static const struct table count_table =
    TABLE("counts", NULL, SECTION_OBJECT, TABLE_HIDDEN, count_row, { "tensors", NULL, 0, MADE },
          { "stored", NULL, 0, MADE }, { "logical", NULL, 0, AT(CELL_COUNT, struct counts, logical) },
          { "unique", NULL, 0, AT(CELL_COUNT, struct counts, unique) },
          { "parameters", NULL, 0, AT(CELL_COUNT, struct counts, parameters) },
          { "buffers", NULL, 0, AT(CELL_COUNT, struct counts, buffers) },
          { "non_embedding", NULL, 0, AT(CELL_COUNT, struct counts, non_embedding) },
          { "active", NULL, 0, AT_IF(has_active, CELL_COUNT, struct counts, active) });

static void type_row(struct table_row *row, struct cell *c)
{
    const struct show *s = row->of;
    const struct type_sum *t = row->item;
    c[3] = (struct cell){ .kind = CELL_SHARE, .u = t->elements, .n = s->ck->stored };
}

static const struct table type_table =
    TABLE("dtypes", "", SECTION_MAP, TABLE_HEADED, type_row,
          { NULL, "type", COLUMN_TYPE, AT(CELL_STR, struct type_sum, name) },
          { "tensors", "tensors", COLUMN_RIGHT, AT(CELL_COUNT, struct type_sum, tensors) },
          { "elements", "elements", COLUMN_RIGHT, AT(CELL_COUNT, struct type_sum, elements) },
          { NULL, "share", COLUMN_RIGHT | COLUMN_RANK(1) | COLUMN_BAR, MADE },
          { "bytes", "bytes", COLUMN_RIGHT | COLUMN_RANK(8), AT(CELL_BYTES, struct type_sum, bytes) });

static void add_facts(struct show *s)
{
    const struct model *m = s->c->model;
    struct numel_report *r = s->report;
    report_list(r, &file_table, ROWS(s->ck->files, s->ck->file_count), NULL);
    report_one(r, &architecture_table, s)->null = !s->architecture && !s->judgement->architecture;
    report_list(r, &count_table, m->x ? &m->counts : NULL, 0, 1, s->ck);
    report_list(r, &type_table, ROWS(s->types, s->type_count), s)->hidden =
        s->type_count < 2 || s->view->by == NUMEL_BY_DTYPE;
}
/* ---- the report --------------------------------------------------------------------------- */

/* Makes the adapter, or the model with its formula. An adapter has no formula of its own. */
NUMEL_MUST static bool take_model(struct show *s)
{
    s->adapter = adapter_whole_of(s->c, s->error);
    s->judgement = s->adapter ? judgement_of(s->c, s->error) : NULL;
    return s->judgement && judgement_section(s->report, s->judgement, s->error) &&
           handle_config_read(s->c, s->error);
}

/* Collects the facts about an adapter that counters need. */
NUMEL_MUST static bool count_adapter(struct show *s, struct counted_adapter *out)
{
    const struct adapter *a = s->adapter;
    size_t n = s->ck->registry.count;
    bool *trained = arena_alloc(s->arena, (n + 1) * sizeof *trained);
    if (!trained) return error_nomem(s->error);
    for (uint32_t i = 0; i < n; i++) trained[i] = adapter_counts(a, i);
    *out = (struct counted_adapter){
        .trained = trained,
        .parameters = a->parameters,
        .base = a->base_parameters,
        .ranks = strcmp(a->type, "adalora") == 0 ? a->module_count : 0,
        .encoder = strcmp(a->type, "p_tuning") == 0 || json_true(json_get(a->config, "prefix_projection")),
    };
    return true;
}

NUMEL_MUST static bool add_others(struct show *s)
{
    struct counted_adapter *adapter = NULL;
    if (!s->view->others) return true;
    if (s->adapter->type) {
        adapter = arena_alloc(s->arena, sizeof *adapter);
        if (!adapter || !count_adapter(s, adapter)) return error_nomem(s->error);
    }
    const struct others *o = others_make(s->ck, s->c, adapter, &s->report->arena, s->error);
    return o && (others_sections(s->report, o) || error_nomem(s->error));
}

NUMEL_MUST static bool make_show(struct numel_report *r, struct handle *c, const numel_view *view,
                                 numel_error *e)
{
    const numel_checkpoint *ck = c->ck;
    struct show *s = arena_alloc(&r->arena, sizeof *s);
    numel_view *own = arena_copy(&r->arena, view, sizeof *view);
    if (!s || !own) return error_nomem(e);
    *s = (struct show){ .ck = ck, .c = c, .view = own, .report = r, .arena = &r->arena, .error = e };
    r->quiet = ck->stored;
    if (own->totals) return expect_section(r, c, own->expects, own->expect_count, e);
    if (!sum_types(s) || !show_rows(s) || !take_model(s) || !find_architecture(s)) return false;
    s->quantization = quantization_of(s->c, s->arena, e);
    if (!s->quantization) return false;
    sum_files(s);
    s->mixture = mixture_of(ck, s->arena, e);
    if (!s->mixture || !promised_section(r, c->model, &s->promised, e) || !show_head(s)) return false;
    bool tried = c->model->x || c->model->from; /* show tries no specification without a configuration */
    if (tried && !unknown_components(r, c->model, s->adapter, e)) return false;
    add_facts(s);
    stored_quantization(r, s->quantization, s->mixture);
    if (!training_section(r, c->model, e) || !ground_section(r, s->c, s->adapter, e) ||
        !adapter_sections(r, s->adapter, e))
        return false;
    mixture_section(r, s->mixture);
    show_tree(s);
    if (!around_section(r, ck->heads ? ck->dir : NULL, NULL, false, e)) return false;
    return expect_section(r, c, own->expects, own->expect_count, e) && add_others(s) &&
           report_findings(r, ck, s->judgement, e);
}

/* A configuration alone has a formula, and nothing else to show. */
NUMEL_MUST static numel_rc show_config(numel_report **out, numel_subject *s, const numel_view *view,
                                       numel_error *e)
{
    if (!view->expect_count) return numel_report_formula(out, s, e);
    error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "is a configuration: --expect is for checkpoints");
    return e->code;
}

numel_rc numel_report_show(numel_report **out, numel_subject *s, const numel_view *view, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    size_t members;
    *out = NULL;
    if (!border_view(&seen, view, e)) return e->code;
    if (subject_is_config_file(s)) return show_config(out, s, &seen, e);
    if (!subject_names(s, e) || !subject_members(s, &members, e)) return e->code;
    if (members) return components_report(out, s, true, e);
    struct handle *c = subject_stored(s, e);
    *out = c ? report_new(c->memory, "numel.show/1", e) : NULL;
    return report_made(out, *out && make_show(*out, c, &seen, e), e);
}
