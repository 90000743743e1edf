/*
 * config.c -- one configuration from several sources; see config.h.
 *
 * Values from --set and from documents never change once they are read, nor do defaults: both are cached by
 * the paths asked for. Inferred values rank between them, and come and go.
 */
#include "formula/config_internal.h"

#include <string.h>

bool config_new(struct config **out, const numel_allocator *m, numel_error *e)
{
    struct config *c = memory_resize(m, NULL, sizeof *c);
    *out = c;
    if (!c) return error_nomem(e);
    *c = (struct config){ 0 };
    arena_init(&c->arena, m);
    names_init(&c->by_paths, m, sizeof *c->answers);
    return true;
}

void config_free(struct config *c)
{
    if (!c) return;
    const numel_allocator *m = c->arena.memory;
    for (size_t i = 0; i < c->document_count; i++) json_doc_free(c->documents[i].root);
    json_doc_free(c->quantization.root);
    for (size_t i = 0; i < c->set_count; i++) json_doc_free(c->sets[i].value);
    for (size_t i = 0; i < c->text_count; i++) json_doc_free(c->texts[i].value);
    memory_release(m, c->texts);
    memory_release(m, c->sets);
    memory_release(m, c->memos);
    memory_release(m, c->inferred);
    memory_release(m, c->answers);
    names_done(&c->by_paths);
    arena_done(&c->arena);
    memory_release(m, c);
}

bool vintage_read(numel_str version, uint32_t *vintage)
{
    uint32_t parts[2] = { 0, 0 };
    size_t at = 0;
    for (unsigned i = 0; i < 2; i++) {
        size_t from = at;
        for (; at < version.n && version.p[at] >= '0' && version.p[at] <= '9' && at - from < 3; at++)
            parts[i] = parts[i] * 10 + (uint32_t)(version.p[at] - '0');
        if (at == from) return false;
        if (at == version.n) break;
        if (version.p[at] != '.') return false;
        at++;
    }
    *vintage = parts[0] * 1000 + parts[1];
    return *vintage > 0;
}

bool config_set_vintage(struct config *c, const char *version, numel_error *e)
{
    char shown[TEXT_QUOTE];
    if (vintage_read(text_of(version), &c->vintage)) return true;
    return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s is no version of transformers, such as 5.2",
                     text_quote(shown, text_of(version)));
}

uint32_t config_vintage(const struct config *c) { return c->vintage ? c->vintage : VINTAGE_NEWEST; }

static void forget_answers(struct config *c)
{
    names_done(&c->by_paths);
    names_init(&c->by_paths, c->arena.memory, sizeof *c->answers);
    c->answer_count = 0;
}

/* Call before the contents change. */
static void changes(struct config *c)
{
    forget_answers(c);
    c->counts_held = false;
}

/* Parses a JSON object. NULL, with *e set, if the text is not one. */
NUMEL_MUST static json_value *read_object(struct config *c, const void *p, uint64_t n, const char *file,
                                          numel_error *e)
{
    char *copy = n < SIZE_MAX ? arena_text(&c->arena, p, (size_t)n) : NULL;
    if (!copy) return error_nomem(e), NULL;
    json_value *root = json_doc_parse(copy, n, e);
    if (root && json_kind(root) != JSON_OBJECT)
        error_set(e, NUMEL_E_CONFIG, NUMEL_NOWHERE, "the configuration is not a JSON object");
    if (error_free(e)) return root;
    json_doc_free(root);
    error_file(e, file);
    return NULL;
}

bool config_add_quantization(struct config *c, const void *p, uint64_t n, const char *file,
                             const char *method, numel_error *e)
{
    char *name = arena_text(&c->arena, file, strlen(file));
    if (!name) return error_nomem(e);
    json_value *root = read_object(c, p, n, file, e);
    if (!root) return false;
    json_doc_free(c->quantization.root);
    c->quantization = (struct document){ .root = root, .file = name };
    c->quant_method = method;
    return true;
}

bool config_add_json(struct config *c, const void *p, uint64_t n, const char *file, numel_error *e)
{
    char *name = arena_text(&c->arena, file, strlen(file));
    if (!name) return error_nomem(e);
    if (c->document_count == CONFIG_DOCUMENTS)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d configurations", CONFIG_DOCUMENTS);
    json_value *root = read_object(c, p, n, file, e);
    if (!root) return false;
    changes(c);
    c->documents[c->document_count++] =
        (struct document){ .root = root, .file = name, .params = params_is(root) };
    return true;
}

void config_add_metadata(struct config *c, const struct metadata *m)
{
    const struct metadata_entry *arch = metadata_find(m, "general.architecture");
    changes(c);
    c->metadata = m;
    if (arch && arch->type == META_STRING) c->gguf_arch = arch->value.s;
}

bool config_has_metadata(const struct config *c) { return c->metadata != NULL; }
bool config_has_json(const struct config *c) { return c->document_count > 0; }

/* ---- set by the user -------------------------------------------------------------------------- */

static bool is_bare(const char *text)
{
    for (; *text; text++)
        if (*text < 0x21 || strchr("\"\\{}[],", *text)) return false;
    return true;
}

NUMEL_MUST static json_value *set_value(struct config *c, const char *text, numel_error *e)
{
    numel_error ignored = { 0 };
    json_value *v = json_doc_parse(text, strlen(text), &ignored);
    if (v || ignored.code == NUMEL_E_NOMEM) return v ? v : (error_nomem(e), NULL);
    if (!*text || !is_bare(text)) return NULL;
    char *quoted = arena_format(&c->arena, "\"%s\"", text);
    if (!quoted) return error_nomem(e), NULL;
    return json_doc_parse(quoted, strlen(quoted), e);
}

bool config_set(struct config *c, const char *assignment, numel_error *e)
{
    const char *sign = strchr(assignment, '=');
    char shown[TEXT_QUOTE];
    char *text = arena_text(&c->arena, assignment, strlen(assignment));
    if (!text) return error_nomem(e);
    struct value converted;
    json_value *v = sign && sign > assignment ? set_value(c, sign + 1, e) : NULL;
    if (!v)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%s is not a NAME=VALUE",
                         text_quote(shown, text_of(assignment)));
    if (!config_value_of(c, v, &converted, e) || /* converts lists now: config_symbol() has no error */
        !memory_grow(c->arena.memory, (void **)&c->sets, &c->set_cap, c->set_count + 1, sizeof *c->sets, e)) {
        json_doc_free(v);
        return false;
    }
    changes(c);
    c->sets[c->set_count++] = (struct assignment){
        .text = text,
        .name = { text, (size_t)(sign - assignment) },
        .value = v,
    };
    return true;
}

/* Clears the name, so that lookups skip the assignment. */
void config_unset(struct config *c)
{
    size_t last = c->set_count;
    while (last && !c->sets[last - 1].name.n) last--;
    if (!last) return;
    c->sets[last - 1].name = (numel_str){ "", 0 };
    c->sets[last - 1].used = true;
    changes(c);
}

struct assignment *config_set_find(struct config *c, numel_str name)
{
    for (size_t i = c->set_count; i--;) /* the last one wins */
        if (text_same(c->sets[i].name, name)) return &c->sets[i];
    return NULL;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static const struct memo *memo_find(const struct config *c, const void *source)
{
    for (size_t i = 0; i < c->memo_count; i++)
        if (c->memos[i].source == source) return &c->memos[i];
    return NULL;
}

NUMEL_MUST static bool memo_add(struct config *c, const void *source, const struct value *v, numel_error *e)
{
    if (!memory_grow(c->arena.memory, (void **)&c->memos, &c->memo_cap, c->memo_count + 1, sizeof *c->memos,
                     e))
        return false;
    c->memos[c->memo_count++] = (struct memo){ source, *v };
    return true;
}

NUMEL_MUST static struct value *list_room(struct config *c, uint64_t n, numel_error *e)
{
    struct value *items = n <= CONFIG_LIST ? arena_alloc(&c->arena, (size_t)n * sizeof *items + 1) : NULL;
    if (n > CONFIG_LIST) error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE, "a list of %" PRIu64 " values", n);
    else if (!items) error_nomem(e);
    return items;
}

/* Nested lists go as deep as the JSON scanner allows. */
NUMEL_MUST static bool json_list(struct config *c, const json_value *v, struct value *out, numel_error *e)
{
    const struct memo *known = memo_find(c, v);
    if (known) return *out = known->value, true;
    uint64_t n = json_count(v), i = 0;
    struct value *items = list_room(c, n, e);
    if (!items) return false;
    for (const json_value *x = json_first(v); x; x = json_next(x))
        if (!config_value_of(c, x, &items[i++], e)) return false;
    *out = (struct value){ .kind = VALUE_LIST, .list = { items, n } };
    return memo_add(c, v, out, e);
}

bool config_value_of(struct config *c, const json_value *v, struct value *out, numel_error *e)
{
    int64_t n;
    *out = value_null();
    switch (json_kind(v)) {
    case JSON_NULL: return true;
    case JSON_BOOL: return *out = value_bool(json_true(v)), true;
    case JSON_NUMBER:
        *out = json_integer(v, &n) ? value_int(n) : (struct value){ .kind = VALUE_REAL, .r = json_double(v) };
        return true;
    case JSON_STRING: return *out = value_text(text_of(json_text_of(v))), true;
    case JSON_ARRAY: return json_list(c, v, out, e);
    case JSON_OBJECT: break;
    }
    *out = (struct value){ .kind = VALUE_OBJECT, .object = v };
    return true;
}

NUMEL_MUST static bool declared(struct config *c, const struct spec *spec, const struct document *d,
                                numel_str path, struct value *out, bool *found, numel_error *e)
{
    const char *key;
    if (d->params) {
        if ((*found = params_value(d->root, path, out, &key))) out->key = key;
        return true;
    }
    struct place at = config_place(c, spec, d, path);
    const json_value *v = config_is_timm(d->root) ? config_timm(d->root, path) : json_at(at.object, at.last);
    if (!v && at.has_class) v = defaults_renamed(&at.class, at.object, at.last);
    *found = v != NULL;
    bool no = v && json_kind(v) == JSON_NULL && at.has_class && json_get(d->root, "_class_name");
    if (no && defaults_flag(&at.class, at.last)) return *out = value_bool(false), true;
    return !v || config_value_of(c, v, out, e);
}

/* The value of a default, given as JSON text; parsed once and kept. */
NUMEL_MUST static bool json_text_value(struct config *c, numel_str json, struct value *out, numel_error *e)
{
    for (size_t i = 0; i < c->text_count; i++)
        if (text_same(c->texts[i].text, json)) return config_value_of(c, c->texts[i].value, out, e);
    char *copy = arena_text(&c->arena, json.p, json.n);
    if (!copy) return error_nomem(e);
    if (!memory_grow(c->arena.memory, (void **)&c->texts, &c->text_cap, c->text_count + 1, sizeof *c->texts,
                     e))
        return false;
    json_value *doc = json_doc_parse(json.p, json.n, e);
    if (!doc) return false;
    c->texts[c->text_count++] = (struct kept){ { copy, json.n }, doc };
    return config_value_of(c, doc, out, e);
}

/* ---- metadata --------------------------------------------------------------------------------- */

NUMEL_MUST static bool meta_scalar(struct config *c, enum metadata_type type, const struct metadata_value *v,
                                   struct value *out, numel_error *e)
{
    int64_t n;
    if (type == META_STRING) {
        char *copy = arena_text(&c->arena, v->s.p, v->s.n);
        if (!copy) return error_nomem(e);
        return *out = value_text((numel_str){ copy, v->s.n }), true;
    }
    if (type == META_BOOL) return *out = value_bool(v->u != 0), true;
    if (metadata_integer(v, &n)) return *out = value_int(n), true;
    *out = (struct value){ .kind = VALUE_REAL };
    out->r = type == META_F32 || type == META_F64 ? v->f : (double)v->u;
    return true;
}

/* Long lists (tokenizers) stay in the mapped file: they are counted, not read. */
NUMEL_MUST static bool meta_list(struct config *c, const struct metadata_entry *m, struct value *out,
                                 numel_error *e)
{
    const struct memo *known = memo_find(c, m);
    if (known) return *out = known->value, true;
    const struct metadata_array *a = &m->array;
    *out = (struct value){ .kind = VALUE_LIST, .list = { NULL, a->count } };
    if (!a->mapped && a->type != META_ARRAY && a->count <= CONFIG_LIST) {
        struct value *items = list_room(c, a->count, e);
        struct metadata_value v;
        uint64_t at = 0, i = 0;
        if (!items) return false;
        for (; i < a->count && metadata_next(a, &at, &v); i++)
            if (!meta_scalar(c, a->type, &v, &items[i], e)) return false;
        if (i == a->count) out->list.items = items;
    }
    return memo_add(c, m, out, e);
}

/* Finds "llama.block_count" for block_count, else the key as given. The architecture comes from the file: any
 * bytes, any length. */
static const struct metadata_entry *meta_find(const struct config *c, numel_str path)
{
    const struct metadata_entry *m = metadata_find_in(c->metadata, c->gguf_arch, path);
    for (size_t i = 0; !m && i < c->metadata->count; i++)
        if (text_same(c->metadata->entries[i].key, path)) m = &c->metadata->entries[i];
    return m;
}

NUMEL_MUST static bool from_metadata(struct config *c, numel_str path, struct value *out, bool *found,
                                     numel_error *e)
{
    const struct metadata_entry *m = meta_find(c, path);
    *found = m != NULL;
    if (m)
        return m->type == META_ARRAY ? meta_list(c, m, out, e) : meta_scalar(c, m->type, &m->value, out, e);
    m = text_equal(path, "vocab_size") ? metadata_find(c->metadata, "tokenizer.ggml.tokens") : NULL;
    if (!m || m->type != META_ARRAY || m->array.count > INT64_MAX) return true;
    *out = value_int((int64_t)m->array.count);
    out->key = "tokenizer.ggml.tokens";
    return *found = true;
}

/* ---- lookup ----------------------------------------------------------------------------------- */

struct question {
    struct config *config;
    const struct spec *spec;
    enum side side;
    const numel_str *paths;
    unsigned count;
    numel_error *error;
};

NUMEL_MUST static bool settle(const struct question *q, struct value *out, enum evidence evidence,
                              numel_str key, const char *by)
{
    out->evidence = evidence;
    out->by = by;
    if (!out->key) out->key = arena_text(&q->config->arena, key.p, key.n);
    return out->key || error_nomem(q->error);
}

/* Each of these returns 1 if it found a value, 0 if not, -1 on failure. */
static int ask_set(const struct question *q, struct value *out)
{
    for (unsigned i = 0; i < q->count; i++) {
        struct assignment *set = config_set_find(q->config, q->paths[i]);
        if (!set) continue;
        set->used = true;
        if (!config_value_of(q->config, set->value, out, q->error)) return -1;
        return settle(q, out, EVIDENCE_SET, q->paths[i], NULL) ? 1 : -1;
    }
    return 0;
}

/* Null counts as found, but another path may still have a value. */
static int ask_documents(const struct question *q, struct value *out)
{
    int answer = 0;
    for (unsigned i = 0; i < q->count; i++) {
        size_t n = q->side == SIDE_GGUF ? q->config->metadata != NULL : q->config->document_count;
        for (size_t k = 0; k < n; k++) {
            struct value v = value_null();
            bool found = false;
            if (!(q->side == SIDE_GGUF ? from_metadata(q->config, q->paths[i], &v, &found, q->error)
                                       : declared(q->config, q->spec, &q->config->documents[k], q->paths[i],
                                                  &v, &found, q->error)))
                return -1;
            if (!found || (answer && v.kind == VALUE_NULL)) continue;
            if (config_hides(q->config, q->paths[0], &v)) continue;
            *out = v;
            if (!settle(q, out, EVIDENCE_DECLARED, q->paths[i], NULL)) return -1;
            if (v.kind != VALUE_NULL) return 1;
            answer = 1;
        }
    }
    return answer;
}

static int ask_inferred(const struct question *q, struct value *out)
{
    for (unsigned i = 0; i < q->count; i++) {
        struct inferred *x = inferred_find(q->config, q->paths[i]);
        if (x) x->asked = true;
        if (!x || (x->value.kind == VALUE_NULL && !x->null)) continue;
        *out = x->value;
        out->key = x->key.p;
        return settle(q, out, EVIDENCE_INFERRED, x->key, NULL) ? 1 : -1;
    }
    return 0;
}

static int ask_spec(const struct question *q, struct value *out)
{
    for (unsigned i = 0; q->spec && i < q->count; i++)
        for (size_t k = 0; k < q->spec->default_count; k++) {
            const struct spec_default *d = &q->spec->defaults[k];
            if (!text_equal(q->paths[i], d->path) || config_part_overrules(q->config, q->spec, d)) continue;
            if (!json_text_value(q->config, text_of(d->json), out, q->error)) return -1;
            return settle(q, out, EVIDENCE_DEFAULTED, q->paths[i], q->spec->name) ? 1 : -1;
        }
    return 0;
}

/* Returns 1 if the key, under this name, is not given or equals its class's default; 0 if it has another
 * value; -1 on failure. Other names of the key are ignored, as the class applies them only after it has
 * derived its values. */
static int is_default(const struct question *of, const struct place *at, numel_str key)
{
    struct config *c = of->config;
    const struct document *d = c->document_count ? c->documents : NULL;
    numel_str front = text_upto(of->paths[0], (size_t)(at->last.p - of->paths[0].p)), json;
    numel_str path = arena_join(&c->arena, front, text_of(""), key);
    struct question q = { c, of->spec, of->side, &path, 1, of->error };
    struct value given = value_null(), usual = value_null();
    if (!path.p) return error_nomem(of->error), -1;
    struct place dep = config_place(c, of->spec, d, path);
    bool plain = d && !d->params && !config_is_timm(d->root);
    int answer = ask_set(&q, &given);
    if (!answer && !(plain && !json_at(dep.object, dep.last))) answer = ask_documents(&q, &given);
    if (!answer) answer = ask_inferred(&q, &given);
    if (answer <= 0) return answer < 0 ? -1 : 1;
    bool known = dep.has_class && defaults_value(&dep.class, dep.last, &json);
    if (known && !json_text_value(c, json, &usual, q.error)) return -1;
    return value_equal(&given, &usual);
}

/* The value that the class derives from other keys, if all of those have their defaults. Returns as ask_set()
 * does. */
static int class_makes(const struct question *q, const struct place *at, numel_str key, numel_str *json)
{
    numel_str of;
    if (!defaults_derived(&at->class, key, &of, json)) return 0;
    q->config->passing |= of.n && q->config->inferred_count;
    while (of.n) {
        int answer = is_default(q, at, text_cut(&of, ','));
        if (answer <= 0) return answer;
    }
    return 1;
}

/* The class default of the key, under either of its names. */
static int class_says(const struct question *q, const struct place *at, numel_str *json)
{
    numel_str other = { NULL, 0 };
    if (defaults_value(&at->class, at->last, json)) return 1;
    bool named = defaults_alias(&at->class, at->last, &other);
    if (named && defaults_value(&at->class, other, json)) return 1;
    int made = class_makes(q, at, at->last, json);
    return made || !named ? made : class_makes(q, at, other, json);
}

static int ask_class(const struct question *q, struct value *out)
{
    struct config *c = q->config;
    const struct document *d = c->document_count ? &c->documents[0] : NULL;
    for (unsigned i = 0; i < q->count; i++) {
        struct question one = { c, q->spec, q->side, &q->paths[i], 1, q->error };
        struct place at = config_place(c, q->spec, d, q->paths[i]);
        numel_str json;
        int said = at.has_class ? class_says(&one, &at, &json) : 0;
        if (said < 0) return -1;
        if (!said) continue;
        char *by = arena_text(&c->arena, at.class.name.p, at.class.name.n);
        if (!by) return error_nomem(q->error), -1;
        if (!json_text_value(c, json, out, q->error)) return -1;
        return settle(q, out, EVIDENCE_DEFAULTED, q->paths[i], by) ? 1 : -1;
    }
    return 0;
}

/* Never returns 0: a key that is not given has a default, or is null. */
static int assume(const struct question *q, struct value *out)
{
    int answer = ask_spec(q, out);
    if (!answer && q->side == SIDE_HF) answer = ask_class(q, out);
    if (answer && !config_hides_default(q->config, q->paths[0], out)) return answer;
    *out = value_null();
    return !q->count || settle(q, out, EVIDENCE_CONSTANT, q->paths[0], NULL) ? 1 : -1;
}

enum { ANSWER_PATHS = 240 };

/* The paths as one name; 0 if they are too long. */
static size_t paths_name(const struct question *q, char out[ANSWER_PATHS])
{
    struct fixed text = fixed_of(out, ANSWER_PATHS);
    for (unsigned i = 0; i < q->count; i++) {
        fixed_add(&text, q->paths[i]);
        fixed_char(&text, 0);
    }
    return fixed_str(&text).n;
}

/* The cached answer for these paths, created if new. NULL on failure, or if the paths are too long to be
 * cached. */
NUMEL_MUST static struct answer *answer_for(const struct question *q)
{
    struct config *c = q->config;
    char name[ANSWER_PATHS];
    numel_str paths = { name, paths_name(q, name) };
    if (!paths.n) return NULL;
    if (c->answers_spec != q->spec || c->answers_side != q->side) forget_answers(c);
    c->answers_spec = q->spec;
    c->answers_side = q->side;
    uint32_t known = names_find(&c->by_paths, c->answers, paths);
    if (known != NAMES_ABSENT) return &c->answers[known];
    size_t k = c->answer_count;
    paths.p = arena_text(&c->arena, name, paths.n);
    if (!paths.p) return error_nomem(q->error), NULL;
    if (!memory_grow(c->arena.memory, (void **)&c->answers, &c->answer_cap, k + 1, sizeof *c->answers,
                     q->error))
        return NULL;
    c->answers[k] = (struct answer){ .paths = paths };
    if (!names_reserve(&c->by_paths, k + 1, q->error)) return NULL;
    names_enter(&c->by_paths, c->answers, k);
    int declared = ask_set(q, &c->answers[k].value);
    if (!declared) declared = ask_documents(q, &c->answers[k].value);
    c->answers[k].declared = declared > 0;
    c->answer_count++;
    return declared < 0 ? forget_answers(c), NULL : &c->answers[k];
}

void config_suppose(struct config *c, numel_str model_type)
{
    c->supposed = model_type;
    forget_answers(c);
}

bool config_value(struct config *c, const struct spec *spec, enum side side, const numel_str *paths,
                  unsigned count, struct value *out, numel_error *e)
{
    struct question q = { c, spec, side, paths, count, e };
    *out = value_null();
    struct answer *a = answer_for(&q);
    if (!error_free(e)) return false;
    int answer = a ? a->declared : ask_set(&q, out);
    if (!answer && !a) answer = ask_documents(&q, out);
    if (!answer && (answer = ask_inferred(&q, out))) return answer > 0;
    if (!a) return answer ? answer > 0 : assume(&q, out) > 0;
    c->passing = false;
    if (!answer && !a->assumed && !(a->assumed = assume(&q, &a->value) > 0)) return false;
    a->assumed &= !c->passing;
    *out = a->value;
    return true;
}

bool config_symbol(struct config *c, numel_str symbol, struct value *out)
{
    struct assignment *set = config_set_find(c, symbol);
    numel_error ignored = { 0 };
    if (!set || !config_value_of(c, set->value, out, &ignored)) return false;
    set->used = true;
    out->evidence = EVIDENCE_SET;
    out->key = set->text;
    return true;
}
