/*
 * review_json.c -- a document's keys that name code or hold templates, at any depth:
 *
 *     "auto_map": { "AutoModel": "modeling_x.XModel", "AutoTokenizer": ["org/repo--tok.XTokenizer", null] }
 *     "custom_pipelines": { "NAME": { "impl": "pipeline.XPipeline", ... } }
 *     "trust_remote_code": true
 *     "chat_template": "..." | [{ "name": "...", "template": "..." }] | { "NAME": "..." }
 *     modules.json: [{ "type": "custom_st.Transformer", ... }]
 */
#include "verify/review.h"

#include "base/json_scan.h"
#include "base/text.h"
#include "source/folder.h"
#include "source/source.h"

enum { MAX_DOCUMENT = 16 << 20 };

struct document {
    struct review *g;
    struct json_scan s;
    const char *path;
    bool modules; /* modules.json */
    bool code;    /* inside auto_map or custom_pipelines */
};

NUMEL_MUST static bool read_value(struct document *d, numel_str key);

/* A key, unescaped: "auto\u005fmap" is one too. */
NUMEL_MUST static bool read_key(struct document *d, numel_str *out)
{
    struct json_text key;
    return json_key(&d->s, &key) && json_unescape(&d->s, &d->g->arena, key, out);
}

NUMEL_MUST static bool read_text(struct document *d, numel_str *out)
{
    struct json_text text;
    return json_string(&d->s, &text) && json_unescape(&d->s, &d->g->arena, text, out);
}

/* ---- code --------------------------------------------------------------------------------- */

/* "modeling_x.XModel": the file, the class, and the repository before "--". */
struct reference {
    numel_str repository, file, class;
};

static bool reference_of(numel_str s, struct reference *r)
{
    size_t dashes = text_seek(s, text_of("--"));
    *r = (struct reference){ .class = { NULL, 0 } };
    if (dashes < s.n) {
        r->repository = text_upto(s, dashes);
        s = text_from(s, dashes + 2);
    }
    r->file = text_less(text_head(s, '.'), 1);
    r->class = text_after(s, '.');
    return text_find(s, 0, '.') < s.n;
}

/* Is "FILE.py" next to the document? Dots in between are folders. */
NUMEL_MUST static bool is_here(const struct document *d, numel_str file, bool *here)
{
    struct arena *a = &d->g->arena;
    numel_str name = arena_join(a, file, text_of(".py"), text_of(""));
    char *dir = path_directory(a, d->path);
    char *path = name.p && dir ? path_join(a, dir, name) : NULL;
    *here = path && (path_kind(path) == PATH_FILE || path_bytes(path)); /* or a remote one, not read */
    return path || error_nomem(d->g->v->error);
}

NUMEL_MUST static bool tell_reference(struct document *d, numel_str key, numel_str value, uint64_t at)
{
    struct reference r;
    char class[TEXT_QUOTE], file[TEXT_QUOTE], from[TEXT_QUOTE], what[TEXT_QUOTE];
    bool here = false;
    if (!reference_of(value, &r)) return true;
    if (!r.repository.n && !is_here(d, r.file, &here)) return false;
    text_bare(what, (numel_str){ key.p, num_min(key.n, 60) });
    text_bare(class, (numel_str){ r.class.p, num_min(r.class.n, 60) });
    text_bare(file, (numel_str){ r.file.p, num_min(r.file.n, 60) });
    text_bare(from, (numel_str){ r.repository.p, num_min(r.repository.n, 80) });
    review_find(d->g, FINDING_REMOTE_CODE, d->path, at,
                "%s is class %s of %s.py%s%s%s: with trust_remote_code=True that code runs; read it first",
                what, class, file, r.repository.n ? " of the repository " : "", from,
                r.repository.n ? ", which is fetched"
                : here         ? ""
                               : ", which is missing");
    return true;
}

/* ---- templates ---------------------------------------------------------------------------- */

/* { "name": "tool_use", "template": "..." }; or { "tool_use": "..." }, and its other strings. */
NUMEL_MUST static bool read_named(struct document *d)
{
    numel_str key, text, name = { NULL, 0 };
    if (!json_open(&d->s, '{')) return false;
    while (json_more(&d->s, '}')) {
        if (!read_key(d, &key)) return false;
        bool string = json_peek(&d->s) == '"';
        uint64_t at = d->s.at;
        if (!(string ? read_text(d, &text) : json_skip(&d->s))) return false;
        if (!string) continue;
        if (text_equal(key, "name")) name = text;
        else review_template(d->g, d->path, text_equal(key, "template") ? name : key, text, at);
    }
    return json_ok(&d->s);
}

NUMEL_MUST static bool read_templates(struct document *d)
{
    uint8_t c = json_peek(&d->s);
    uint64_t at = d->s.at;
    numel_str text;
    if (c == '"') {
        if (!read_text(d, &text)) return false;
        review_template(d->g, d->path, (numel_str){ NULL, 0 }, text, at);
        return true;
    }
    if (c == '{') return read_named(d);
    if (c != '[') return json_skip(&d->s);
    if (!json_open(&d->s, '[')) return false;
    while (json_more(&d->s, ']'))
        if (!read_templates(d)) return false;
    return json_ok(&d->s);
}

/* ---- the walk ----------------------------------------------------------------------------- */

NUMEL_MUST static bool read_object(struct document *d)
{
    numel_str key;
    if (!json_open(&d->s, '{')) return false;
    while (json_more(&d->s, '}')) {
        if (!read_key(d, &key)) return false;
        bool templates = text_equal(key, "chat_template") || text_equal(key, "chat_templates");
        if (!(templates ? read_templates(d) : read_value(d, key))) return false;
    }
    return json_ok(&d->s);
}

NUMEL_MUST static bool read_array(struct document *d, numel_str key)
{
    if (!json_open(&d->s, '[')) return false;
    while (json_more(&d->s, ']'))
        if (!read_value(d, key)) return false;
    return json_ok(&d->s);
}

NUMEL_MUST static bool read_string(struct document *d, numel_str key)
{
    uint64_t at = d->s.at;
    numel_str text;
    char quoted[TEXT_QUOTE];
    if (!read_text(d, &text)) return false;
    if (d->code) return tell_reference(d, key, text, at);
    if (d->modules && text_equal(key, "type") && !text_starts(text, "sentence_transformers."))
        review_find(d->g, FINDING_REMOTE_CODE, d->path, at,
                    "a module of type %s, which is not part of sentence-transformers: with "
                    "trust_remote_code=True its code runs; read it first",
                    text_quote(quoted, text));
    return true;
}

/* Any value; `key` is its key, or for an array's items the array's. */
NUMEL_MUST static bool read_value(struct document *d, numel_str key)
{
    bool before = d->code;
    uint8_t c = json_peek(&d->s);
    if (c == 't' && text_equal(key, "trust_remote_code"))
        review_find(d->g, FINDING_REMOTE_CODE, d->path, d->s.at,
                    "trust_remote_code is true here: programs that read this file may run code that comes "
                    "with the model");
    d->code |= text_equal(key, "auto_map") || text_equal(key, "custom_pipelines");
    bool ok = c == '"'   ? read_string(d, key)
              : c == '{' ? read_object(d)
              : c == '[' ? read_array(d, key)
                         : json_skip(&d->s);
    d->code = before;
    return ok;
}

NUMEL_MUST static bool read_document(struct document *d, const struct source *s, numel_error *e)
{
    json_start(&d->s, s->base, s->size, 0, e);
    d->s.constants = true;
    return read_value(d, text_of("")) && json_finish(&d->s);
}

/* Do loaders read the file, and has nothing else reported it? Other .json files are searched as far as
 * possible. */
static bool is_loaded(const struct review *g, numel_str name)
{
    const numel_checkpoint *ck = g->v->ck;
    bool linted = ck->file_count && ck->files[0].format == NUMEL_SAFETENSORS;
    static const char globs[] = "*config*.json chat_template*.json model_index.json modules.json";
    if (linted && (text_equal(name, "config.json") || text_equal(name, "generation_config.json")))
        return false;
    return text_globs(text_of(globs), name);
}

bool review_json(struct review *g, const char *path, numel_str name)
{
    struct document d = { .g = g, .path = path, .modules = text_equal(name, "modules.json") };
    struct source s;
    numel_error why = { 0 };
    bool ok = source_read(&s, path, MAX_DOCUMENT, "configuration", g->arena.memory, &why);
    if (ok) {
        ok = s.compressed || read_document(&d, &s, &why);
        source_close(&s);
    }
    if (why.code == NUMEL_E_NOMEM || !error_free(g->v->error)) return error_nomem(g->v->error);
    if (!ok && is_loaded(g, name)) review_unread(g, path, "whether it names code", &why);
    return true;
}
