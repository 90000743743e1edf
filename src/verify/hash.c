/*
 * hash.c -- the level `hash`: lists files, compares sizes, computes the remaining digests.
 *
 * One run of content's threads reads everything; a second run finds the tensors of a file that differs, if a
 * manifest lists their digests (hash_tensors.c).
 */
#include "verify/hash.h"

#include "base/text.h"
#include "source/folder.h"

#include <string.h>

enum { BESIDE_MOST = 64 << 20 }; /* a tokenizer.json of 33 MB has been seen */

/* ---- which files -------------------------------------------------------------------------- */

static struct hashed_file *add_file(struct hash_level *l, const char *path, size_t number)
{
    struct hashed *h = l->h;
    struct hashed_file *grown = arena_grow(l->arena, h->files, h->count, &h->cap, sizeof *grown);
    if (!grown) return NULL;
    h->files = grown;
    h->files[h->count] = (struct hashed_file){ .path = path, .number = number };
    h->files[h->count].plan.job.path = path;
    if (!hash_sources_of(&l->sources, path)) return NULL;
    size_t n = l->sources.count;
    h->files[h->count].source_count = n;
    h->files[h->count].sources = arena_copy(l->arena, l->sources.items, n * sizeof *l->sources.items);
    if (n && !h->files[h->count].sources) return NULL;
    h->files[h->count].unsure = l->sources.unsure;
    return &h->files[h->count++];
}

/* The checkpoint's own files; a header-only copy is not the published file. */
NUMEL_MUST static bool add_states(struct hash_level *l)
{
    const numel_checkpoint *ck = l->v->ck;
    for (size_t i = 0; i < l->v->set->count; i++) {
        const struct file_state *s = &ck->states[i];
        bool known = s->file != NAMES_ABSENT;
        if (s->missing || s->promised || (known && ck->files[s->file].header_only)) continue;
        struct hashed_file *f = add_file(l, s->path, known ? s->file : SIZE_MAX);
        if (!f) return error_nomem(l->error);
        if (known) f->plan.file = &ck->files[s->file];
    }
    return true;
}

/* The other blobs of an Ollama manifest: each one's name is its digest. */
NUMEL_MUST static bool add_layers(struct hash_level *l)
{
    const struct found_layers *layers = l->v->set->layers;
    for (size_t i = 0; layers && i < layers->count; i++) {
        if (path_kind(layers->items[i].path) != PATH_FILE) continue;
        struct hashed_file *f = add_file(l, layers->items[i].path, SIZE_MAX);
        if (!f) return error_nomem(l->error);
        f->beside = true;
    }
    return true;
}

static bool is_weights(numel_str name)
{
    return text_globs(text_of("*.safetensors *.gguf *.bin *.pt *.pth *.zst *.incomplete"), name);
}

static bool is_beside(const struct hash_level *l, numel_str name, const char *path)
{
    for (size_t i = 0; i < l->h->count; i++)
        if (strcmp(l->h->files[i].path, path) == 0) return false;
    return name.p[0] != '.' && memchr(name.p, '.', name.n) && !manifest_is_list(name) &&
           path_kind(path) == PATH_FILE && path_bytes(path) <= BESIDE_MOST;
}

/* Configuration, tokenizer, index: those with a known digest. */
NUMEL_MUST static bool add_beside(struct hash_level *l)
{
    const struct folder *f = l->v->set->beside;
    const char *dir = l->v->ck->dir;
    bool ok = true;
    for (size_t i = 0; ok && f && i < f->count; i++) {
        if (f->entries[i].directory || is_weights(f->entries[i].name)) continue;
        char *path = path_join(l->arena, dir, f->entries[i].name);
        if (!path) ok = false;
        else if (is_beside(l, f->entries[i].name, path)) {
            struct hashed_file *file = add_file(l, path, SIZE_MAX);
            ok = file != NULL;
            if (ok) file->beside = true;
            if (ok && file->source_count == 0 && !file->unsure.list) l->h->count--;
        }
    }
    return ok || error_nomem(l->error);
}

/* ---- sizes, then digests ------------------------------------------------------------------ */

/* Decides what to read of the file; nothing if a size is already wrong. */
static void check_sizes(struct hash_level *l, struct hashed_file *f)
{
    uint64_t bytes = path_bytes(f->path);
    char has[TEXT_NUMBER], should[TEXT_NUMBER];
    for (size_t i = 0; i < f->source_count; i++) {
        const struct hash_source *s = &f->sources[i];
        f->plan.job.sha256 |= s->value.kind == DIGEST_SHA256;
        f->plan.job.git |= s->value.kind == DIGEST_GIT;
        if (!s->sized || s->bytes == bytes || f->verdict == HASH_WRONG_SIZE) continue;
        f->verdict = HASH_WRONG_SIZE;
        f->by = s;
        if (s->listing && (!f->beside || l->v->published_sizes)) continue; /* reported by the level `size` */
        HASH_FIND(l, FINDING_HASH_SIZE, f->path, NO_TENSOR, NUMEL_NOWHERE,
                  "the file has %s bytes, but %s says %s (%.200s); its checksum was not computed",
                  text_number(has, bytes), s->says, text_number(should, s->bytes), s->where);
    }
}

/* The file's digest of the source's kind. */
static const struct digest_value *value_for(const struct hashed_file *f, const struct hash_source *s)
{
    return s->value.kind == DIGEST_GIT ? &f->plan.job.named : &f->plan.job.whole;
}

/* Was that digest already compared? A blob's name and the listing have the same one. */
static bool is_said(const struct hashed_file *f, const struct hash_source *s)
{
    for (const struct hash_source *x = f->sources; x < s; x++)
        if (digest_equal(&x->value, &s->value)) return true;
    return false;
}

static void tell_difference(struct hash_level *l, const struct hashed_file *f, const struct hash_source *s)
{
    char is[DIGEST_HEX], should[DIGEST_HEX];
    HASH_FIND(l, FINDING_HASH_MISMATCH, f->path, NO_TENSOR, NUMEL_NOWHERE,
              "its %s is %s, but %s says %s%s%.120s%s", digest_name(s->value.kind),
              digest_hex(is, value_for(f, s)), s->says, digest_hex(should, &s->value), s->itself ? "" : " (",
              s->itself ? "" : s->where, s->itself ? "" : ")");
}

static void tell_failure(struct hash_level *l, struct hashed_file *f)
{
    const numel_error *e = &f->plan.job.error;
    f->verdict = HASH_NOT_READ;
    if (e->code == NUMEL_E_STOPPED) l->v->stopped = true;
    else
        HASH_FIND(l, e->code == NUMEL_E_CHANGED ? FINDING_FILE_CHANGED : FINDING_HASH_UNREADABLE, f->path,
                  NO_TENSOR, e->offset, "%s", e->what);
}

static void judge(struct hash_level *l, struct hashed_file *f)
{
    if (f->verdict == HASH_WRONG_SIZE) return;
    if (!error_free(&f->plan.job.error)) {
        tell_failure(l, f);
        return;
    }
    for (size_t i = 0; i < f->source_count; i++) {
        const struct hash_source *s = &f->sources[i];
        if (s->value.kind == DIGEST_NONE) continue;
        bool same = digest_equal(value_for(f, s), &s->value);
        if (!same && !is_said(f, s)) tell_difference(l, f, s);
        if (f->verdict == HASH_DIFFERS || (f->verdict == HASH_MATCHES && same)) continue;
        f->verdict = same ? HASH_MATCHES : HASH_DIFFERS;
        f->by = s;
    }
}

static const numel_work *work_of(const struct hash_level *l)
{
    static const numel_work plain;
    return l->v->check->work ? l->v->check->work : &plain;
}

/* Runs the jobs of the files that `wanted` picks, and stores the results. */
bool hash_level_run(struct hash_level *l, bool (*wanted)(const struct hashed_file *f))
{
    struct hashed *h = l->h;
    const numel_allocator *m = l->arena->memory;
    struct hash_job *jobs = memory_resize(m, NULL, (h->count + 1) * sizeof *jobs);
    size_t n = 0;
    if (!jobs) return error_nomem(l->error);
    for (size_t i = 0; i < h->count; i++)
        if (wanted(&h->files[i])) jobs[n++] = h->files[i].plan.job;
    bool ok = hashes_run(jobs, n, work_of(l), m, l->error);
    n = 0;
    for (size_t i = 0; ok && i < h->count; i++) {
        if (!wanted(&h->files[i])) continue;
        h->files[i].plan.job = jobs[n++];
        plan_settle(&h->files[i].plan);
    }
    memory_release(m, jobs);
    return ok;
}

static bool wants_whole(const struct hashed_file *f)
{
    return f->verdict != HASH_WRONG_SIZE && (f->plan.job.sha256 || f->plan.job.git);
}

/* ---- the level ---------------------------------------------------------------------------- */

static void list_trouble(void *ctx, const char *path, const numel_error *why)
{
    struct hash_level *l = ctx;
    HASH_FIND(l, FINDING_LIST_UNREADABLE, path, NO_TENSOR, why->offset,
              "%s; the files were not compared with it", why->what);
}

NUMEL_MUST static bool compare_files(struct hash_level *l)
{
    struct hashed *h = l->h;
    if (!add_states(l) || !add_layers(l) || !add_beside(l)) return false;
    for (size_t i = 0; i < h->count; i++) check_sizes(l, &h->files[i]);
    if (!manifest_answers(l) || !hash_level_run(l, wants_whole)) return false;
    for (size_t i = 0; i < h->count; i++) judge(l, &h->files[i]);
    return manifest_renamed(l);
}

/* Call after the tensors, which may vouch for a file without a known digest. Files that a manifest lacks are
 * already reported. */
static void sum_up(struct hash_level *l)
{
    for (size_t i = 0; i < l->h->count; i++) {
        const struct hashed_file *f = &l->h->files[i];
        l->h->matches += f->verdict == HASH_MATCHES;
        l->h->compared += f->verdict != HASH_UNKNOWN;
        if (f->verdict == HASH_UNKNOWN && !f->unsure.list && !l->sources.given)
            HASH_FIND(l, FINDING_HASH_UNKNOWN, f->path, NO_TENSOR, NUMEL_NOWHERE,
                      "no checksum was found for it on this disk: its data is not checked");
    }
}

bool hash_is_published(const struct verify *v, const char *path)
{
    for (size_t i = 0; v->hashed && i < v->hashed->count; i++) {
        const struct hashed_file *f = &v->hashed->files[i];
        if (f->verdict == HASH_MATCHES && !f->by->entry && strcmp(f->path, path) == 0) return true;
    }
    return false;
}

bool verify_hash(struct verify *v)
{
    struct hash_level l = { .v = v, .arena = v->arena, .error = v->error };
    l.h = v->hashed = arena_alloc(l.arena, sizeof *l.h);
    if (!l.h) return error_nomem(l.error);
    *l.h = (struct hashed){ .count = 0 };
    l.h->given.path = v->check->manifest;
    if (!hash_sources_open(&l.sources, v->ck, v->check->manifest, list_trouble, &l, l.error)) return false;
    if (v->published.count) l.sources.published = &v->published;
    bool ok = compare_files(&l) && (v->stopped || (verify_hash_tensors(&l) && manifest_sum_up(&l)));
    sum_up(&l);
    if (ok && !v->stopped) verify_zeros(v);
    hash_sources_close(&l.sources);
    return ok;
}
