/*
 * model.c -- resolving: the configuration, then the spec, then the tensors that it expects, then what each
 * stored tensor is. Each step needs the one before it; one that cannot be done leaves the reason in `why`.
 */
#include "model/model.h"

#include "model/config_file.h"
#include "source/folder.h"

/* ---- the configuration -------------------------------------------------------------------- */

struct text_file {
    struct buffer text;
    bool found;
};

/* The text of a JSON file of the configuration, added to it. */
static bool add_json(struct model *model, const char *path, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, model->arena.memory);
    bool ok = config_file_text(path, &text, e);
    if (ok) {
        config_plain(text.p, text.n);
        char *kept = arena_text(&model->arena, text.p, text.n); /* the config borrows it */
        ok = kept ? config_add_json(model->config, kept, text.n, path, e) : error_nomem(e);
        model->from = path;
    }
    buffer_done(&text);
    error_file(e, path);
    return ok;
}

/* A configuration that is not in a file. */
static bool add_given(struct model *model, const numel_knowledge *k, numel_error *e)
{
    const char *name = k->config ? k->config : "configuration";
    char *kept = arena_text(&model->arena, k->config_text, k->config_bytes);
    name = arena_text(&model->arena, name, strlen(name));
    if (!kept || !name) return error_nomem(e);
    config_plain(kept, k->config_bytes);
    model->from = name;
    if (config_add_json(model->config, kept, k->config_bytes, name, e)) return true;
    error_file(e, name);
    return false;
}

/* config.json or params.json of a folder; NULL when there is none. */
static const char *config_in(struct model *model, const char *dir)
{
    static const char *const names[] = { "config.json", "params.json" };
    for (size_t i = 0; dir && i < sizeof names / sizeof *names; i++) {
        const char *path = path_join(&model->arena, dir, text_of(names[i]));
        if (path && path_kind(path) == PATH_FILE) return path;
    }
    return NULL;
}

static bool add_sets(struct model *model, const numel_knowledge *k, numel_error *e)
{
    for (size_t i = 0; i < k->set_count; i++)
        if (!config_set(model->config, k->sets[i], e)) return false;
    return true;
}

/* Where the configuration is. One that the user named must be there. */
static bool find_config(struct model *model, const char *path, const numel_knowledge *k, numel_error *e)
{
    if (!config_new(&model->config, model->arena.memory, e) || !add_sets(model, k, e)) return false;
    if (k->config_text) return add_given(model, k, e);
    if (k->config) {
        const char *own = arena_text(&model->arena, k->config, strlen(k->config));
        return own ? add_json(model, own, e) : error_nomem(e);
    }
    if (model->side == SIDE_GGUF) {
        config_add_metadata(model->config, &model->ck->metadata);
        model->from = "metadata";
        return true;
    }
    const char *dir = model->ck ? model->ck->dir : path;
    const char *found = dir && path_kind(dir) == PATH_DIRECTORY ? config_in(model, dir) : NULL;
    if (!model->ck && path && path_kind(path) != PATH_DIRECTORY)
        found = arena_text(&model->arena, path, strlen(path));
    if (!found) return true;
    if (!model->ck) return add_json(model, found, e);
    if (add_json(model, found, &model->why)) return true; /* a model with a broken config is still a model */
    model->from = NULL;
    return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Older quantizers wrote what they did into a file of its own. One that cannot be read is a broken
 * configuration. */
static bool add_quantization(struct model *model, numel_error *e)
{
    static const struct {
        const char *file, *method;
    } places[] = {
        { "quantize_config.json", "gptq" },
        { "quantization_config.json", NULL },
    };
    struct buffer text;
    const char *dir = model->ck ? model->ck->dir : NULL;
    if (!dir || model->side != SIDE_HF || config_has_quantization(model->config)) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = path_join(&model->arena, dir, text_of(places[i].file));
        if (!path) return error_nomem(e);
        if (path_kind(path) != PATH_FILE) continue;
        buffer_init(&text, model->arena.memory);
        if (config_file_text(path, &text, &model->why))
            config_add_quantization(model->config, text.p, text.n, path, places[i].method, &model->why);
        buffer_done(&text);
        error_file(&model->why, path);
        return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
    }
    return true;
}

/* ---- the spec ----------------------------------------------------------------------------- */

static bool open_library(struct model *model, const numel_knowledge *k, numel_error *e)
{
    if (!library_open(&model->library, model->arena.memory, e)) return false;
    for (size_t i = 0; i < k->spec_count; i++)
        if (!library_add_path(model->library, k->specs[i], e)) return false;
    return true;
}

static bool choose_spec(struct model *model, const numel_knowledge *k, numel_error *e)
{
    if (k->architecture) {
        char name[TEXT_QUOTE];
        model->entry = library_find(model->library, text_of(k->architecture));
        if (!model->entry || !model->entry->architecture)
            return error_set(e, NUMEL_E_ARCH, NUMEL_NOWHERE,
                             "no architecture %s; numel spec list shows those known",
                             text_quote(name, text_of(k->architecture)));
    } else if (error_free(&model->why)) {
        enum side side = config_has_json(model->config) ? SIDE_HF : model->side;
        model->entry = library_match(model->library, model->config, side, &model->why);
    }
    if (!model->entry) return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
    model->architecture = model->entry->name;
    return library_parse(model->library, model->entry, &model->spec, model->arena.memory, NULL, e);
}

/* The configuration's model type, else the spec's name. */
static const char *model_type(struct model *model)
{
    numel_str path = text_of("model_type");
    struct value v;
    numel_error ignored;
    error_clear(&ignored);
    bool found =
        config_value(model->config, model->spec, SIDE_HF, &path, 1, &v, &ignored) && v.kind == VALUE_TEXT;
    const char *own = found ? arena_text(&model->arena, v.s.p, v.s.n) : NULL;
    return own ? own : model->entry->name;
}

static bool name_tensors(struct model *model, numel_error *e)
{
    const char *type = model->side == SIDE_HF ? model_type(model) : NULL;
    if (model->naming.arena) return true; /* a guess has made it */
    return naming_init(&model->naming, &model->ck->registry, model->spec, type, &model->arena, e);
}

static bool expand_spec(struct model *model, numel_error *e)
{
    struct expand_input in = { .spec = model->spec,
                               .config = model->config,
                               .side = model->side,
                               .other_values = model->side == SIDE_GGUF && config_has_json(model->config) };
    if (model->ck) {
        if (!name_tensors(model, e)) return false;
        model->presence = (struct presence){ naming_has, naming_dim, &model->naming };
        in.file = &model->presence;
    }
    if (expand(&model->x, &in, model->arena.memory, &model->why)) return true;
    bool lacks = model->why.code == NUMEL_E_KEY || model->why.code == NUMEL_E_CONFIG;
    if (lacks && model->ck && model->side == SIDE_HF) { /* a key may be missing */
        numel_error first = model->why;
        error_clear(&model->why);
        if (!guess_missing_keys(model, e)) return false;
        model->inferred = true;
        if (expand(&model->x, &in, model->arena.memory, &model->why)) return true;
        if (model->why.code != NUMEL_E_NOMEM) model->why = first;
    }
    error_file(&model->why, model->from ? model->from : "");
    return model->why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Something is wrong, rather than not known. */
static bool is_broken(const struct model *model)
{
    return !model->x && !error_free(&model->why) && model->why.code != NUMEL_E_KEY &&
           model->why.code != NUMEL_E_ARCH;
}

/* Nothing says what it is: the tensors may. */
static bool guess(struct model *model, const numel_knowledge *k, numel_error *e)
{
    enum { FEW = 12 }; /* tensors: what so few would say is not evidence */
    bool silent = model->ck && model->ck->registry.count >= FEW && model->side == SIDE_HF && !model->spec &&
                  !model->from && !k->architecture && !is_broken(model);
    if (!silent) return true;
    struct packed_file file = { .registry = &model->ck->registry, .read = model_read_tensor, .ctx = model };
    if (!logical_make(&model->logical, model->config, model->library, &file, &model->arena, e)) return false;
    model->seen = model->logical.weights ? &model->logical.registry : &model->ck->registry;
    return guess_architecture(model, k, e);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void *watched_resize(void *ctx, void *old, size_t bytes)
{
    struct watched_memory *w = ctx;
    void *p = memory_resize(w->inner, old, bytes);
    if (!p && bytes) w->failed = true;
    return p;
}

bool model_resolve(struct model *model, const numel_checkpoint *ck, const char *path,
                   const numel_knowledge *k, bool may_guess, const numel_allocator *m, numel_error *e)
{
    *model = (struct model){ .ck = ck, .watch = { m, false } };
    model->memory = (numel_allocator){ watched_resize, &model->watch };
    arena_init(&model->arena, &model->memory);
    error_clear(&model->why);
    model->side = ck && ck->files[0].format == NUMEL_GGUF ? SIDE_GGUF : SIDE_HF;
    bool ok = open_library(model, k, e) && find_config(model, path, k, e) && add_quantization(model, e) &&
              choose_spec(model, k, e) && (!may_guess || guess(model, k, e)) &&
              (!model->spec || expand_spec(model, e));
    if (ok && model->watch.failed) ok = error_nomem(e);
    model->broken = is_broken(model);
    if (!ok) model_done(model);
    return ok;
}

void model_done(struct model *model)
{
    if (!model->arena.memory) return; /* done before: a failed model_resolve() has cleaned up */
    match_done(&model->match);
    expansion_free(model->x);
    logical_done(&model->logical);
    naming_done(&model->naming);
    spec_free(model->spec);
    config_free(model->config);
    library_free(model->library);
    arena_done(&model->arena);
    *model = (struct model){ .ck = NULL };
}

/* ---- a checkpoint's ----------------------------------------------------------------------- */

static const numel_knowledge nothing;

static bool match_all(struct model *model, numel_error *e)
{
    return !model->x ||
           (match_make(&model->match, model, e) && counts_make(model, e) && differences_make(model, e));
}

static struct model *new_model(const numel_checkpoint *ck, const char *path, const numel_knowledge *k,
                               bool search, const numel_allocator *m, numel_error *e)
{
    struct model *model = memory_resize(m, NULL, sizeof *model);
    if (!model) {
        error_nomem(e);
        return NULL;
    }
    if (model_resolve(model, ck, path, k ? k : &nothing, search, m, e) && (!ck || match_all(model, e)))
        return model;
    model_done(model);
    memory_release(m, model);
    return NULL;
}

struct model *model_as_declared(const numel_checkpoint *ck, const numel_knowledge *k, bool search,
                                const numel_allocator *m, numel_error *e)
{
    return new_model(ck, NULL, k, search, m, e);
}

struct model *model_of_config(const char *path, const numel_knowledge *k, bool search,
                              const numel_allocator *m, numel_error *e)
{
    return new_model(NULL, path, k, search, m, e);
}

struct model *model_of_adapter(const numel_checkpoint *ck, const numel_allocator *m, numel_error *e)
{
    struct model *model = model_as_declared(ck, &nothing, false, m, e);
    if (model && model->watch.failed) {
        error_nomem(e);
        model_free(model);
        return NULL;
    }
    if (!model) return NULL;
    expansion_free(model->x);
    model->x = NULL;
    match_done(&model->match);
    model->match = (struct match){ 0 };
    model->differences = (struct differences){ 0 };
    model->counts = (struct counts){ 0 };
    error_clear(&model->why);
    model->broken = false;
    error_set(&model->why, NUMEL_E_KEY, NUMEL_NOWHERE,
              "an adapter: its formula is its base's (see 'numel show' for what it changes)");
    return model;
}

struct model *model_make(const numel_checkpoint *ck, const numel_knowledge *k, bool search,
                         const numel_allocator *m, numel_error *e)
{
    if (!k) k = &nothing;
    struct model *model = model_as_declared(ck, k, search, m, e);
    if (model && model_search_class(&model, k, m, e) && !model->watch.failed) return model;
    if (model && model->watch.failed) error_nomem(e); /* a question of no consequence went unanswered */
    model_free(model);
    return NULL;
}

void model_free(struct model *model)
{
    if (!model) return;
    const numel_allocator *m = model->watch.inner;
    model_done(model);
    memory_release(m, model);
}
