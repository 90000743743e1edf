/*
 * find_submodels.c -- transformers folders that contain further models, each with its own configuration.
 *
 *     config.json  model-00001-of-00002.safetensors ...   the model
 *     speech_tokenizer/config.json  model.safetensors     named by the configuration above: a component
 *     whisper-large/config.json  model.safetensors        not named: next to the components, not counted
 *     checkpoint-500/  onnx/  original/                   not models (around.h)
 *
 * The folder's config.json serves as the index. It names a model by its folder's name, as a key or as the end
 * of a path, or by its model type, if that differs from its own. A folder without weights of its own consists
 * only of its models. In a folder without config.json, each model is separate.
 */
#include "reader/find_internal.h"

#include "reader/around.h"
#include "base/text.h"

#include <string.h>

enum { DEEPEST = 4 };

struct naming_of {
    const char *place, *type; /* NULL: not distinctive */
};

static bool is_key(const char *key, const char *place)
{
    numel_str name = text_of(key);
    text_take_end(&name, "_config");
    return text_equal(name, place);
}

static bool names_it(const json_value *doc, const struct naming_of *x, unsigned deep)
{
    for (const json_value *v = json_first(doc); v; v = json_next(v)) {
        const char *text = json_text_of(v), *key = json_name(v);
        if (key && is_key(key, x->place)) return true;
        if (text && (text_equal(path_base(text), x->place) || (x->type && strcmp(text, x->type) == 0)))
            return true;
        if (!text && deep < DEEPEST && names_it(v, x, deep + 1)) return true;
    }
    return false;
}

/* Most folders have none, and then nothing is read. */
static bool has_folders(const struct folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->entries[i].directory && f->entries[i].name.p[0] != '.') return true;
    return false;
}

struct gathering {
    struct finding_sets *g;
    const struct folder *f;
    const json_value *config;
    const char *type; /* from the configuration; or NULL */
    bool own;         /* the folder itself has weights */
    struct found_pipeline *p;
    const char **places; /* of models, named or not */
    size_t count;
};

NUMEL_MUST static bool add_promise(struct gathering *x, const char *name, const char *place,
                                   const struct around_item *what)
{
    struct found_component *c = &x->p->items[x->p->count++];
    *c = (struct found_component){ .name = name,
                                   .place = place,
                                   .library = "transformers",
                                   .class = what->class };
    return name && place && c->class ? true : error_nomem(x->g->error);
}

/* *is: the folder has a model with readable weights. */
NUMEL_MUST static bool judge(struct gathering *x, const char *name, struct around_item *what, bool *is)
{
    struct folder f;
    char *path = path_join(x->g->arena, x->p->dir, text_of(name));
    *is = false;
    if (!path) return error_nomem(x->g->error);
    if (!folder_look(&f, path, x->g->arena, x->g->error)) return false;
    bool ok = !folder_has_weights(&f) || around_judge(what, x->config, path, &f, x->g->arena, x->g->error);
    *is = ok && what->kind == AROUND_MODEL;
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool gather(struct gathering *x)
{
    for (size_t i = 0; i < x->f->count; i++) {
        const char *name = x->f->entries[i].name.p;
        struct around_item what = { .kind = AROUND_OTHER };
        bool is;
        if (!x->f->entries[i].directory || name[0] == '.') continue;
        if (!judge(x, name, &what, &is)) return false;
        if (!is) continue;
        x->places[x->count++] = name;
        bool other = what.type && (!x->type || strcmp(what.type, x->type) != 0);
        bool named = names_it(x->config, &(struct naming_of){ name, other ? what.type : NULL }, 0);
        if ((named || !x->own) && !add_promise(x, name, name, &what)) return false;
    }
    return true;
}

/* The folder's own model comes first. */
NUMEL_MUST static bool take_own(struct gathering *x)
{
    struct around_item what = { .kind = AROUND_OTHER };
    if (!around_judge(&what, NULL, x->p->dir, x->f, x->g->arena, x->g->error)) return false;
    x->type = what.type;
    x->p->class = what.class ? what.class : "models";
    return !x->own || add_promise(x, "model", "", &(struct around_item){ .class = x->p->class });
}

bool find_submodels(struct finding_sets *g, const char *dir, const struct folder *f, size_t first,
                    struct found_pipeline **out, const char *const **places, size_t *count)
{
    struct gathering x = { .g = g, .f = f, .own = g->found->count > first };
    json_value *config;
    *out = NULL;
    if (!has_folders(f)) return true;
    if (!around_config(&config, dir, f, g->arena, g->error)) return false;
    if (!config) return true;
    x.config = config;
    x.p = arena_alloc(g->arena, sizeof *x.p);
    x.places = arena_alloc(g->arena, (f->count + 1) * sizeof *x.places);
    struct found_component *items = arena_alloc(g->arena, (f->count + 1) * sizeof *items);
    const char *index = path_join(g->arena, dir, text_of("config.json"));
    bool ok = x.p && x.places && items && index;
    if (!ok) error_nomem(g->error);
    if (ok)
        *x.p = (struct found_pipeline){ .dir = dir,
                                        .index = index,
                                        .class = "",
                                        .library = "transformers",
                                        .beside = f,
                                        .first = first,
                                        .items = items };
    ok = ok && take_own(&x) && gather(&x);
    json_doc_free(config);
    if (ok && x.count) {
        *out = x.p;
        *places = x.places;
        *count = x.count;
    }
    return ok;
}
