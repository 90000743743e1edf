/*
 * hash_gather.c -- paths, folders and sets of shards become a list with each file once.
 *
 * Files are indexed by path; what cannot be opened is a problem of the list, not an error, so the rest is
 * still hashed.
 */
#include "verify/hash_gather.h"

#include "base/text.h"
#include "content/manifest.h"
#include "source/folder.h"

#include <string.h>

void gather_init(struct gathered *g, struct arena *a, const numel_options *options)
{
    *g = (struct gathered){ .arena = a, .options = options, .memory = a->memory };
    names_init(&g->by_path, a->memory, sizeof *g->files);
}

void gather_done(struct gathered *g)
{
    for (size_t i = 0; i < g->checkpoint_count; i++) numel_free(g->checkpoints[i]);
    memory_release(g->memory, g->checkpoints);
    memory_release(g->memory, g->files);
    memory_release(g->memory, g->problems);
    names_done(&g->by_path);
}

NUMEL_MUST static bool add_problem(struct gathered *g, struct gathered_problem problem, numel_error *e)
{
    problem.path = arena_text(g->arena, problem.path, strlen(problem.path));
    problem.message = arena_text(g->arena, problem.message, strlen(problem.message));
    if (!problem.path || !problem.message ||
        !memory_grow(g->memory, &g->problems, &g->problem_cap, g->problem_count + 1, sizeof *g->problems, e))
        return error_nomem(e);
    g->problems[g->problem_count++] = problem;
    return true;
}

bool gather_problem(struct gathered *g, const char *path, const numel_error *what, bool unreadable,
                    numel_error *e)
{
    const char *code = numel_rc_name(what->code);
    if (what->code == NUMEL_E_NOMEM) return error_nomem(e);
    return add_problem(g, (struct gathered_problem){ path, code, what->what, unreadable }, e);
}

/* The file of that path, added if new. *is_new may be NULL. */
NUMEL_MUST static struct gathered_file *add_file(struct gathered *g, const char *path, bool *is_new,
                                                 numel_error *e)
{
    size_t before = g->count;
    uint32_t at = names_add(&g->by_path, &g->files, &g->count, &g->cap, text_of(path), g->arena, e);
    if (at == NAMES_ABSENT) return NULL;
    struct gathered_file *f = &g->files[at];
    if (is_new) *is_new = at == before;
    if (at < before) return f;
    f->checkpoint = NO_CHECKPOINT;
    f->plan.job.path = f->path.p;
    return f;
}

/* ---- checkpoints -------------------------------------------------------------------------- */

NUMEL_MUST static bool add_checkpoint(struct gathered *g, numel_checkpoint *ck, numel_error *e)
{
    if (!memory_grow(g->memory, &g->checkpoints, &g->checkpoint_cap, g->checkpoint_count + 1,
                     sizeof *g->checkpoints, e)) {
        numel_free(ck);
        return false;
    }
    g->checkpoints[g->checkpoint_count++] = ck;
    for (size_t i = 0; i < ck->file_count; i++) {
        bool is_new;
        struct gathered_file *f = add_file(g, ck->files[i].path, &is_new, e);
        if (!f) return false;
        if (!is_new) continue;
        f->checkpoint = g->checkpoint_count - 1;
        if (!plan_tensors(&f->plan, &ck->files[i], ck->registry.tensors, g->arena, e)) return false;
    }
    return true;
}

/* Reports a checkpoint's errors, in case its manifest is taken for that of a good one. */
NUMEL_MUST static bool tell_errors(struct gathered *g, const numel_checkpoint *ck, numel_error *e)
{
    for (size_t i = 0; i < ck->findings.count; i++) {
        const numel_finding *f = &ck->findings.items[i];
        bool unreadable = checkpoint_finding_unread(ck, f);
        const char *path = f->file[0] ? f->file : ck->path;
        struct gathered_problem problem = { path, f->code, f->message, unreadable };
        if (f->severity == NUMEL_ERROR && !add_problem(g, problem, e)) return false;
    }
    return true;
}

/* Adds the files of a set without a readable header: they have digests too. */
NUMEL_MUST static bool add_unread(struct gathered *g, const struct found_set *s, numel_error *e)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->files[i].path && path_kind(s->files[i].path) == PATH_FILE &&
            !add_file(g, s->files[i].path, NULL, e))
            return false;
    return true;
}

NUMEL_MUST static bool add_set(struct gathered *g, const numel_found *found, size_t i, numel_error *e)
{
    numel_checkpoint *ck;
    numel_error why;
    if (numel_open(&ck, found, i, g->options, &why) == NUMEL_OK)
        return add_checkpoint(g, ck, e) && tell_errors(g, ck, e);
    size_t before = g->count;
    if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
    if (!add_unread(g, &found->sets[i], e)) return false;
    numel_str name = plain_name(path_base(found->sets[i].path));
    bool weights = text_ends(name, ".safetensors") || text_ends(name, ".gguf");
    bool plain = why.code == NUMEL_E_FORMAT && g->count > before && !weights; /* tokenizer.json */
    return plain || gather_problem(g, found->sets[i].path, &why, g->count == before, e);
}

/* ---- paths -------------------------------------------------------------------------------- */

/* Skips lists of digests: they describe the files, and one may be in the making. */
NUMEL_MUST static bool add_beside(struct gathered *g, const char *dir, numel_error *e)
{
    struct folder f;
    bool ok = folder_list(&f, dir, g->arena, e);
    for (size_t i = 0; ok && i < f.count; i++) {
        numel_str name = f.entries[i].name;
        if (f.entries[i].directory || name.p[0] == '.' || manifest_is_list(name)) continue;
        char *path = path_join(g->arena, dir, name);
        if (!path) ok = error_nomem(e);
        else if (path_kind(path) == PATH_FILE) ok = add_file(g, path, NULL, e) != NULL;
    }
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool add_found(struct gathered *g, const char *path, const numel_found *found,
                                 numel_error *e)
{
    bool directory = path_kind(path) == PATH_DIRECTORY;
    for (size_t i = 0; i < found->count; i++)
        if (!add_set(g, found, i, e)) return false;
    for (size_t i = 0; directory && i < found->count; i++)
        if ((i == 0 || strcmp(found->sets[i].dir, found->sets[i - 1].dir) != 0) &&
            !add_beside(g, found->sets[i].dir, e))
            return false;
    return true;
}

bool gather_path(struct gathered *g, const char *path, numel_error *e)
{
    numel_found *found;
    numel_error why;
    size_t before = g->count;
    error_clear(&why);
    if (find_path(&found, path, g->options, &why)) {
        bool ok = add_found(g, path, found, e);
        numel_found_free(found);
        return ok;
    }
    if (why.code == NUMEL_E_NOMEM) return error_nomem(e);
    if (path_kind(path) == PATH_FILE) return add_file(g, path, NULL, e) != NULL;
    if (path_kind(path) == PATH_DIRECTORY && !add_beside(g, path, e)) return false;
    if (g->count > before && why.code == NUMEL_E_FORMAT) return true; /* no checkpoint: files only */
    return gather_problem(g, path, &why, true, e);
}
