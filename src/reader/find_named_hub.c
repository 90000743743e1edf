/*
 * find_named_hub.c -- names of models in the cache of Hugging Face: ORG/NAME[@REVISION][/FILE].
 *
 * The environment locates the cache as in huggingface_hub. A revision is a branch or tag in refs, a commit, or
 * a prefix of only one commit; without one it is refs/main, else the newest snapshot.
 */
#include "reader/find_internal.h"

#include "base/text.h"

#include <string.h>

/* ---- location ----------------------------------------------------------------------------- */

/* The cache of huggingface_hub: the first variable that is set. */
static const struct {
    const char *variable, *rest;
} hub_places[] = {
    { "HF_HUB_CACHE", "" },
    { "HUGGINGFACE_HUB_CACHE", "" },
    { "HF_HOME", "hub" },
    { "XDG_CACHE_HOME", "huggingface/hub" },
    { "HOME", ".cache/huggingface/hub" },
};

const char *hub_place(struct naming *n)
{
    for (size_t i = 0; i < sizeof hub_places / sizeof *hub_places; i++)
        if (naming_ask(n, hub_places[i].variable))
            return naming_below(n, naming_ask(n, hub_places[i].variable), hub_places[i].rest);
    return NULL;
}

/* ---- names ---------------------------------------------------------------------------------- */

struct hub_id {
    numel_str org, name, revision, file; /* org: empty in old names; revision and file may be empty */
    numel_str whole;                     /* ORG/NAME */
};

/* ORG/NAME[@REVISION][/FILE]; with a scheme also an old name without ORG. */
static bool hub_parse(numel_str text, bool scheme, struct hub_id *id)
{
    *id = (struct hub_id){ .org = { "", 0 } };
    text_take_end(&text, "/");
    bool slash = memchr(text.p, '/', text.n) != NULL;
    if (slash) id->org = text_cut(&text, '/');
    else if (!scheme) return false;
    bool file = memchr(text.p, '/', text.n) != NULL;
    numel_str name = text_cut(&text, '/');
    bool revision = memchr(name.p, '@', name.n) != NULL;
    id->file = text;
    id->name = text_cut(&name, '@');
    id->revision = name;
    return naming_is_id(id->name) && (!slash || naming_is_id(id->org)) &&
           (!revision || naming_is_inside(id->revision)) && (!file || naming_is_inside(id->file));
}

/* "models--ORG--NAME" */
NUMEL_MUST static const char *repository_of(struct naming *n, const char *hub, const struct hub_id *id)
{
    numel_str first = arena_join(n->arena, text_of("models--"), id->org, text_of(id->org.n ? "--" : ""));
    numel_str all = first.p ? arena_join(n->arena, first, id->name, text_of("")) : first;
    return all.p ? path_join(n->arena, hub, all) : NULL;
}

/* The snapshot of a branch, a tag, a commit, or a prefix of only one commit. */
NUMEL_MUST static const char *revision_of(struct naming *n, const char *repository, numel_str revision)
{
    enum { SHORTEST = 7 };
    struct folder f;
    const char *refs = path_join(n->arena, repository, text_of("refs")), *one = NULL;
    const char *snapshots = path_join(n->arena, repository, text_of("snapshots"));
    const char *ref = refs ? path_join(n->arena, refs, revision) : NULL;
    const char *commit = ref && path_kind(ref) == PATH_FILE ? folder_text(n->arena, ref) : NULL;
    if (commit) revision = text_of(commit);
    if (!snapshots || !naming_is_inside(revision) || memchr(revision.p, '/', revision.n)) return NULL;
    const char *at = path_join(n->arena, snapshots, revision);
    if (at && path_kind(at) == PATH_DIRECTORY) return at;
    if (revision.n < SHORTEST) return NULL;
    if (!folder_look(&f, snapshots, n->arena, n->error)) return NULL;
    for (size_t i = 0, found = 0; i < f.count; i++) {
        numel_str name = f.entries[i].name;
        if (!text_same(text_upto(name, revision.n), revision)) continue;
        one = found++ ? NULL : path_join(n->arena, snapshots, name);
    }
    folder_done(&f);
    return one;
}

NUMEL_MUST static bool no_repository(struct naming *n, const char *hub, const struct hub_id *id)
{
    char name[TEXT_QUOTE], where[TEXT_QUOTE];
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "no such file or folder, and no such model in the Hugging Face cache (%s): "
                     "'hf download %s' would put it there",
                     text_bare(where, text_of(hub)), text_bare(name, id->whole));
}

NUMEL_MUST static bool no_revision(struct naming *n, const char *repository, const struct hub_id *id)
{
    char name[TEXT_QUOTE], revision[TEXT_QUOTE], where[TEXT_QUOTE];
    text_bare(name, id->whole);
    text_bare(revision, id->revision);
    text_bare(where, text_of(repository));
    if (id->revision.n)
        return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                         "the revision %s is not in the Hugging Face cache (%s): "
                         "'hf download %s --revision %s' would put it there",
                         revision, where, name, revision);
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "the Hugging Face cache has the repository and no snapshot of it (%s): its download was "
                     "not finished; run 'hf download %s' again",
                     where, name);
}

NUMEL_MUST static bool no_file(struct naming *n, const char *snapshot, const struct hub_id *id)
{
    char name[TEXT_QUOTE], file[TEXT_QUOTE], where[TEXT_QUOTE];
    return error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                     "the Hugging Face cache has the model without that file (%s): "
                     "'hf download %s %s' would put it there",
                     text_bare(where, text_of(snapshot)), text_bare(name, id->whole),
                     text_bare(file, id->file));
}

/* Is any of its files being downloaded? */
static bool is_begun(struct naming *n, const char *repository)
{
    struct folder f;
    char *blobs = path_join(n->arena, repository, text_of("blobs"));
    bool is = false;
    if (!blobs || !folder_look(&f, blobs, n->arena, n->error)) return false;
    for (size_t i = 0; i < f.count && !is; i++) is = text_ends(f.entries[i].name, ".incomplete");
    folder_done(&f);
    return is;
}

NUMEL_MUST static bool find_in_hub(struct naming *n, const struct hub_id *id, const char **at)
{
    const char *hub = hub_place(n), *repository = hub ? repository_of(n, hub, id) : NULL;
    if (n->arena->failed) return error_nomem(n->error);
    if (!hub) return true;
    if (!repository || path_kind(repository) != PATH_DIRECTORY) return no_repository(n, hub, id);
    const char *snapshot =
        id->revision.n ? revision_of(n, repository, id->revision) : hub_snapshot(n->arena, repository);
    if (n->arena->failed) return error_nomem(n->error);
    if (!snapshot && !id->revision.n && is_begun(n, repository)) *at = repository;
    if (!snapshot) return *at || no_revision(n, repository, id);
    const char *file = id->file.n ? path_join(n->arena, snapshot, id->file) : snapshot;
    if (!file) return error_nomem(n->error);
    if (path_kind(file) == PATH_ABSENT) return no_file(n, snapshot, id);
    *at = file;
    return true;
}

/* "models/x.gguf" is a mistyped path, and so is a name that begins with an existing folder. */
static bool looks_like_path(struct naming *n, const struct hub_id *id)
{
    numel_str last = id->file.n ? id->file : id->name;
    char *first = arena_text(n->arena, id->org.p, id->org.n);
    return (!id->file.n && (name_is_weights(last) || text_ends(last, ".json"))) ||
           (first && path_kind(first) != PATH_ABSENT);
}

bool naming_hub(struct naming *n, const char *text, bool scheme, const char **at)
{
    struct hub_id id;
    if (hub_parse(text_of(text), scheme, &id)) {
        id.whole = arena_join(n->arena, id.org, text_of(id.org.n ? "/" : ""), id.name);
        if (!id.whole.p) return error_nomem(n->error);
        return (!scheme && looks_like_path(n, &id)) || find_in_hub(n, &id, at);
    }
    return !scheme || error_set(n->error, NUMEL_E_IO, NUMEL_NOWHERE,
                                "not a name of a model: hf:ORG/NAME, hf:ORG/NAME@REVISION, hf:ORG/NAME/FILE");
}
