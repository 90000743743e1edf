/*
 * find_named.c -- names of models on this disk, where other programs keep them.
 *
 *     ollama:NAME[:TAG]                   a manifest in a models folder of Ollama
 *     lmstudio:[PUBLISHER/]MODEL          a folder in LM Studio's models
 *     hf:ORG/NAME[@REVISION][/FILE]       a snapshot in the cache of Hugging Face, or a file of it
 *     ollama:  lmstudio:  hf:             all models there
 *     ORG/NAME[@REVISION][/FILE]          as with hf:, else as with lmstudio:
 *     NAME:TAG                            as with ollama:
 *
 * A name becomes a path, which is then read like any other. An existing path is never taken for a name, and
 * no network is used. The environment decides which folders are searched, and belongs to the caller:
 * numel_options.environment. hf://ORG/NAME is not a name but a URL (remote.h). A name that is not found is an error with the searched folders and the command
 * that would download it.
 */
#include "reader/find_internal.h"
#include "reader/remote.h"

#include "base/border.h"
#include "base/json_doc.h"
#include "base/text.h"
#include "source/slurp.h"

#include <string.h>

enum { SETTINGS_MOST = 1 << 20 };

/* ---- the environment ---------------------------------------------------------------------- */

const char *naming_ask(const struct naming *n, const char *variable)
{
    const char *value = n->options->environment(n->options->environment_ctx, variable);
    return value && value[0] ? value : NULL;
}

const char *naming_below(struct naming *n, const char *dir, const char *rest)
{
    const char *home = dir && dir[0] == '~' && dir[1] == '/' ? naming_ask(n, "HOME") : NULL;
    if (home) dir = path_join(n->arena, home, text_of(dir + 2));
    return dir && rest[0] ? path_join(n->arena, dir, text_of(rest)) : dir;
}

/* ---- parts of names ------------------------------------------------------------------------ */

bool naming_is_id(numel_str s)
{
    static const char allowed[] = "-_.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (!s.n || s.n > 96 || s.p[0] == '.' || s.p[0] == '-' || text_last(s) == '.') return false;
    for (size_t i = 0; i < s.n; i++)
        if (!memchr(allowed, s.p[i], sizeof allowed - 1) || (i && s.p[i] == '.' && s.p[i - 1] == '.'))
            return false;
    return true;
}

bool naming_is_inside(numel_str path)
{
    for (size_t i = 0; i < path.n; i++)
        if ((i == 0 || path.p[i - 1] == '/') && (path.p[i] == '.' || path.p[i] == '/')) return false;
    return path.n && text_last(path) != '/';
}

/* ---- whole stores --------------------------------------------------------------------------- */

NUMEL_MUST static bool no_root(struct naming *n, const char *whose, numel_str places)
{
    char where[TEXT_QUOTE];
    if (n->arena->failed) return error_nomem(n->error);
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE, "%s has no models here (looked in %s)", whose,
                     places.n ? text_bare(where, places) : "no folder, because HOME is not set");
}

/* ---- Ollama ------------------------------------------------------------------------------- */

enum { PLACES = 2 };

/* The models folders: that of the variable, else the user's and the service's. */
NUMEL_MUST static size_t ollama_models(struct naming *n, const char *places[PLACES])
{
    size_t count = 0;
    const char *set = naming_ask(n, "OLLAMA_MODELS");
    const char *own =
        set ? naming_below(n, set, "") : naming_below(n, naming_ask(n, "HOME"), ".ollama/models");
    if (own) places[count++] = own;
    if (!set && count < PLACES) places[count++] = "/usr/share/ollama/.ollama/models";
    return count;
}

struct tag_name {
    numel_str host, space, model, tag; /* host may be empty */
};

/* [HOST/][NAMESPACE/]MODEL[:TAG] */
static bool tag_parse(numel_str text, struct tag_name *t)
{
    numel_str *const parts[] = { &t->host, &t->space };
    size_t slashes = 0;
    *t = (struct tag_name){ .host = { "", 0 }, .space = text_of("library"), .tag = text_of("latest") };
    for (size_t i = 0; i < text.n; i++) slashes += text.p[i] == '/';
    if (slashes > 2) return false;
    for (size_t i = 2 - slashes; i < 2; i++) *parts[i] = text_cut(&text, '/');
    bool tag = memchr(text.p, ':', text.n) != NULL;
    t->model = text_cut(&text, ':');
    if (tag) t->tag = text;
    return naming_is_id(t->model) && naming_is_id(t->space) && naming_is_id(t->tag) &&
           (slashes < 2 || naming_is_id(t->host));
}

/* MANIFESTS/HOST/NAMESPACE/MODEL, if the folder exists. */
NUMEL_MUST static const char *model_in(struct naming *n, const char *manifests, numel_str host,
                                       const struct tag_name *t)
{
    numel_str slash = text_of("/");
    numel_str below = arena_join(n->arena, host, slash, t->space);
    if (below.p) below = arena_join(n->arena, below, slash, t->model);
    char *path = below.p ? path_join(n->arena, manifests, below) : NULL;
    return path && path_kind(path) == PATH_DIRECTORY ? path : NULL;
}

/* The model's folder of tags under any host, or under the named one; NULL if there is none. */
NUMEL_MUST static const char *model_folder(struct naming *n, const char *models, const struct tag_name *t)
{
    struct folder f;
    const char *manifests = path_join(n->arena, models, text_of("manifests")), *found = NULL;
    if (!manifests || t->host.n) return manifests ? model_in(n, manifests, t->host, t) : NULL;
    if (!folder_look(&f, manifests, n->arena, n->error)) return NULL;
    for (size_t i = 0; i < f.count && !found; i++)
        if (f.entries[i].directory) found = model_in(n, manifests, f.entries[i].name, t);
    folder_done(&f);
    return found;
}

NUMEL_MUST static bool no_tag(struct naming *n, const char *folder, const struct tag_name *t)
{
    enum { SAID = 8 };
    struct folder f;
    numel_str all = { "", 0 };
    char tag[TEXT_QUOTE], tags[TEXT_QUOTE];
    if (!folder_list(&f, folder, n->arena, n->error)) return false;
    for (size_t i = 0; i < f.count && i < SAID; i++)
        all = arena_join(n->arena, all, text_of(i ? ", " : ""), f.entries[i].name);
    if (f.count > SAID) all = arena_join(n->arena, all, text_of(", ..."), text_of(""));
    folder_done(&f);
    if (!all.p) return error_nomem(n->error);
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "Ollama has the model, but not the tag '%s'; its tags here: %s", text_bare(tag, t->tag),
                     all.n ? text_bare(tags, all) : "none");
}

/* "A, B" */
static numel_str join_places(struct naming *n, const char *const *places, size_t count)
{
    numel_str all = { "", 0 };
    for (size_t i = 0; i < count; i++)
        all = arena_join(n->arena, all, text_of(i ? ", " : ""), text_of(places[i]));
    return all;
}

NUMEL_MUST static bool no_model(struct naming *n, const char *const *places, size_t count, const char *text)
{
    char name[TEXT_QUOTE], where[TEXT_QUOTE];
    numel_str all = join_places(n, places, count);
    if (!all.p) return error_nomem(n->error);
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "%sno such Ollama model (looked in %s); get it with 'ollama pull %s'",
                     n->bare ? "no such file or folder, and " : "", text_bare(where, all),
                     text_bare(name, text_of(text)));
}

NUMEL_MUST static bool with_ollama(struct naming *n, const char *text, const char **at)
{
    const char *places[PLACES], *near = NULL;
    struct tag_name t;
    if (!tag_parse(text_of(text), &t))
        return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                         "not a model name; use ollama:MODEL, ollama:MODEL:TAG, ollama:NAMESPACE/MODEL:TAG");
    size_t count = ollama_models(n, places);
    for (size_t i = 0; i < count && !*at; i++) {
        const char *folder = model_folder(n, places[i], &t);
        char *path = folder ? path_join(n->arena, folder, t.tag) : NULL;
        if (path && path_kind(path) == PATH_FILE) *at = path;
        else if (folder) near = folder;
    }
    if (n->arena->failed) return error_nomem(n->error);
    if (*at) return true;
    return near ? no_tag(n, near, &t) : no_model(n, places, count, text);
}

/* Finds Ollama's models folder, whose models are then found by path. */
NUMEL_MUST static bool all_of_ollama(struct naming *n, const char **at)
{
    const char *places[PLACES];
    size_t count = ollama_models(n, places);
    for (size_t i = 0; i < count && !*at; i++)
        if (path_kind(places[i]) == PATH_DIRECTORY) *at = places[i];
    return *at || no_root(n, "Ollama", join_places(n, places, count));
}

/* ---- LM Studio ---------------------------------------------------------------------------- */

/* The folder from its settings, else the folder "models" in its home. */
NUMEL_MUST static const char *lmstudio_models(struct naming *n)
{
    const char *home = naming_ask(n, "HOME");
    const char *pointer = home ? path_join(n->arena, home, text_of(".lmstudio-home-pointer")) : NULL;
    const char *old = home ? path_join(n->arena, home, text_of(".cache/lm-studio")) : NULL;
    if (!pointer || !old) return NULL;
    const char *at = path_kind(pointer) == PATH_FILE ? folder_text(n->arena, pointer) : NULL;
    if (at) at = naming_below(n, at, "");
    else at = path_kind(old) == PATH_DIRECTORY ? old : path_join(n->arena, home, text_of(".lmstudio"));
    const char *settings = at ? path_in(n->arena, at, "settings.json", PATH_FILE) : NULL;
    const char *moved = NULL;
    numel_error ignored = { .code = NUMEL_OK };
    json_value *doc = settings ? slurp_json(settings, SETTINGS_MOST, n->arena->memory, &ignored) : NULL;
    const char *folder = doc ? json_text_of(json_get(doc, "downloadsFolder")) : NULL;
    if (folder && folder[0] == '/') moved = arena_text(n->arena, folder, strlen(folder));
    json_doc_free(doc);
    return moved ? moved : at ? path_join(n->arena, at, text_of("models")) : NULL;
}

NUMEL_MUST static bool several(struct naming *n, const char *models, numel_str first, numel_str second,
                               numel_str name)
{
    char a[TEXT_QUOTE], b[TEXT_QUOTE], m[TEXT_QUOTE], where[TEXT_QUOTE];
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "LM Studio has that model from several publishers (%s): lmstudio:%s/%s, lmstudio:%s/%s",
                     text_bare(where, text_of(models)), text_bare(a, first), text_bare(m, name),
                     text_bare(b, second), m);
}

/* MODEL of the only publisher that has it. */
NUMEL_MUST static bool any_publisher(struct naming *n, const char *models, numel_str name, const char **at)
{
    struct folder f;
    numel_str first = { NULL, 0 };
    bool ok = true;
    if (!folder_look(&f, models, n->arena, n->error)) return false;
    for (size_t i = 0; ok && i < f.count; i++) {
        numel_str below = arena_join(n->arena, f.entries[i].name, text_of("/"), name);
        char *path = below.p ? path_join(n->arena, models, below) : NULL;
        if (!path) ok = error_nomem(n->error);
        else if (path_kind(path) == PATH_ABSENT) continue;
        else if (*at) ok = several(n, models, first, f.entries[i].name, name);
        else *at = path, first = f.entries[i].name;
    }
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool with_lmstudio(struct naming *n, const char *text, const char **at)
{
    char name[TEXT_QUOTE], where[TEXT_QUOTE];
    const char *models = lmstudio_models(n);
    if (!naming_is_inside(text_of(text)))
        return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                         "not a model name; use lmstudio:MODEL, lmstudio:PUBLISHER/MODEL");
    char *path = models ? path_join(n->arena, models, text_of(text)) : NULL;
    if (n->arena->failed) return error_nomem(n->error);
    if (path && strchr(text, '/') && path_kind(path) != PATH_ABSENT) *at = path;
    else if (path && !strchr(text, '/') && !any_publisher(n, models, text_of(text), at)) return false;
    if (*at) return true;
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "no such LM Studio model (looked in %s); get it with 'lms get %s'",
                     models ? text_bare(where, text_of(models)) : "no folder, because HOME is not set",
                     text_bare(name, text_of(text)));
}

NUMEL_MUST static bool all_of_lmstudio(struct naming *n, const char **at)
{
    const char *models = lmstudio_models(n);
    if (models && path_kind(models) == PATH_DIRECTORY) *at = models;
    return *at || no_root(n, "LM Studio", text_of(models ? models : ""));
}

/* Accepts an existing PUBLISHER/MODEL; any other name may be something else. */
NUMEL_MUST static bool maybe_lmstudio(struct naming *n, const char *text, const char **at)
{
    bool id = strchr(text, '/') && naming_is_inside(text_of(text));
    const char *models = id ? lmstudio_models(n) : NULL;
    char *path = models ? path_join(n->arena, models, text_of(text)) : NULL;
    if (path && path_kind(path) != PATH_ABSENT) *at = path;
    return !n->arena->failed || error_nomem(n->error);
}

/* ---- all schemes -------------------------------------------------------------------------- */

NUMEL_MUST static bool with_hf(struct naming *n, const char *text, const char **at)
{
    return naming_hub(n, text, true, at);
}

NUMEL_MUST static bool all_of_hf(struct naming *n, const char **at)
{
    const char *hub = hub_place(n);
    if (hub && path_kind(hub) == PATH_DIRECTORY) *at = hub;
    return *at || no_root(n, "the Hugging Face cache", text_of(hub ? hub : ""));
}

static const struct {
    const char *scheme;
    bool (*find)(struct naming *n, const char *text, const char **at);
    bool (*all)(struct naming *n, const char **at);
} schemes[] = { { "hf:", with_hf, all_of_hf },
                { "ollama:", with_ollama, all_of_ollama },
                { "lmstudio:", with_lmstudio, all_of_lmstudio } };

/* NAME:TAG as printed by Ollama. */
static bool is_tagged(const char *name)
{
    struct tag_name t;
    const char *colon = strchr(name, ':');
    return colon && tag_parse(text_of(name), &t);
}

NUMEL_MUST static bool find_any_named(struct naming *n, const char *name, const char **at)
{
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t k = strlen(schemes[i].scheme);
        if (strncmp(name, schemes[i].scheme, k) != 0) continue;
        while (name[k] == '/') k++; /* ollama://HOST/NAME */
        return name[k] ? schemes[i].find(n, name + k, at) : schemes[i].all(n, at);
    }
    n->bare = true;
    if (is_tagged(name)) return with_ollama(n, name, at);
    if (!maybe_lmstudio(n, name, at)) return false;
    const char *there = *at;
    *at = NULL;
    if (naming_hub(n, name, false, at)) return *at = *at ? *at : there, true;
    if (!there || n->arena->failed) return false;
    error_clear(n->error);
    return *at = there, true;
}

bool find_named(struct arena *a, const numel_options *options, const char *name, const char **at,
                numel_error *e)
{
    struct naming n = { a, options, e, false };
    *at = NULL;
    if (!options->environment || path_kind(name) != PATH_ABSENT || remote_is(name)) return true;
    bool ok = find_any_named(&n, name, at);
    if (a->failed) error_clear(e); /* out of memory: the model may exist after all */
    return a->failed ? error_nomem(e) : ok;
}

bool find_root(struct arena *a, const numel_options *options, const char *name, const char **at,
               numel_error *e)
{
    *at = NULL;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (strcmp(name, schemes[i].scheme) == 0) return find_named(a, options, name, at, e);
    return true;
}

numel_rc numel_locate(char *out, size_t size, const char *path, const numel_options *options,
                      numel_error *error)
{
    numel_error local, *e = error ? error : &local;
    numel_options own;
    struct arena a;
    const char *at = NULL;
    error_clear(e);
    if (size) out[0] = '\0';
    if (!border_options(&own, options, e)) return e->code;
    arena_init(&a, own.allocator);
    bool ok = find_named(&a, &own, path, &at, e);
    size_t n = strlen(at ? at : path);
    if (ok && n < size) text_format(out, size, "%s", at ? at : path);
    else if (ok)
        error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "%zu bytes are needed for the path, not %zu", n + 1, size);
    arena_done(&a);
    error_file(e, path);
    return e->code;
}
