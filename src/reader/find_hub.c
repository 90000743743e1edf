/*
 * find_hub.c -- the cache of Hugging Face: a folder of repositories, models--ORG--NAME, each with snapshots
 * (folders of links to blobs named by their digests) and refs (files that name a snapshot).
 */
#include "reader/find_internal.h"

#include "base/text.h"

#include <string.h>

const char *hub_snapshot(struct arena *a, const char *repository)
{
    const char *snapshots = path_in(a, repository, "snapshots", PATH_DIRECTORY);
    const char *ref = path_in(a, repository, "refs/main", PATH_FILE),
               *commit = ref ? folder_text(a, ref) : NULL;
    bool plain = snapshots && commit && commit[0] != '.' && !strchr(commit, '/');
    const char *at = plain ? path_in(a, snapshots, commit, PATH_DIRECTORY) : NULL;
    return at || !snapshots ? at : folder_newest(a, snapshots);
}

/* ---- common name -------------------------------------------------------------------------- */

numel_str hub_repository_name(struct arena *a, numel_str folder)
{
    numel_str none = { NULL, 0 }, rest = text_from(folder, 8);
    if (!text_starts(folder, "models--") || !rest.n) return none;
    size_t i = 1 + text_seek(text_from(rest, 1), text_of("--"));
    if (i + 2 < rest.n) return arena_join(a, text_upto(rest, i), text_of("/"), text_from(rest, i + 2));
    return arena_join(a, rest, none, none); /* NUL-terminated, like all text in the arena */
}

/* For ".../models--ORG--NAME/snapshots/COMMIT/...": the repository's folder and the commit. */
static bool in_snapshot(numel_str dir, numel_str *repository, numel_str *commit)
{
    static const char between[] = "/snapshots/";
    for (size_t i = dir.n; i-- > 0;) {
        numel_str rest = text_from(dir, i);
        if (!text_take_start(&rest, between) || !rest.n) continue;
        *repository = (numel_str){ dir.p, i };
        *commit = text_upto(rest, text_find(rest, 0, '/'));
        return commit->n > 0 && i > 0;
    }
    return false;
}

NUMEL_MUST static const char *hub_name(struct arena *a, const char *dir)
{
    enum { SHORT = 8 };
    numel_str repository, commit, none = { "", 0 };
    const char *real = path_real(a, dir);
    if (!real) return NULL;
    if (!in_snapshot(text_of(real), &repository, &commit)) return hub_repository_name(a, path_base(real)).p;
    numel_str name = hub_repository_name(a, text_after(repository, '/')),
              below = text_of(commit.p + commit.n);
    char *folder = arena_text(a, repository.p, repository.n);
    const char *main = folder && name.p ? hub_snapshot(a, folder) : NULL;
    if (!main) return NULL;
    if (text_same(path_base(main), commit)) return arena_join(a, name, below, none).p;
    if (commit.n > SHORT) commit.n = SHORT;
    name = arena_join(a, name, text_of("@"), commit);
    return name.p ? arena_join(a, name, below, none).p : NULL;
}

bool hub_name_sets(struct finding_sets *g)
{
    struct numel_found *f = g->found;
    const char *name = NULL, *dir = NULL;
    for (size_t i = 0; i < f->count && !g->arena->failed; i++) {
        struct found_set *s = &f->sets[i];
        if (s->name) continue; /* set by Ollama or another program */
        bool same = dir && strcmp(dir, s->dir) == 0;
        bool several = same || (i + 1 < f->count && strcmp(f->sets[i + 1].dir, s->dir) == 0);
        if (!same) name = hub_name(g->arena, s->dir);
        dir = s->dir;
        s->name = name;
        if (name && several)
            s->name = arena_join(g->arena, text_of(name), text_of("/"), path_base(s->path)).p;
    }
    return !g->arena->failed || error_nomem(g->error);
}

/* ---- a folder of repositories ------------------------------------------------------------- */

static bool is_repository(const struct folder_entry *e)
{
    return e->directory && text_starts(e->name, "models--") && e->name.n > 8;
}

NUMEL_MUST static bool add_repository(struct finding_sets *g, const char *dir, numel_str name)
{
    char *repository = path_join(g->arena, dir, name);
    if (!repository) return error_nomem(g->error);
    const char *snapshot = hub_snapshot(g->arena, repository);
    size_t first = g->found->count;
    g->place = name.p;
    bool ok = !snapshot || find_in(g, snapshot, snapshot, FIND_BELOW);
    if (ok && g->found->count == first)
        ok = find_add_downloads(g, snapshot ? snapshot : repository, repository);
    g->place = "";
    return ok;
}

bool hub_holds_repositories(const struct folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (is_repository(&f->entries[i])) return true;
    return false;
}

bool find_add_hub(struct finding_sets *g, const char *dir, const struct folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        if (is_repository(&f->entries[i]) && !add_repository(g, dir, f->entries[i].name)) return false;
    return true;
}
