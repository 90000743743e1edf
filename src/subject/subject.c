/* subject.c -- see subject.h. */
#include "subject/subject.h"

#include "base/text.h"
#include "reader/find.h"
#include "reader/remote.h"
#include "source/folder.h"
#include "subject/parts.h"

enum { LONE_MOST = 16384 }; /* tensors; with more, the search takes seconds */

/* ---- opening ------------------------------------------------------------------------------ */

/* Fetches a file or folder that the caller's knowledge names, and names the copy instead. */
NUMEL_MUST static bool fetch(struct numel_subject *s, const char **path, numel_error *e)
{
    if (!*path || !remote_is(*path) || path_kind(*path) != PATH_ABSENT) return true;
    numel_options own = s->options;
    own.save = NULL; /* it is not the model */
    if (!remote_add(&s->remotes, *path, &own, e)) return false;
    *path = s->remotes->path;
    return true;
}

struct numel_subject *subject_new(const numel_knowledge *k, const numel_options *options, numel_error *e)
{
    struct numel_subject *s = memory_resize(options->allocator, NULL, sizeof *s);
    if (!s) return error_nomem(e), NULL;
    *s = (struct numel_subject){ .options = *options };
    arena_init(&s->arena, options->allocator);
    bool ok = knowledge_copy(&s->knowledge, k, &s->arena, e) && fetch(s, &s->knowledge.base, e);
    if (ok && !k->config_text) ok = fetch(s, &s->knowledge.config, e);
    if (ok) return s;
    subject_free(s);
    return NULL;
}

void subject_free(struct numel_subject *s)
{
    if (!s) return;
    const numel_allocator *m = s->options.allocator;
    handle_free(s->handle);
    single_close(s->parts);
    numel_free(s->own_ck);
    numel_found_free(s->own_found);
    remote_close(s->remotes);
    arena_done(&s->arena);
    memory_release(m, s);
}

/* True for config.json, but not for model.safetensors.index.json. */
static bool is_config_name(const char *path)
{
    numel_str name = path_base(path);
    return text_ends(name, ".json") && !name_is_index(name) && !text_holds(name, text_of(".index."));
}

bool subject_is_config_file(const struct numel_subject *s)
{
    numel_str name = s->named_config ? path_base(s->config) : (numel_str){ "", 0 };
    bool called = text_equal(name, "config.json") || text_equal(name, "params.json");
    return s->configured || (called && path_kind(s->config) == PATH_FILE);
}

bool subject_found(struct numel_subject *s, const numel_found *found, size_t at, bool whole, numel_error *e)
{
    if (at >= found->count)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "index %zu is out of range", at);
    s->found = found;
    s->at = at;
    s->components = whole ? numel_found_components(found, at) : 0;
    const struct found_set *set = &found->sets[at];
    s->named_config = set->alone || (set->kind == FOUND_FILE && is_config_name(set->path));
    if (s->named_config) s->config = set->alone ? set->alone : set->path;
    if (!set->config) return true;
    s->configured = true;
    if (!found_config(found, at, &s->knowledge.config_text, &s->knowledge.config_bytes, e)) return false;
    if (!s->knowledge.config) s->knowledge.config = "standard input";
    return true;
}

bool subject_opened(struct numel_subject *s, numel_error *e)
{
    if (s->ck) return true;
    if (s->components)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "is a pipeline of %zu checkpoints: use its members",
                         s->components);
    if (!s->found || s->configured)
        return error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE,
                         "the model was made from a configuration, without a checkpoint");
    if (numel_open(&s->own_ck, s->found, s->at, &s->options, e) != NUMEL_OK) return false;
    s->ck = s->own_ck;
    return true;
}

bool subject_parts(struct numel_subject *s, struct single_parts **out, numel_error *e)
{
    *out = s->parts;
    if (s->split) return true;
    if (!subject_opened(s, e) || !parts_open(&s->parts, s->ck, &s->knowledge, s->options.allocator, e))
        return false;
    s->split = true;
    *out = s->parts;
    return true;
}

bool subject_members(struct numel_subject *s, size_t *count, numel_error *e)
{
    struct single_parts *parts = NULL;
    *count = s->components;
    if (s->components || s->configured || s->named_config || (!s->ck && !s->found)) return true;
    if (!subject_parts(s, &parts, e)) return false;
    if (parts) *count = parts->models;
    return true;
}

/* ---- handles ------------------------------------------------------------------------------ */

/* True for a file on its own, which only its tensors can identify. A shard lacks parts of its model
 * through no fault of its own. */
static bool is_lone_file(const numel_checkpoint *ck)
{
    return ck && ck->file_count == 1 && !ck->missing && ck->registry.count <= LONE_MOST &&
           !path_is_shard(ck->files[0].path);
}

struct handle *subject_stored(struct numel_subject *s, numel_error *e)
{
    const numel_knowledge *k = &s->knowledge;
    if (s->handle && s->ck) return s->handle;
    if (!subject_opened(s, e)) return NULL;
    bool search = !k->declared_only || (k->lone_file && is_lone_file(s->ck));
    s->handle = handle_new(s->ck, NULL, k, search, s->options.allocator, e);
    return s->handle;
}

/* Keeps nothing if the names do not identify a model. */
NUMEL_MUST static bool take_names(struct numel_subject *s, numel_error *e)
{
    if (!checkpoint_by_name(&s->own_ck, s->found, s->at, &s->options, e)) return false;
    s->handle = handle_new(s->own_ck, NULL, &s->knowledge, false, s->options.allocator, e);
    if (s->handle && handle_ready(s->handle, e) && s->handle->model->x) return s->ck = s->own_ck, true;
    handle_free(s->handle);
    numel_free(s->own_ck);
    s->handle = NULL;
    s->own_ck = NULL;
    return false;
}

bool subject_names(struct numel_subject *s, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    bool may = s->found && !s->configured && !s->components && !s->handle &&
               s->found->sets[s->at].kind == FOUND_INDEX;
    if (!may || subject_opened(s, &why)) return true;
    return take_names(s, &why) || why.code != NUMEL_E_NOMEM || error_nomem(e);
}

/* The folder of a checkpoint whose files are all missing. NULL: some are present, or NOMEM. */
NUMEL_MUST static bool folder_of(struct numel_subject *s, const char **out, numel_error *e)
{
    const struct found_set *set = &s->found->sets[s->at];
    bool absent;
    *out = NULL;
    if (s->found->nowhere) return true;
    if (!found_is_absent(&absent, s->found, s->at, &s->options, e)) return false;
    if (absent) *out = path_kind(set->path) == PATH_DIRECTORY ? set->path : set->dir;
    return true;
}

/* If the files are missing, a report that only needs the configuration reads that instead. */
NUMEL_MUST static bool do_without(struct numel_subject *s, const numel_error *why, numel_error *e)
{
    numel_error ignored = { .code = NUMEL_OK };
    const char *folder = NULL;
    bool may = why->code != NUMEL_E_NOMEM && s->found && !s->components;
    if (!may || !folder_of(s, &folder, &ignored) || !folder) {
        *e = *why;
        return false;
    }
    error_clear(e);
    s->lacks = *why;
    s->configured = true;
    s->config = arena_text(&s->arena, folder[0] ? folder : ".", strlen(folder[0] ? folder : "."));
    return s->config || error_nomem(e);
}

struct handle *subject_model(struct numel_subject *s, numel_error *e)
{
    numel_error why = { .code = NUMEL_OK };
    if (s->handle) return s->handle;
    s->configured |= s->named_config;
    if (!s->configured && subject_opened(s, &why)) return subject_stored(s, e);
    if (!s->configured && !do_without(s, &why, e)) return NULL;
    s->handle = handle_new(NULL, s->config, &s->knowledge, true, s->options.allocator, e);
    return s->handle;
}

/* ---- several ------------------------------------------------------------------------------ */

bool subject_components(struct numel_subject *s, struct components *c, struct arena *a, numel_error *e)
{
    struct single_parts *parts;
    if (s->components) return components_make(c, s->found, s->at, a, e);
    if (!subject_parts(s, &parts, e)) return false;
    return parts ? components_of_parts(c, parts, a, e)
                 : error_set(e, NUMEL_E_USAGE, NUMEL_NOWHERE, "is one model, not several");
}
