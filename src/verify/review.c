/*
 * review.c -- the folder, file by file, and the templates in GGUF's metadata; see review.h.
 */
#include "verify/review.h"

#include "base/num.h"
#include "base/text.h"
#include "source/folder.h"
#include "source/source.h"
#include "verify/template.h"

#include <string.h>

enum { MOST_FILES = 10000, DEEPEST = 4, MAX_TEMPLATE = 4 << 20 };

/* ---- templates ---------------------------------------------------------------------------- */

void review_template(struct review *g, const char *path, numel_str which, numel_str text, uint64_t offset)
{
    struct reaches r;
    char words[REACH_WORDS * (REACH_LENGTH + 2)], name[TEXT_QUOTE] = "";
    template_scan(&r, text);
    if (!r.count) return;
    if (which.n) text_quote(name, which);
    template_words(&r, words);
    review_find(
        g, FINDING_TEMPLATE_REACH, path, offset == NUMEL_NOWHERE ? r.offset : offset,
        "the chat template%s%s accesses %s in line %" PRIu64
        ": no conversation needs that, and without a sandbox it can run code; read it before using the model",
        which.n ? " " : "", name, words, r.line);
}

/* All of a GGUF's templates: tokenizer.chat_template, tokenizer.chat_template.NAME. */
static void review_metadata(struct review *g)
{
    static const char key[] = "tokenizer.chat_template";
    const numel_checkpoint *ck = g->v->ck;
    for (size_t i = 0; i < ck->metadata.count; i++) {
        const struct metadata_entry *x = &ck->metadata.entries[i];
        numel_str rest = text_from(x->key, sizeof key - 1);
        if (x->type != META_STRING || !text_starts(x->key, key) || (rest.n && rest.p[0] != '.')) continue;
        if (rest.n) rest = text_from(rest, 1);
        review_template(g, ck->files[x->file].path, rest, x->value.s, x->offset);
    }
}

void review_unread(struct review *g, const char *path, const char *what, const numel_error *why)
{
    review_find(g, why->code == NUMEL_E_IO ? FINDING_FILE_UNREADABLE : FINDING_REVIEW_UNREAD, path,
                why->offset, "could not check %s: %s", what, why->what);
}

/* A file that is a template as a whole. */
NUMEL_MUST static bool review_template_file(struct review *g, const char *path)
{
    struct source s;
    numel_error why = { 0 };
    if (!source_read(&s, path, MAX_TEMPLATE, "chat template", g->arena.memory, &why)) {
        if (why.code == NUMEL_E_NOMEM) return error_nomem(g->v->error);
        review_unread(g, path, "what it does", &why);
        return true;
    }
    if (!s.compressed)
        review_template(g, path, NO_TENSOR, (numel_str){ (const char *)s.base, (size_t)s.size },
                        NUMEL_NOWHERE);
    source_close(&s);
    return true;
}

/* ---- one file ----------------------------------------------------------------------------- */

static void tell_code(struct review *g, const char *path)
{
    bool generates = text_holds(text_of(path), text_of("custom_generate/"));
    review_find(g, FINDING_CODE_FILE, path, NUMEL_NOWHERE,
                "Python code: with trust_remote_code=True %s; read it first",
                generates ? "generate(custom_generate=...) runs it"
                          : "loaders run it if a configuration names it");
}

/* Is the place inside the folder, or in the blobs of the cache whose snapshot the folder is? */
static bool is_inside(const char *dir, const char *place)
{
    size_t n = strlen(dir);
    const char *snapshots = strstr(dir, "/snapshots/");
    if (strncmp(place, dir, n) == 0 && (!place[n] || place[n] == '/' || dir[n - 1] == '/')) return true;
    size_t root = snapshots ? (size_t)(snapshots - dir) : 0;
    return root && strncmp(place, dir, root) == 0 && strncmp(place + root, "/blobs/", 7) == 0;
}

/* A link out of the folder: downloads have none, except those of an old huggingface_hub into its cache. */
NUMEL_MUST static bool review_link(struct review *g, const char *path)
{
    char quoted[TEXT_QUOTE];
    const char *real = path_real(&g->arena, path);
    if (g->arena.failed) return error_nomem(g->v->error);
    if (!real || !g->real_dir || is_inside(g->real_dir, real)) return true;
    if (strstr(real, "/blobs/") && strstr(real, "/models--")) return true;
    review_find(g, FINDING_LINK_OUTSIDE, path, NUMEL_NOWHERE, "a link out of the folder, to %s",
                text_quote(quoted, text_of(real)));
    return true;
}

/* In lower case, as far as patterns need. */
static numel_str lowered(char *out, size_t room, numel_str name)
{
    return text_lower(out, room, text_tail(name, room));
}

NUMEL_MUST static bool review_file(struct review *g, const char *path, numel_str name)
{
    static const char codes[] = "*.py *.pyc *.pyw", templates[] = "*.jinja *.jinja2 *.j2 chat_template*.txt",
                      counted[] = "*.index.json tokenizer.json vocab*.json *.index.*.json";
    char lower[256];
    numel_str low = lowered(lower, sizeof lower, name);
    if (!review_link(g, path)) return false;
    if (name_is_weights(name)) return true; /* read by previous levels */
    if (text_globs(text_of(codes), low) && path_bytes(path)) tell_code(g, path);
    if (path_kind(path) == PATH_ABSENT) return review_content(g, path, name); /* remote, and not read */
    if (text_globs(text_of(templates), low)) return review_template_file(g, path);
    if (text_ends(low, ".json")) return text_globs(text_of(counted), low) || review_json(g, path, name);
    return review_content(g, path, name);
}

/* ---- folders ------------------------------------------------------------------------------ */

/* Is it one model's? Subfolders of a folder of downloads do not belong to the verified file. */
static bool is_model(const struct folder *f)
{
    numel_str marks = text_of(
        "config.json model_index.json modules.json adapter_config.json tokenizer_config.json params.json");
    for (numel_str mark = text_word(&marks); mark.n; mark = text_word(&marks))
        if (folder_has(f, mark)) return true;
    return false;
}

NUMEL_MUST static bool review_folder(struct review *g, const char *dir, unsigned depth);

NUMEL_MUST static bool review_entry(struct review *g, const char *dir, const struct folder_entry *x,
                                    unsigned depth)
{
    struct arena_mark mark = arena_mark(&g->arena);
    char *path = path_join(&g->arena, dir, x->name);
    bool ok = path || error_nomem(g->v->error);
    if (ok && x->directory && path_is_link(path)) ok = review_link(g, path);
    else if (ok && x->directory)
        ok = depth == g->deepest || x->name.p[0] == '.' || g->files > MOST_FILES ||
             review_folder(g, path, depth + 1);
    else if (ok && g->files++ < MOST_FILES && (path_kind(path) == PATH_FILE || path_bytes(path)))
        ok = review_file(g, path, x->name);
    if (ok) arena_rewind(&g->arena, mark);
    return ok;
}

/* Skips a folder that cannot be listed: loaders cannot list it either. */
NUMEL_MUST static bool review_folder(struct review *g, const char *dir, unsigned depth)
{
    struct folder f;
    if (!folder_look(&f, dir, &g->arena, g->v->error)) return false;
    bool ok = true;
    if (depth == 0) g->deepest = is_model(&f) ? DEEPEST : 0;
    if (depth == 0 || !folder_has_weights(&f))
        for (size_t i = 0; ok && i < f.count; i++) ok = review_entry(g, dir, &f.entries[i], depth);
    folder_done(&f);
    return ok;
}

/* A folder and everything below it. */
NUMEL_MUST static bool review_root(struct review *g, const char *dir)
{
    g->files = 0;
    g->dir = dir;
    g->real_dir = path_real(&g->arena, dir);
    if (!review_folder(g, dir, 0)) return false;
    if (g->files > MOST_FILES)
        review_find(g, FINDING_REVIEW_UNREAD, dir, NUMEL_NOWHERE,
                    "only the first %d files of the folder were checked for code", MOST_FILES);
    return true;
}

/* *out: the folder of the pipeline that the checkpoint is a component of; NULL if none. */
NUMEL_MUST static bool find_pipeline(struct review *g, const struct found_set *set, const char **out)
{
    *out = NULL;
    if (!set->place || !set->place[0] || !set->dir) return true;
    char *parent = path_directory(&g->arena, set->dir);
    if (parent && (path_in(&g->arena, parent, "model_index.json", PATH_FILE) ||
                   path_in(&g->arena, parent, "modules.json", PATH_FILE)))
        *out = parent;
    return !g->arena.failed || error_nomem(g->v->error);
}

static bool is_same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

bool verify_review(struct verify *v)
{
    struct review g = { .v = v };
    const char *pipeline = NULL, *before = NULL;
    const struct found_set *set = v->set, *last = set > v->found->sets ? set - 1 : NULL;
    arena_init(&g.arena, v->arena->memory);
    review_metadata(&g);
    bool ok = find_pipeline(&g, set, &pipeline) && (!last || find_pipeline(&g, last, &before));
    if (ok && set->dir && !(last && is_same(last->dir, set->dir))) ok = review_root(&g, set->dir);
    if (ok && pipeline && !is_same(pipeline, before)) ok = review_root(&g, pipeline);
    arena_done(&g.arena);
    return ok;
}
