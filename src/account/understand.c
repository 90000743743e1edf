/* understand.c -- see understand.h. */
#include "account/understand.h"

#include "account/config_file.h"
#include "source/folder.h"

/* ---- the configuration -------------------------------------------------------------------- */

struct text_file {
    struct buffer text;
    bool found;
};

/* The text of a JSON file of the configuration, added to it. */
static bool add_json(struct understanding *u, const char *path, numel_error *e)
{
    struct buffer text;
    buffer_init(&text, u->arena.memory);
    bool ok = config_file_text(path, &text, e);
    if (ok) {
        config_plain(text.p, text.n);
        char *kept = arena_text(&u->arena, text.p, text.n); /* the config borrows it */
        ok = kept ? config_add_json(u->config, kept, text.n, path, e) : error_nomem(e);
        u->from = path;
    }
    buffer_done(&text);
    error_file(e, path);
    return ok;
}

/* config.json or params.json of a folder; NULL when there is none. */
static const char *config_in(struct understanding *u, const char *dir)
{
    static const char *const names[] = { "config.json", "params.json" };
    for (size_t i = 0; dir && i < sizeof names / sizeof *names; i++) {
        const char *path = path_join(&u->arena, dir, text_of(names[i]));
        if (path && path_kind(path) == PATH_FILE) return path;
    }
    return NULL;
}

static bool add_sets(struct understanding *u, const numel_knowledge *k, numel_error *e)
{
    for (size_t i = 0; i < k->set_count; i++)
        if (!config_set(u->config, k->sets[i], e)) return false;
    return true;
}

/* Where the configuration is. One that the user named must be there. */
static bool find_config(struct understanding *u, const char *path, const numel_knowledge *k, numel_error *e)
{
    if (!config_new(&u->config, u->arena.memory, e) || !add_sets(u, k, e)) return false;
    if (k->config) {
        const char *own = arena_text(&u->arena, k->config, strlen(k->config));
        return own ? add_json(u, own, e) : error_nomem(e);
    }
    if (u->side == SIDE_GGUF) {
        config_add_metadata(u->config, &u->ck->metadata);
        u->from = "metadata";
        return true;
    }
    const char *dir = u->ck ? u->ck->dir : path;
    const char *found = dir && path_kind(dir) == PATH_DIRECTORY ? config_in(u, dir) : NULL;
    if (!u->ck && path && path_kind(path) != PATH_DIRECTORY)
        found = arena_text(&u->arena, path, strlen(path));
    if (!found) return true;
    if (!u->ck) return add_json(u, found, e);
    if (add_json(u, found, &u->why)) return true; /* a model with a broken config is still a model */
    u->from = NULL;
    return u->why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Older quantizers wrote what they did into a file of its own. One that cannot be read is a broken
 * configuration. */
static bool add_quantization(struct understanding *u, numel_error *e)
{
    static const struct {
        const char *file, *method;
    } places[] = {
        { "quantize_config.json", "gptq" },
        { "quantization_config.json", NULL },
    };
    struct buffer text;
    const char *dir = u->ck ? u->ck->dir : NULL;
    if (!dir || u->side != SIDE_HF || config_has_quantization(u->config)) return true;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = path_join(&u->arena, dir, text_of(places[i].file));
        if (!path) return error_nomem(e);
        if (path_kind(path) != PATH_FILE) continue;
        buffer_init(&text, u->arena.memory);
        if (config_file_text(path, &text, &u->why))
            config_add_quantization(u->config, text.p, text.n, path, places[i].method, &u->why);
        buffer_done(&text);
        error_file(&u->why, path);
        return u->why.code != NUMEL_E_NOMEM || error_nomem(e);
    }
    return true;
}

/* ---- the spec ----------------------------------------------------------------------------- */

static bool open_library(struct understanding *u, const numel_knowledge *k, numel_error *e)
{
    if (!library_open(&u->library, u->arena.memory, e)) return false;
    for (size_t i = 0; i < k->spec_count; i++)
        if (!library_add_path(u->library, k->specs[i], e)) return false;
    return true;
}

static bool choose_spec(struct understanding *u, const numel_knowledge *k, numel_error *e)
{
    if (k->architecture) {
        char name[TEXT_QUOTE];
        u->entry = library_find(u->library, text_of(k->architecture));
        if (!u->entry || !u->entry->architecture)
            return error_set(e, NUMEL_E_ARCH, NUMEL_NOWHERE,
                             "no architecture %s; numel spec list shows those known",
                             text_quote(name, text_of(k->architecture)));
    } else if (error_free(&u->why)) {
        enum side side = config_has_json(u->config) ? SIDE_HF : u->side;
        u->entry = library_match(u->library, u->config, side, &u->why);
    }
    if (!u->entry) return u->why.code != NUMEL_E_NOMEM || error_nomem(e);
    u->architecture = u->entry->name;
    return library_parse(u->library, u->entry, &u->spec, u->arena.memory, NULL, e);
}

/* The configuration's model type, else the spec's name. */
static const char *model_type(struct understanding *u)
{
    numel_str path = text_of("model_type");
    struct value v;
    numel_error ignored;
    error_clear(&ignored);
    bool found = config_value(u->config, u->spec, SIDE_HF, &path, 1, &v, &ignored) && v.kind == VALUE_TEXT;
    const char *own = found ? arena_text(&u->arena, v.s.p, v.s.n) : NULL;
    return own ? own : u->entry->name;
}

static bool name_tensors(struct understanding *u, numel_error *e)
{
    const char *type = u->side == SIDE_HF ? model_type(u) : NULL;
    if (u->naming.arena) return true; /* a guess has made it */
    return naming_init(&u->naming, &u->ck->registry, u->spec, type, &u->arena, e);
}

static bool expand_spec(struct understanding *u, numel_error *e)
{
    struct expand_input in = { .spec = u->spec,
                               .config = u->config,
                               .side = u->side,
                               .other_values = u->side == SIDE_GGUF && config_has_json(u->config) };
    if (u->ck) {
        if (!name_tensors(u, e)) return false;
        u->presence = (struct presence){ naming_has, naming_dim, &u->naming };
        in.file = &u->presence;
    }
    if (expand(&u->x, &in, u->arena.memory, &u->why)) return true;
    bool lacks = u->why.code == NUMEL_E_KEY || u->why.code == NUMEL_E_CONFIG;
    if (lacks && u->ck && u->side == SIDE_HF) { /* a key may be missing */
        numel_error first = u->why;
        error_clear(&u->why);
        if (!guess_missing_keys(u, e)) return false;
        u->inferred = true;
        if (expand(&u->x, &in, u->arena.memory, &u->why)) return true;
        if (u->why.code != NUMEL_E_NOMEM) u->why = first;
    }
    error_file(&u->why, u->from ? u->from : "");
    return u->why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* Something is wrong, rather than not known. */
static bool is_broken(const struct understanding *u)
{
    return !u->x && !error_free(&u->why) && u->why.code != NUMEL_E_KEY && u->why.code != NUMEL_E_ARCH;
}

/* Nothing says what it is: the tensors may. */
static bool guess(struct understanding *u, const numel_knowledge *k, numel_error *e)
{
    enum { FEW = 12 }; /* tensors: what so few would say is no evidence */
    bool silent = u->ck && u->ck->registry.count >= FEW && u->side == SIDE_HF && !u->spec && !u->from &&
                  !k->architecture && !is_broken(u);
    if (!silent) return true;
    struct packed_file file = { .registry = &u->ck->registry, .read = understanding_read, .ctx = u };
    if (!logical_make(&u->logical, u->config, u->library, &file, &u->arena, e)) return false;
    u->seen = u->logical.weights ? &u->logical.registry : &u->ck->registry;
    return guess_architecture(u, k, e);
}

/* ---- all of it ---------------------------------------------------------------------------- */

static void *watched_resize(void *ctx, void *old, size_t bytes)
{
    struct watched_memory *w = ctx;
    void *p = memory_resize(w->inner, old, bytes);
    if (!p && bytes) w->failed = true;
    return p;
}

bool understand(struct understanding *u, const numel_checkpoint *ck, const char *path,
                const numel_knowledge *k, bool may_guess, const numel_allocator *m, numel_error *e)
{
    *u = (struct understanding){ .ck = ck, .watch = { m, false } };
    u->memory = (numel_allocator){ watched_resize, &u->watch };
    arena_init(&u->arena, &u->memory);
    error_clear(&u->why);
    u->side = ck && ck->files[0].format == NUMEL_GGUF ? SIDE_GGUF : SIDE_HF;
    bool ok = open_library(u, k, e) && find_config(u, path, k, e) && add_quantization(u, e) &&
              choose_spec(u, k, e) && (!may_guess || guess(u, k, e)) && (!u->spec || expand_spec(u, e));
    if (ok && u->watch.failed) ok = error_nomem(e);
    u->broken = is_broken(u);
    if (!ok) understand_done(u);
    return ok;
}

void understand_done(struct understanding *u)
{
    if (!u->arena.memory) return; /* done before: a failed understand() has cleaned up */
    expansion_free(u->x);
    logical_done(&u->logical);
    naming_done(&u->naming);
    spec_free(u->spec);
    config_free(u->config);
    library_free(u->library);
    arena_done(&u->arena);
    *u = (struct understanding){ .ck = NULL };
}
