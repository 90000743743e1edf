/*
 * find_components.c -- folders that are one model of several checkpoints, by the index in them.
 *
 *     model_index.json   { "_class_name": PIPELINE, NAME: [LIBRARY, CLASS], NAME: [null, null], ... }
 *     modules.json       [ { "idx": 0, "name": "0", "path": "1_Pooling", "type": "PACKAGE.CLASS" }, ... ]
 *
 * The first is diffusers': a component lies in the folder of its name, [null, null] says that there is none, and what is
 * no pair of texts is an argument of the pipeline. The second is sentence-transformers': a module lies in its path, and
 * an empty one is the folder itself. What the index says is kept beside the sets that were found; what it comes to is
 * for the room `components`. Weights beside model_index.json are checkpoints of their own, as single files are.
 *
 * An index is text that somebody else wrote: a name leads into the folder, one step down, or nowhere.
 */
#include "reader/find_internal.h"

#include "base/json_doc.h"
#include "base/text.h"
#include "source/slurp.h"

#include <string.h>

enum { INDEX_MOST = 4 << 20, COMPONENTS_MOST = 1000 };

struct indexing {
    struct finding_sets *g;
    struct found_pipeline *p;
};

NUMEL_MUST static const char *keep(struct arena *a, const char *text)
{
    return text ? arena_text(a, text, strlen(text)) : NULL;
}

/* One folder in the folder of the index, or (empty) that. */
static bool is_below(const char *place)
{
    return place[0] != '.' && !strchr(place, '/') && strlen(place) < 256;
}

NUMEL_MUST static struct found_component *add_component(struct indexing *x, const char *name)
{
    struct arena *a = x->g->arena;
    struct found_component *c = &x->p->items[x->p->count++];
    *c = (struct found_component){ .name = keep(a, name) };
    c->place = c->name;
    if (c->name) return c;
    error_nomem(x->g->error);
    return NULL;
}

/* ---- model_index.json --------------------------------------------------------------------- */

/* NAME: [LIBRARY, CLASS] or [null, null]; anything else is no component. */
NUMEL_MUST static bool add_promise(struct indexing *x, const json_value *v)
{
    const json_value *library = json_kind(v) == JSON_ARRAY ? json_first(v) : NULL;
    const json_value *class = library ? json_next(library) : NULL;
    const char *name = json_name(v);
    if (!class || !name || !name[0] || name[0] == '_' || !is_below(name)) return true;
    bool none = json_kind(library) == JSON_NULL && json_kind(class) == JSON_NULL;
    if (!none && (json_kind(library) != JSON_STRING || json_kind(class) != JSON_STRING)) return true;
    struct found_component *c = add_component(x, name);
    if (!c || none) return c != NULL;
    c->library = keep(x->g->arena, json_text_of(library));
    c->class = keep(x->g->arena, json_text_of(class));
    return (c->library && c->class) || error_nomem(x->g->error);
}

/* ---- modules.json ------------------------------------------------------------------------- */

/* "sentence_transformers.models.Dense", and "sentence_transformers.base.modules.dense.Dense" of today: the package and
 * the class. */
NUMEL_MUST static bool add_module(struct indexing *x, const json_value *v, size_t i)
{
    struct arena *a = x->g->arena;
    const char *type = json_text_of(json_get(v, "type")), *path = json_text_of(json_get(v, "path"));
    const char *dot = type ? strrchr(type, '.') : NULL, *first = type ? strchr(type, '.') : NULL;
    size_t n = path ? strlen(path) : 0;
    while (n && path[n - 1] == '/') n--;
    const char *place = arena_text(a, path ? path : "", n);
    if (!place) return error_nomem(x->g->error);
    if (!type || !path || !is_below(place))
        return error_set(x->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         "module %zu has no type, or a path that leads out of the folder", i);
    struct found_component *c = add_component(x, place);
    if (!c) return false;
    c->class = keep(a, dot ? dot + 1 : type);
    c->library = arena_text(a, type, first ? (size_t)(first - type) : 0);
    if (!place[0] && c->class) c->name = arena_format(a, "%zu_%s", i, c->class);
    return (c->class && c->library && c->name) || error_nomem(x->g->error);
}

/* ---- the index ---------------------------------------------------------------------------- */

static size_t count_children(const json_value *doc)
{
    size_t n = 0;
    for (const json_value *v = json_first(doc); v; v = json_next(v)) n++;
    return n;
}

NUMEL_MUST static bool take_index(struct indexing *x, const json_value *doc)
{
    struct found_pipeline *p = x->p;
    size_t n = count_children(doc), i = 0;
    if (json_kind(doc) != (p->modules ? JSON_ARRAY : JSON_OBJECT) || n > COMPONENTS_MOST)
        return error_set(x->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         "is not a list of components: %s of at most %d is meant",
                         p->modules ? "an array" : "an object", COMPONENTS_MOST);
    p->items = arena_alloc(x->g->arena, (n + 1) * sizeof *p->items);
    if (!p->items) return error_nomem(x->g->error);
    for (const json_value *v = json_first(doc); v; v = json_next(v), i++)
        if (!(p->modules ? add_module(x, v, i) : add_promise(x, v))) return false;
    const char *class = json_text_of(json_get(doc, "_class_name"));
    p->class = keep(x->g->arena, p->modules ? "SentenceTransformer" : class ? class : "DiffusionPipeline");
    return p->class || error_nomem(x->g->error);
}

/* An index that cannot be read says so with its components: the checkpoints are there all the same. */
NUMEL_MUST static bool read_index(struct indexing *x)
{
    struct buffer text;
    numel_error *e = x->g->error;
    buffer_init(&text, x->g->arena->memory);
    json_value *doc = slurp(&text, x->p->index, INDEX_MOST, e) ? json_doc_parse(text.p, text.n, e) : NULL;
    buffer_done(&text);
    bool ok = doc && take_index(x, doc);
    json_doc_free(doc);
    if (ok) return true;
    if (e->code == NUMEL_E_NOMEM || x->g->arena->failed) return error_nomem(e);
    error_file(e, x->p->index);
    x->p->why = arena_copy(x->g->arena, e, sizeof *e);
    x->p->count = 0;
    error_clear(e);
    return x->p->why || error_nomem(e);
}

bool find_pipeline(struct finding_sets *g, const char *dir, const struct folder *f,
                   struct found_pipeline **out)
{
    static const char *const names[] = { "model_index.json", "modules.json" };
    bool modules = !folder_has(f, text_of(names[0]));
    *out = NULL;
    if (modules && !folder_has(f, text_of(names[1]))) return true;
    struct found_pipeline *p = arena_alloc(g->arena, sizeof *p);
    const char *index = path_join(g->arena, dir, text_of(names[modules]));
    if (!p || !index) return error_nomem(g->error);
    *p = (struct found_pipeline){
        .dir = dir, .index = index, .class = "", .modules = modules, .beside = f, .first = g->found->count
    };
    struct indexing x = { g, p };
    *out = p;
    return read_index(&x);
}

void find_pipeline_sets(struct finding_sets *g, struct found_pipeline *p)
{
    struct numel_found *f = g->found;
    p->sets = f->count - p->first;
    for (size_t i = p->first; i < f->count; i++) {
        struct found_set *s = &f->sets[i];
        numel_str place = strcmp(s->dir, p->dir) == 0 ? text_of("") : path_base(s->dir);
        s->pipeline = p;
        for (size_t k = 0; k < p->count && !s->component; k++)
            if (text_equal(place, p->items[k].place)) s->component = &p->items[k];
    }
}

size_t numel_found_components(const numel_found *f, size_t i)
{
    const struct found_pipeline *p = i < f->count ? f->sets[i].pipeline : NULL;
    return p && p->first == i ? p->sets : 0;
}
