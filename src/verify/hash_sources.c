/*
 * hash_sources.c -- a file's digest or size according to this disk: one function per source.
 *
 * They are rows of one table, run in order, and all results are kept: two that contradict each other are both
 * compared with the file. Text from other programs' files is used only if it has the form of a digest.
 */
#include "verify/hash_sources.h"

#include "base/text.h"
#include "source/folder.h"
#include "source/slurp.h"

#include <string.h>

/* The file in question. */
struct asked {
    struct hash_sources *s;
    const char *path; /* as given */
    const char *real; /* links resolved */
    numel_str name, real_name;
};

NUMEL_MUST static bool add(struct asked *q, struct hash_source source)
{
    struct hash_sources *s = q->s;
    if (!source.where ||
        !memory_grow(s->arena->memory, &s->items, &s->cap, s->count + 1, sizeof *s->items, s->error))
        return error_nomem(s->error);
    s->items[s->count++] = source;
    return true;
}

/* ---- names that are digests --------------------------------------------------------------- */

static bool in_folder(const struct asked *q, const char *folder)
{
    char *dir = path_directory(q->s->arena, q->real);
    return dir && text_equal(path_base(dir), folder);
}

NUMEL_MUST static bool from_blob(struct asked *q)
{
    struct hash_source source = { .says = "the name of its blob", .where = q->real, .itself = true };
    return !digest_parse(&source.value, q->real_name.p, q->real_name.n) || !in_folder(q, "blobs") ||
           add(q, source);
}

NUMEL_MUST static bool from_ollama_blob(struct asked *q)
{
    struct hash_source source = { .says = "the name of Ollama's blob", .where = q->real, .itself = true };
    numel_str n = q->real_name;
    bool is = n.n == 71 && memcmp(n.p, "sha256", 6) == 0 && (n.p[6] == '-' || n.p[6] == ':') &&
              digest_parse(&source.value, n.p + 7, 64);
    return !is || add(q, source);
}

/* lfs/objects/aa/bb/aabb... */
NUMEL_MUST static bool from_lfs_store(struct asked *q)
{
    struct hash_source source = { .says = "its name in git's LFS store", .where = q->real, .itself = true };
    numel_str n = q->real_name;
    if (n.n != 64 || !digest_parse(&source.value, n.p, n.n)) return true;
    char *place = arena_format(q->s->arena, "/lfs/objects/%.2s/%.2s", n.p, n.p + 2);
    char *dir = path_directory(q->s->arena, q->real);
    return !place || !dir || !text_ends(text_of(dir), place) || add(q, source);
}

/* ---- huggingface_hub ---------------------------------------------------------------------- */

NUMEL_MUST static bool from_listing(struct asked *q)
{
    const struct listing *p = q->s->published ? q->s->published : &q->s->listing;
    const struct listed_file *f = listing_find(p, q->path, q->s->arena);
    if (!f) return true;
    struct hash_source source = { .says = "the file listing of its repository",
                                  .where = p->listing,
                                  .bytes = f->bytes,
                                  .sized = f->has_bytes,
                                  .listing = true };
    const char *digits = f->sha256 ? f->sha256 : f->blob; /* a large file's blob is its pointer's */
    if (digits) digest_parse(&source.value, digits, strlen(digits));
    return add(q, source);
}

/* DIR/.cache/huggingface/download/FILE.metadata, where DIR is the published root. */
NUMEL_MUST static const char *record_of(const struct asked *q)
{
    const struct listing *p = &q->s->listing;
    const char *below = listing_below(p, q->path, q->s->arena);
    return below ? arena_format(q->s->arena, "%s/.cache/huggingface/download/%s.metadata", p->root, below)
                 : NULL;
}

NUMEL_MUST static bool from_record(struct asked *q)
{
    struct hash_source source = { .says = "the record of its download", .where = record_of(q) };
    const char *text =
        source.where && path_kind(source.where) == PATH_FILE ? folder_text(q->s->arena, source.where) : NULL;
    const char *etag = text ? strchr(text, '\n') : NULL;
    if (!etag) return true;
    etag += 1 + (etag[1] == '"');
    return !digest_parse(&source.value, etag, strcspn(etag, "\"\r\n")) || add(q, source);
}

/* ---- Ollama ------------------------------------------------------------------------------- */

enum { MANIFEST_DEPTH = 4, MANIFESTS_MOST = 4096, MANIFEST_MOST = 16 << 20 };

struct tags {
    struct asked *q;
    char digest[80]; /* "sha256:HEX" */
    unsigned seen;
    bool found;
};

NUMEL_MUST static bool read_tag(struct tags *t, const char *path)
{
    numel_error ignored = { 0 };
    int64_t bytes;
    json_value *doc = slurp_json(path, MANIFEST_MOST, t->q->s->arena->memory, &ignored);
    const json_value *layers = doc ? json_get(doc, "layers") : NULL;
    for (const json_value *l = layers ? json_first(layers) : NULL; l && !t->found; l = json_next(l)) {
        const char *digest = json_text_of(json_get(l, "digest"));
        const json_value *size = json_get(l, "size");
        if (!digest || strcmp(digest, t->digest) != 0) continue;
        t->found = size && json_integer(size, &bytes) && bytes >= 0;
    }
    json_doc_free(doc);
    if (ignored.code == NUMEL_E_NOMEM) return error_nomem(t->q->s->error);
    return !t->found ||
           add(t->q,
               (struct hash_source){
                   .says = "an Ollama manifest", .where = path, .bytes = (uint64_t)bytes, .sized = true });
}

NUMEL_MUST static bool walk_tags(struct tags *t, const char *dir, unsigned depth)
{
    struct folder f;
    struct arena *a = t->q->s->arena;
    bool ok = true;
    if (!folder_look(&f, dir, a, t->q->s->error)) return false;
    for (size_t i = 0; ok && i < f.count && !t->found && t->seen < MANIFESTS_MOST; i++) {
        char *path = path_join(a, dir, f.entries[i].name);
        bool tag = depth == MANIFEST_DEPTH && !f.entries[i].directory;
        if (!path) ok = error_nomem(t->q->s->error);
        else if (tag && ++t->seen) ok = read_tag(t, path);
        else if (f.entries[i].directory && depth < MANIFEST_DEPTH) ok = walk_tags(t, path, depth + 1);
    }
    folder_done(&f);
    return ok;
}

NUMEL_MUST static bool from_ollama_manifest(struct asked *q)
{
    struct tags t = { .q = q };
    numel_str n = q->real_name;
    if (n.n != 71 || memcmp(n.p, "sha256", 6) != 0 || !in_folder(q, "blobs")) return true;
    char *blobs = path_directory(q->s->arena, q->real);
    char *models = blobs ? path_directory(q->s->arena, blobs) : NULL;
    char *manifests = models ? path_join(q->s->arena, models, text_of("manifests")) : NULL;
    if (!manifests) return error_nomem(q->s->error);
    struct fixed digest = FIXED(t.digest);
    fixed_text(&digest, "sha256:");
    fixed_add(&digest, text_from(n, 7));
    return walk_tags(&t, manifests, 1);
}

/* ---- lists -------------------------------------------------------------------------------- */

/* From the entry about the file; one with only its tensors has no digest of it. */
NUMEL_MUST static bool from_lists(struct asked *q)
{
    struct list_file file;
    if (!hash_list_file(&file, q->path, q->name, q->s->place, q->s->arena)) return error_nomem(q->s->error);
    for (size_t i = 0; i < q->s->list_count; i++) {
        struct hash_list *l = &q->s->lists[i];
        bool given = i == 0 && q->s->given;
        struct list_answer answer = hash_list_find(l, &file, q->s->arena);
        if (answer.other && !q->s->unsure.list)
            q->s->unsure = (struct hash_unsure){ l, given, answer.entry->file, answer.other->file };
        if (!answer.entry || answer.other) continue;
        const struct manifest_line *line = answer.entry->line;
        struct hash_source source = { .says = given ? "the manifest" : "a list next to it",
                                      .where = l->path };
        if (line) source.value = line->value, source.bytes = line->bytes, source.sized = line->sized;
        source.entry = answer.entry;
        if (!add(q, source)) return false;
    }
    return true;
}

NUMEL_MUST static bool add_list(struct hash_sources *s, const char *path, const char *dir, bool *read,
                                numel_error *why)
{
    struct hash_list list;
    if (!memory_grow(s->arena->memory, &s->lists, &s->list_cap, s->list_count + 1, sizeof *s->lists,
                     s->error))
        return false;
    if (!hash_list_open(&list, path, s->arena, read, why, s->error)) return false;
    if (!*read) return true;
    hash_list_place(&list, dir, s->arena);
    s->lists[s->list_count++] = list;
    return !s->arena->failed || error_nomem(s->error);
}

/* Is it a pointer by name and size? FILE.lfs, FILE.pointer: such a file is small. */
static bool is_pointer(const char *path, numel_str name)
{
    static const char *const ends[] = { ".lfs", ".pointer" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends(name, ends[i])) return path_bytes(path) <= 1024;
    return false;
}

static bool same_file(struct arena *a, const char *x, const char *y)
{
    const char *p = path_real(a, x), *q = path_real(a, y);
    return p && q && strcmp(p, q) == 0;
}

NUMEL_MUST static bool add_lists(struct hash_sources *s, const char *dir, hash_trouble_fn *trouble, void *ctx)
{
    struct folder f;
    numel_error why;
    bool ok = true, read;
    if (!folder_look(&f, dir, s->arena, s->error)) return false;
    for (size_t i = 0; ok && i < f.count; i++) {
        numel_str name = f.entries[i].name;
        char *path = path_join(s->arena, dir, name);
        if (!path) ok = error_nomem(s->error);
        if (!path || f.entries[i].directory) continue;
        if (!manifest_is_list(name) && !is_pointer(path, name)) continue;
        if (s->given && same_file(s->arena, path, s->lists[0].path)) continue;
        error_clear(&why);
        ok = add_list(s, path, dir, &read, &why);
        if (ok && !read) trouble(ctx, path, &why);
    }
    folder_done(&f);
    return ok;
}

/* ---- all of them -------------------------------------------------------------------------- */

static bool (*const kinds[])(struct asked *q) = { from_lists,          from_blob,    from_ollama_blob,
                                                  from_lfs_store,      from_listing, from_record,
                                                  from_ollama_manifest };

bool hash_sources_open(struct hash_sources *s, numel_checkpoint *ck, const char *manifest,
                       hash_trouble_fn *trouble, void *ctx, numel_error *e)
{
    numel_error why;
    bool read = true;
    struct arena *a = &ck->arena;
    const char *dir = ck->dir;
    *s = (struct hash_sources){ .arena = a, .error = e, .given = manifest != NULL };
    s->place = ck->place ? ck->place : "";
    bool ok = listing_load(&s->listing, dir, a, &why, e); /* the level `size` has reported *why */
    if (ok && manifest) ok = add_list(s, manifest, dir, &read, e) && read;
    if (ok && dir) ok = add_lists(s, dir, trouble, ctx);
    if (!ok) hash_sources_close(s);
    return ok;
}

void hash_sources_close(struct hash_sources *s)
{
    listing_done(&s->listing);
    for (size_t i = 0; i < s->list_count; i++) hash_list_close(&s->lists[i]);
    memory_release(s->arena->memory, s->lists);
    memory_release(s->arena->memory, s->items);
    s->lists = NULL;
    s->items = NULL;
    s->list_count = s->count = 0;
}

bool hash_sources_of(struct hash_sources *s, const char *path)
{
    struct asked q = { .s = s, .path = path, .name = path_base(path) };
    q.real = path_real(s->arena, path);
    s->count = 0;
    s->unsure = (struct hash_unsure){ .list = NULL };
    if (!q.real) return !s->arena->failed || error_nomem(s->error);
    q.real_name = path_base(q.real);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!kinds[i](&q)) return false;
    return !s->arena->failed || error_nomem(s->error);
}
