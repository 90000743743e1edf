/*
 * listing.c -- the listing of a repository, found next to a download, and its files by path and by digest.
 *
 * The downloaded commit is looked up first (in the cache it is the folder's name, a --local-dir has it in
 * its records); without one the newest listing is used.
 */
#include "reader/listing.h"

#include "base/json_doc.h"
#include "base/text.h"
#include "source/folder.h"
#include "source/slurp.h"

enum {
    CLIMB = 8, /* folders between a file and the root of its repository */
    LISTING_MOST = 16 << 20
};

/* ---- location ----------------------------------------------------------------------------- */

/* The commit of a --local-dir: the first line of any FILE.metadata. */
NUMEL_MUST static const char *commit_of(struct arena *a, const char *cache, numel_error *e)
{
    struct folder f;
    const char *commit = NULL;
    char *dir = path_join(a, cache, text_of("download"));
    if (!dir) error_nomem(e);
    if (!dir || !folder_look(&f, dir, a, e)) return NULL;
    for (size_t i = 0; i < f.count && !commit; i++) {
        if (!text_ends(f.entries[i].name, ".metadata")) continue;
        char *path = path_join(a, dir, f.entries[i].name);
        const char *text = path ? folder_text(a, path) : NULL;
        if (text) commit = arena_text(a, text, strcspn(text, "\r\n"));
    }
    folder_done(&f);
    return commit;
}

/* The listing of that commit, else the newest one. */
static const char *listing_in(struct arena *a, const char *trees, const char *commit)
{
    char *named =
        commit && commit[0] && !strchr(commit, '/') ? arena_format(a, "%s/%s.json", trees, commit) : NULL;
    if (named && path_kind(named) == PATH_FILE) return named;
    return folder_newest(a, trees);
}

/* dir is DIR/snapshots/COMMIT or below it. */
static bool look_in_cache(struct listing *p, struct arena *a, const char *dir)
{
    const char *at = strstr(dir, "/snapshots/");
    for (const char *next = at; next; next = strstr(next + 1, "/snapshots/")) at = next;
    if (!at) return false;
    const char *name = at + strlen("/snapshots/");
    numel_str nothing = { NULL, 0 }, repository = text_span(dir, at), commit = { name, strcspn(name, "/") };
    numel_str trees = arena_join(a, repository, text_of("/trees/"), commit);
    p->root = arena_join(a, repository, text_of("/snapshots/"), commit).p;
    p->blobs = arena_join(a, repository, text_of("/blobs"), nothing).p;
    p->listing = trees.p ? arena_join(a, trees, text_of(".json"), nothing).p : NULL;
    if (p->listing && path_kind(p->listing) != PATH_FILE) p->listing = NULL;
    if (p->blobs && path_kind(p->blobs) != PATH_DIRECTORY) p->blobs = NULL;
    return true;
}

/* dir is models--ORG--NAME itself, possibly without a snapshot yet. */
static bool look_in_repository(struct listing *p, struct arena *a, const char *dir)
{
    char *blobs = path_join(a, dir, text_of("blobs")), *trees = path_join(a, dir, text_of("trees"));
    if (!text_starts(path_base(dir), "models--") || !blobs || path_kind(blobs) != PATH_DIRECTORY)
        return false;
    p->root = dir;
    p->blobs = blobs;
    if (trees && path_kind(trees) == PATH_DIRECTORY) p->listing = listing_in(a, trees, NULL);
    return true;
}

/* DIR/.cache/huggingface in dir or above it. */
static void look_above(struct listing *p, struct arena *a, const char *dir, numel_error *e)
{
    for (int i = 0; i < CLIMB && dir && strcmp(dir, "/") != 0; i++) {
        char *cache = path_join(a, dir, text_of(".cache/huggingface"));
        char *trees = cache ? path_join(a, cache, text_of("trees")) : NULL;
        char *download = cache ? path_join(a, cache, text_of("download")) : NULL;
        if (download && path_kind(download) == PATH_DIRECTORY) {
            p->root = dir;
            p->blobs = download;
            if (trees && path_kind(trees) == PATH_DIRECTORY)
                p->listing = listing_in(a, trees, commit_of(a, cache, e));
            return;
        }
        dir = path_directory(a, dir);
    }
}

/* ---- contents ----------------------------------------------------------------------------- */

bool listing_begin(struct listing *p, const char *from, const char *root, struct arena *a, numel_error *e)
{
    *p = (struct listing){ .listing = from, .root = path_real(a, root) };
    names_init(&p->by_path, a->memory, sizeof *p->files);
    return !a->failed || error_nomem(e);
}

NUMEL_MUST static const char *own_text(struct arena *a, const char *text)
{
    return text ? arena_text(a, text, strlen(text)) : NULL;
}

bool listing_add(struct listing *p, const struct listed_file *file, struct arena *a, numel_error *e)
{
    if (!memory_grow(a->memory, &p->files, &p->cap, p->count + 1, sizeof *p->files, e)) return false;
    struct listed_file *own = &p->files[p->count];
    *own = *file;
    own->path.p = arena_text(a, file->path.p, file->path.n);
    own->sha256 = own_text(a, file->sha256);
    own->blob = own_text(a, file->blob);
    if (!own->path.p || a->failed) return error_nomem(e);
    if (!names_reserve(&p->by_path, p->count + 1, e)) return false;
    names_enter(&p->by_path, p->files, p->count);
    p->count++;
    return true;
}

NUMEL_MUST static bool add_file(struct listing *p, struct arena *a, const json_value *file, numel_error *e)
{
    int64_t bytes = 0;
    const json_value *size = json_get(file, "lfs_size");
    if (!size || !json_integer(size, &bytes)) size = json_get(file, "size");
    bool has = size && json_integer(size, &bytes) && bytes >= 0;
    const struct listed_file one = { .path = text_of(json_name(file)),
                                     .bytes = has ? (uint64_t)bytes : 0,
                                     .has_bytes = has,
                                     .sha256 = json_text_of(json_get(file, "lfs_sha256")),
                                     .blob = json_text_of(json_get(file, "blob_id")) };
    return listing_add(p, &one, a, e);
}

NUMEL_MUST static bool read_listing(struct listing *p, struct arena *a, numel_error *why, numel_error *e)
{
    bool ok = true;
    json_value *doc = slurp_json(p->listing, LISTING_MOST, a->memory, why);
    const json_value *files = doc ? json_get(doc, "files") : NULL;
    if (doc && (!files || json_kind(files) != JSON_OBJECT))
        error_set(why, NUMEL_E_SYNTAX, 0, "is not a file listing: it has no object 'files'");
    for (const json_value *f = error_free(why) && files ? json_first(files) : NULL; f && ok; f = json_next(f))
        ok = json_kind(f) != JSON_OBJECT || add_file(p, a, f, e);
    json_doc_free(doc);
    if (why->code == NUMEL_E_NOMEM) return error_nomem(e);
    error_file(why, error_free(why) ? NULL : p->listing);
    return ok;
}

bool listing_load(struct listing *p, const char *dir, struct arena *a, numel_error *why, numel_error *e)
{
    *p = (struct listing){ .count = 0 };
    names_init(&p->by_path, a->memory, sizeof *p->files);
    error_clear(why);
    const char *own = dir ? path_real(a, dir) : NULL;
    if (!own) return !a->failed || error_nomem(e);
    if (!look_in_cache(p, a, own) && !look_in_repository(p, a, own)) look_above(p, a, own, e);
    if (a->failed) return error_nomem(e);
    return error_free(e) && (!p->listing || read_listing(p, a, why, e));
}

void listing_done(struct listing *p)
{
    const numel_allocator *m = p->by_path.memory;
    if (!m) return;
    memory_release(m, p->files);
    names_done(&p->by_path);
    p->files = NULL;
    p->count = p->cap = 0;
}

const char *listing_below(const struct listing *p, const char *path, struct arena *a)
{
    size_t n = p->root ? strlen(p->root) : 0;
    char *dir = n ? path_directory(a, path) : NULL; /* not of the file: in the cache that is a link out */
    char *folder = dir ? path_real(a, dir) : NULL;
    if (!folder || strncmp(folder, p->root, n) != 0 || (folder[n] && folder[n] != '/')) return NULL;
    return path_join(a, folder[n] ? folder + n + 1 : ".", path_base(path));
}

const struct listed_file *listing_find(const struct listing *p, const char *path, struct arena *a)
{
    const char *name = p->count ? listing_below(p, path, a) : NULL;
    uint32_t at = name ? names_find(&p->by_path, p->files, text_of(name)) : NAMES_ABSENT;
    return at == NAMES_ABSENT ? NULL : &p->files[at];
}

const struct listed_file *listing_by_digest(const struct listing *p, numel_str digest)
{
    for (size_t i = 0; i < p->count; i++)
        if ((p->files[i].sha256 && text_equal(digest, p->files[i].sha256)) ||
            (p->files[i].blob && text_equal(digest, p->files[i].blob)))
            return &p->files[i];
    return NULL;
}
