/*
 * find_components.c -- folders with one multi-part model, recognised by their index.
 *
 *     model_index.json   { "_class_name": PIPELINE, NAME: [LIBRARY, CLASS], NAME: [null, null], ... }
 *     modules.json       [ { "idx": 0, "name": "0", "path": "1_Pooling", "type": "PACKAGE.CLASS" }, ... ]
 *
 * The first is diffusers': a component is in the folder of its name, [null, null] marks an absent one, and
 * anything but a pair of texts is an argument of the pipeline. The second is sentence-transformers': a module
 * is in its path, empty for the folder itself; a Router's own modules are in its folder. The index's contents
 * are kept next to the found sets; the room `components` judges them. Weights next to model_index.json are
 * separate checkpoints, as single files are.
 *
 * An index is untrusted text: a name leads one step down into the folder, or nowhere.
 */
#include "reader/find_internal.h"

#include "base/json_doc.h"
#include "base/text.h"
#include "source/folder.h"
#include "source/slurp.h"

#include <string.h>

enum { INDEX_MOST = 4 << 20, COMPONENTS_MOST = 1000 };

struct indexing {
    struct finding_sets *g;
    struct found_pipeline *p;
    size_t cap; /* of its items, which may move until all are added */
};

NUMEL_MUST static const char *keep(struct arena *a, const char *text)
{
    return text ? arena_text(a, text, strlen(text)) : NULL;
}

/* One folder in the index's folder, or (empty) that folder. */
static bool is_below(const char *place)
{
    return place[0] != '.' && !strchr(place, '/') && strlen(place) < 256;
}

NUMEL_MUST static struct found_component *add_component(struct indexing *x, const char *name)
{
    struct arena *a = x->g->arena;
    struct found_component *items = arena_grow(a, x->p->items, x->p->count, &x->cap, sizeof *items);
    if (!items) return error_nomem(x->g->error), NULL;
    x->p->items = items;
    struct found_component *c = &x->p->items[x->p->count++];
    *c = (struct found_component){ .name = keep(a, name) };
    c->place = c->name;
    if (c->name) return c;
    error_nomem(x->g->error);
    return NULL;
}

/* Recognises classes without weights by the ends of their names; other classes' weights are searched for. */
static void judge_class(struct found_component *p)
{
    static const struct {
        const char *end, *library; /* NULL: any */
        bool bare;
    } ends[] = {
        { "Scheduler", NULL, false },
        { "Guidance", "diffusers", false },
        { "FeatureExtractor", NULL, false },
        { "ImageProcessor", NULL, false },
        { "Processor", NULL, false },
        { "ProcessorFast", NULL, false },
        { "Tokenizer", "transformers", false },
        { "TokenizerFast", "transformers", false },
        { "TokenizersBackend", "transformers", false },
        { "Pooling", "sentence_transformers", false },
        { "MultiVectorMask", "sentence_transformers", false },
        { "LogitScore", "sentence_transformers", false },
        { "BoW", "sentence_transformers", false },
        { "Router", "sentence_transformers", false },
        { "Asym", "sentence_transformers", false },
        { "Normalize", "sentence_transformers", true },
        { "Dropout", "sentence_transformers", true },
    };
    if (!p->class || text_ends(text_of(p->class), "WeightedLayerPooling")) return; /* one per layer */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        bool ours = !ends[i].library || strcmp(ends[i].library, p->library) == 0;
        if (p->plain || !ours || !text_ends(text_of(p->class), ends[i].end)) continue;
        p->plain = true;
        p->bare = ends[i].bare;
    }
}

/* ---- model_index.json --------------------------------------------------------------------- */

/* Multi-classes: MultiControlNetModel, FluxMultiControlNetModel, MultiAdapter. The first member is saved in
 * the folder of its name, the others after it in NAME_1, NAME_2, and so on. *member: the members' class; NULL
 * if the class is not one. */
NUMEL_MUST static bool member_class(struct indexing *x, const char *class, const char **member)
{
    const char *multi = strstr(class, "Multi"), *behind = multi ? multi + 5 : "";
    *member = NULL;
    if (strcmp(class, "MultiAdapter") == 0) *member = "T2IAdapter";
    else if (strncmp(behind, "ControlNet", 10) == 0)
        *member = arena_join(x->g->arena, text_span(class, multi), text_of(behind), text_of("")).p;
    return !x->g->arena->failed || error_nomem(x->g->error);
}

NUMEL_MUST static bool add_members(struct indexing *x, const char *name, const struct found_component first)
{
    for (size_t k = 1; k < x->p->beside->count; k++) {
        const char *next = arena_format(x->g->arena, "%s_%zu", name, k);
        if (!next) return error_nomem(x->g->error);
        const struct folder_entry *at = folder_entry(x->p->beside, text_of(next));
        if (!at || !at->directory) break;
        struct found_component *c = add_component(x, next);
        if (!c) return false;
        c->library = first.library;
        c->class = first.class;
    }
    return true;
}

/* NAME: [LIBRARY, CLASS] or [null, null]; anything else is not a component. */
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
    const char *member;
    c->library = keep(x->g->arena, json_text_of(library));
    c->class = keep(x->g->arena, json_text_of(class));
    if (!c->library || !c->class) return error_nomem(x->g->error);
    judge_class(c);
    if (!member_class(x, c->class, &member)) return false;
    if (!member) return true;
    c->class = member;
    return add_members(x, name, *c);
}

/* ---- modules.json ------------------------------------------------------------------------- */

/* "sentence_transformers.models.Dense", or today "sentence_transformers.base.modules.dense.Dense": package
 * and class. */
NUMEL_MUST static bool take_type(struct indexing *x, struct found_component *c, const char *type)
{
    const char *dot = strrchr(type, '.'), *first = strchr(type, '.');
    c->class = keep(x->g->arena, dot ? dot + 1 : type);
    c->library = arena_text(x->g->arena, type, first ? (size_t)(first - type) : 0);
    if (!c->class || !c->library) return error_nomem(x->g->error);
    judge_class(c);
    return true;
}

/* A module in another module's folder. */
NUMEL_MUST static bool add_route(struct indexing *x, const char *place, const json_value *v)
{
    const char *name = json_name(v), *type = json_text_of(v);
    if (!name || !name[0] || !type || !is_below(name) || x->p->count == COMPONENTS_MOST)
        return error_set(x->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         "a route of %s has no type, or a name outside its folder", place);
    const char *at = place[0] ? arena_format(x->g->arena, "%s/%s", place, name) : name;
    struct found_component *c = at ? add_component(x, at) : NULL;
    return c ? take_type(x, c, type) : error_nomem(x->g->error);
}

/* A Router (formerly Asym) has its own modules, each in a subfolder, listed in router_config.json (formerly
 * config.json). */
NUMEL_MUST static bool add_routes(struct indexing *x, const struct found_component of)
{
    json_value *doc = NULL;
    numel_error *e = x->g->error, ignored = { .code = NUMEL_OK };
    const char *place = of.place, *names[] = { "router_config.json", "config.json" };
    if (strcmp(of.class, "Router") != 0 && strcmp(of.class, "Asym") != 0) return true;
    for (size_t i = 0; i < 2 && !doc; i++) {
        const char *path =
            arena_format(x->g->arena, "%s/%s%s%s", x->p->dir, place, place[0] ? "/" : "", names[i]);
        if (!path) return error_nomem(e);
        doc = slurp_json(path, INDEX_MOST, x->g->arena->memory, &ignored);
        if (ignored.code == NUMEL_E_NOMEM) return error_nomem(e);
        error_clear(&ignored);
    }
    bool ok = true;
    for (const json_value *v = json_first(json_get(doc, "types")); v && ok; v = json_next(v))
        ok = add_route(x, place, v);
    json_doc_free(doc);
    return ok;
}

NUMEL_MUST static bool add_module(struct indexing *x, const json_value *v, size_t i)
{
    struct arena *a = x->g->arena;
    const char *type = json_text_of(json_get(v, "type")), *path = json_text_of(json_get(v, "path"));
    size_t n = path ? strlen(path) : 0;
    while (n && path[n - 1] == '/') n--;
    if (n == 1 && path[0] == '.') n = 0;
    const char *place = arena_text(a, path ? path : "", n);
    if (!place) return error_nomem(x->g->error);
    if (!type || !path || !is_below(place))
        return error_set(x->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         "module %zu has no type, or a path outside the folder", i);
    struct found_component *c = add_component(x, place);
    if (!c) return false;
    if (!take_type(x, c, type)) return false;
    if (!place[0]) c->name = arena_format(a, "%zu_%s", i, c->class);
    return c->name ? add_routes(x, *c) : error_nomem(x->g->error);
}

/* ---- the index ---------------------------------------------------------------------------- */

/* Components that are promised but not saved, because the pipeline's constructor creates them: no folder
 * needed. */
static void spare_made(struct found_pipeline *p)
{
    static const char *const made[][2] = { { "LongCatAudioDiTPipeline", "scheduler" } };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        for (size_t k = 0; k < p->count && strcmp(p->class, made[i][0]) == 0; k++)
            if (p->items[k].class && strcmp(p->items[k].name, made[i][1]) == 0) p->items[k].bare = true;
}

/* "FluxPipeline"; ["my_pipeline", "MyPipeline"], a code module next to it and its class. */
static const char *pipeline_class(const json_value *v)
{
    const json_value *first = json_kind(v) == JSON_ARRAY ? json_first(v) : NULL;
    return json_text_of(first ? json_next(first) : v);
}

NUMEL_MUST static bool take_index(struct indexing *x, const json_value *doc)
{
    struct found_pipeline *p = x->p;
    size_t n = json_count(doc), i = 0;
    if (json_kind(doc) != (p->modules ? JSON_ARRAY : JSON_OBJECT) || n > COMPONENTS_MOST)
        return error_set(x->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         "is not a list of components: expected %s of at most %d",
                         p->modules ? "an array" : "an object", COMPONENTS_MOST);
    for (const json_value *v = json_first(doc); v; v = json_next(v), i++)
        if (!(p->modules ? add_module(x, v, i) : add_promise(x, v))) return false;
    const char *class = p->modules ? "SentenceTransformer" : pipeline_class(json_get(doc, "_class_name"));
    if (!class || !n)
        return error_set(x->g->error, NUMEL_E_FORMAT, NUMEL_NOWHERE,
                         class ? "lists no modules" : "has no _class_name");
    p->class = keep(x->g->arena, class);
    if (!p->class) return error_nomem(x->g->error);
    spare_made(p);
    return true;
}

/* An unreadable index is reported with its components: the checkpoints exist anyway. */
NUMEL_MUST static bool read_index(struct indexing *x)
{
    numel_error *e = x->g->error;
    json_value *doc = slurp_json(x->p->index, INDEX_MOST, x->g->arena->memory, e);
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
    p->library = modules ? "sentence-transformers" : "diffusers";
    struct indexing x = { g, p, 0 };
    *out = p;
    return read_index(&x);
}

void find_pipeline_sets(struct finding_sets *g, struct found_pipeline *p)
{
    struct numel_found *f = g->found;
    p->sets = f->count - p->first;
    for (size_t i = p->first; i < f->count; i++) {
        struct found_set *s = &f->sets[i];
        numel_str place = text_of(path_below(p->dir, s->dir));
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
