/*
 * meta.c -- the report of `numel meta`: the metadata of the files, and config.json.
 *
 * Long arrays are abbreviated, [a b c ... +128253], unless the view asks for all. Values become text when the
 * report is made: arrays in the mapped file are read here, under the guard.
 */
#include "reporter/handles.h"
#include "reporter/judged_text.h"

#include "model/config_file.h"
#include "registry/metadata_text.h"
#include "base/border.h"
#include "base/text.h"
#include "reader/checkpoint.h"
#include "source/source.h"

#include <string.h>

enum { SHOWN = 3, SHORT = 8 }; /* arrays up to SHORT are shown in full */

struct entry {
    numel_str key;
    const char *type;
    uint64_t count; /* length of an array; UINT64_MAX: not an array */
    const char *text, *json;
    const char *file;
};

struct meta {
    const numel_checkpoint *ck;
    const numel_view *view;
    struct arena *arena;
    struct entry *entries, *config;
    size_t entry_count, config_count, config_cap;
    const char *config_path;
    bool ends; /* also accept keys that end with the wanted one */
    numel_error *error;
};

/* ---- entries ------------------------------------------------------------------------------ */

struct converting {
    struct meta *m;
    const struct metadata_entry *from;
    struct buffer text, json;
};

static bool convert_body(void *ctx)
{
    struct converting *c = ctx;
    bool all = c->m->view->all;
    c->text.n = c->json.n = 0;
    metadata_put(&c->text, c->from, false, all);
    metadata_put(&c->json, c->from, true, all);
    return true;
}

NUMEL_MUST static bool convert(struct converting *c, struct entry *e)
{
    struct meta *m = c->m;
    const struct source *s = &m->ck->sources[c->from->file];
    bool array = c->from->type == META_ARRAY;
    if (!source_run(s, convert_body, c, m->error)) return false;
    *e = (struct entry){ .key = c->from->key,
                         .type = metadata_type_name(c->from->type),
                         .count = array ? c->from->array.count : UINT64_MAX,
                         .file = m->ck->files[c->from->file].path };
    if (array) e->type = arena_format(m->arena, "array<%s>", metadata_type_name(c->from->array.type));
    if (c->text.failed || c->json.failed) return error_nomem(m->error);
    e->text = arena_text(m->arena, c->text.p, c->text.n);
    e->json = arena_text(m->arena, c->json.p, c->json.n);
    return (e->text && e->json && e->type) || error_nomem(m->error);
}

/* Is this the wanted key or, with `ends`, does it end with it after a dot: block_count in
 * llama.block_count? */
static bool wanted(const struct meta *m, numel_str key)
{
    if (!m->view->key || text_equal(key, m->view->key)) return true;
    return m->ends && text_take_end(&key, m->view->key) && text_last(key) == '.';
}

NUMEL_MUST static bool list_metadata(struct meta *m)
{
    const struct metadata *from = &m->ck->metadata;
    struct converting c = { .m = m };
    bool ok = true;
    m->entries = arena_alloc(m->arena, (from->count + 1) * sizeof *m->entries);
    if (!m->entries) return error_nomem(m->error);
    buffer_init(&c.text, m->arena->memory);
    buffer_init(&c.json, m->arena->memory);
    for (size_t i = 0; ok && i < from->count; i++) {
        c.from = &from->entries[i];
        if (wanted(m, c.from->key)) ok = convert(&c, &m->entries[m->entry_count++]);
    }
    buffer_done(&c.text);
    buffer_done(&c.json);
    return ok;
}

/* ---- config.json -------------------------------------------------------------------------- */

/* The value as JSON in the arena, safe to print. */
static const char *printed(struct meta *m, const json_value *v)
{
    struct buffer b;
    char *json = json_print(v);
    buffer_init(&b, m->arena->memory);
    if (json) text_tame(&b, text_of(json));
    const char *kept = json && !b.failed ? arena_text(m->arena, b.p, b.n) : NULL;
    buffer_done(&b);
    json_print_free(json);
    return kept;
}

NUMEL_MUST static const char *abbreviated(struct meta *m, const json_value *v, const char *json)
{
    size_t n = json_count(v);
    struct buffer b;
    if (json_kind(v) == JSON_STRING) return arena_text(m->arena, json + 1, strlen(json) - 2);
    if (json_kind(v) != JSON_ARRAY || n <= SHORT || m->view->all) return json;
    buffer_init(&b, m->arena->memory);
    size_t i = 0;
    for (const json_value *c = json_first(v); i < SHOWN; c = json_next(c), i++) {
        const char *text = printed(m, c);
        if (!text) b.failed = true;
        else buffer_format(&b, "%s%s", i ? " " : "[", text);
    }
    buffer_format(&b, " ... +%zu]", n - SHOWN);
    return buffer_keep(&b, m->arena);
}

NUMEL_MUST static bool add_config(struct meta *m, const char *key, const json_value *v)
{
    static const char *const kinds[] = { "null", "bool", "number", "string", "array", "object" };
    struct entry *grown = arena_grow(m->arena, m->config, m->config_count, &m->config_cap, sizeof *grown);
    if (!grown) return error_nomem(m->error);
    m->config = grown;
    const char *kept = printed(m, v);
    const char *text = kept ? abbreviated(m, v, kept) : NULL;
    if (!text) return error_nomem(m->error);
    m->config[m->config_count++] = (struct entry){ .key = text_of(key),
                                                   .type = kinds[json_kind(v)],
                                                   .count = UINT64_MAX,
                                                   .text = text,
                                                   .json = kept,
                                                   .file = m->config_path };
    return true;
}

/* Objects are flattened: text_config.hidden_size. */
NUMEL_MUST static bool list_config(struct meta *m, const json_value *object, const char *prefix)
{
    for (const json_value *v = json_first(object); v; v = json_next(v)) {
        const char *key = arena_format(m->arena, "%s%s%s", prefix, prefix[0] ? "." : "", json_name(v));
        if (!key) return error_nomem(m->error);
        bool open = json_kind(v) == JSON_OBJECT && json_first(v);
        if (wanted(m, text_of(key)) && (!open || m->view->key)) {
            if (!add_config(m, key, v)) return false;
        } else if (open && !list_config(m, v, key)) {
            return false;
        }
    }
    return true;
}

static bool read_config(struct meta *m)
{
    numel_error why;
    error_clear(&why);
    json_value *doc = config_file_load(m->ck, "config.json", m->arena, &m->config_path, &why);
    bool ok = json_kind(doc) != JSON_OBJECT || list_config(m, doc, "");
    json_doc_free(doc);
    bool told = why.code == NUMEL_E_NOMEM || why.code == NUMEL_E_IO; /* a malformed file is just not shown */
    if (ok && told) *m->error = why;
    return ok && !told;
}

/* ---- the report --------------------------------------------------------------------------- */

static const struct column columns[] = {
    { "key", "key", COLUMN_NAME, AT(CELL_STR, struct entry, key) },
    { "type", "type", COLUMN_RANK(6), AT(CELL_TEXT, struct entry, type) },
    { "count", NULL, 0, AT_KNOWN(CELL_NUMBER, struct entry, count) },
    { "value", NULL, 0, AT(CELL_RAW, struct entry, json) },
    { NULL, "value", COLUMN_NOTE, AT(CELL_TEXT, struct entry, text) },
    { "file", NULL, 0, AT(CELL_STR, struct entry, file) },
};

static const struct table entry_table =
    TABLE_OF("entries", "", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, NULL, columns);
static const struct table config_table =
    TABLE_OF("config", "config.json", SECTION_LIST, TABLE_HEADED | TABLE_FILLED, NULL, columns);

static const struct table path_table = TABLE(NULL, NULL, SECTION_FIELDS, TABLE_HIDDEN, NULL,
                                             { "path", NULL, 0, AT(CELL_STR, numel_checkpoint, path) });

/* Sets *several and an error if the found keys differ. The message lists the first few:
 * "llama.block_count, clip.vision.block_count". */
NUMEL_MUST static bool name_several(const struct meta *m, bool *several)
{
    enum { NAMED = 6 };
    numel_str list = { "", 0 }, first = { NULL, 0 };
    char shown[TEXT_QUOTE];
    *several = false;
    for (size_t i = 0, n = m->entry_count + m->config_count, named = 0; i < n && named < NAMED; i++) {
        numel_str key = i < m->entry_count ? m->entries[i].key : m->config[i - m->entry_count].key;
        *several |= first.p && !text_same(first, key);
        if (first.p && text_same(first, key)) continue;
        if (!first.p) first = key;
        list = arena_join(m->arena, list, text_of(named++ ? ", " : ""), key);
        if (!list.p) return error_nomem(m->error);
    }
    if (*several)
        error_set(m->error, NUMEL_E_KEY, NUMEL_NOWHERE, "no key %.200s; did you mean one of %s?",
                  m->view->key, text_bare(shown, list));
    return true;
}

/* Finds the wanted key; else the only key that ends with it. */
NUMEL_MUST static bool find_key(struct meta *m)
{
    bool several = false;
    if (!list_metadata(m) || !read_config(m)) return false;
    if (!m->view->key || m->entry_count + m->config_count) return true;
    m->ends = true;
    if (!list_metadata(m) || !read_config(m)) return false;
    if (m->entry_count + m->config_count == 0)
        return error_set(m->error, NUMEL_E_KEY, NUMEL_NOWHERE,
                         "no key %.200s in the metadata or in config.json; without a key all are listed",
                         m->view->key);
    return name_several(m, &several) && !several;
}

NUMEL_MUST static bool make_meta(struct numel_report *r, const numel_checkpoint *ck, const numel_view *view,
                                 numel_error *e)
{
    struct meta *m = arena_alloc(&r->arena, sizeof *m);
    numel_view *own = arena_copy(&r->arena, view, sizeof *view);
    if (!m || !own) return error_nomem(e);
    *m = (struct meta){ .ck = ck, .view = own, .arena = &r->arena, .error = e };
    if (!find_key(m)) return false;
    report_one(r, &path_table, ck);
    if (!judged_later(r, ck, e)) return false;
    report_list(r, &entry_table, ROWS(m->entries, m->entry_count), NULL);
    report_list(r, &config_table, ROWS(m->config, m->config_count), NULL);
    r->quiet = m->entry_count + m->config_count;
    if (view->key) r->quiet_text = m->entry_count ? m->entries[0].text : m->config[0].text;
    return true;
}

numel_rc numel_report_meta(numel_report **out, numel_subject *s, const numel_view *view, numel_error *error)
{
    numel_error local, *e = error_begin(error, &local);
    numel_view seen;
    *out = NULL;
    if (!border_view(&seen, view, e) || !subject_opened(s, e)) return e->code;
    *out = report_new(s->ck->arena.memory, "numel.meta/1", e);
    return report_made(out, *out && make_meta(*out, s->ck, &seen, e), e);
}
