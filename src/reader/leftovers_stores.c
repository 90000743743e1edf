/*
 * leftovers_stores.c -- leftovers in the caches of huggingface_hub and Ollama.
 *
 *     models--ORG--NAME/blobs/ETAG               used if a snapshot has a link to it
 *     models--ORG--NAME/blobs/ETAG.incomplete    a part
 *     models--ORG--NAME/snapshots/COMMIT         has a ref, refs/main, or is a revision without one
 *     blobs/sha256-HEX                           used if a manifest names it
 *     blobs/sha256-HEX-partial                   a part, allocated in full; its blocks in -partial-N:
 *     blobs/sha256-HEX-partial-N                 { "N", "Offset", "Size", "Completed" }
 *
 * Every blob is a candidate; leftovers.c drops those in use. While a download runs, a blob may be complete
 * before anything names it: then all blobs of its folder are kept.
 */
#include "reader/leftovers_internal.h"

#include "base/json_doc.h"
#include "base/num.h"
#include "base/text.h"
#include "reader/unfinished.h"
#include "source/slurp.h"

static const char under_way[] = "a download into its folder may be under way";

/* ---- Hugging Face ------------------------------------------------------------------------- */

NUMEL_MUST static bool add_part(struct leaving *l, const struct found_part *p, const char *model)
{
    struct leftover x = { .path = p->path, .model = model, .files = 1, .bytes = p->bytes, .total = p->total };
    struct found_part header;
    numel_str of = p->of;
    if (x.total == NUMEL_NOT_KNOWN) {
        if (!part_read(&header, p->path, l->options, &l->scratch, l->error)) return false;
        x.total = header.total;
    }
    x.of = of.n ? arena_text(&l->scratch, of.p, of.n) : NULL;
    return l->scratch.failed ? error_nomem(l->error) : leftover_add(l, &x);
}

bool leftovers_of_downloads(struct leaving *l, const char *folder, const char *beside, const char *model,
                            bool *fresh)
{
    struct listing p;
    struct single_parts parts = { .count = 0 };
    numel_error why;
    *fresh = false;
    bool ok = listing_load(&p, beside, &l->scratch, &why, l->error) &&
              parts_in(&parts, folder, &p, &l->scratch, l->error);
    for (size_t i = 0; ok && i < parts.count; i++) {
        *fresh |= leftover_is_fresh(l, parts.items[i].path);
        ok = add_part(l, &parts.items[i], model);
    }
    parts_done(&parts, l->scratch.memory);
    listing_done(&p);
    return ok;
}

/* The commits that refs name, below `dir`: words. */
NUMEL_MUST static bool read_refs(struct leaving *l, const char *dir, unsigned depth, struct buffer *commits)
{
    struct folder f;
    bool ok = true;
    if (!folder_look(&f, dir, &l->scratch, l->error)) return false;
    for (size_t i = 0; ok && i < f.count; i++) {
        char *path = path_join(&l->scratch, dir, f.entries[i].name);
        if (!path) ok = error_nomem(l->error);
        else if (f.entries[i].directory) ok = depth == 0 || read_refs(l, path, depth - 1, commits);
        else {
            const char *commit = folder_text(&l->scratch, path);
            if (l->scratch.failed) ok = error_nomem(l->error);
            buffer_format(commits, " %s", commit ? commit : "");
        }
    }
    folder_done(&f);
    return ok;
}

/* Counts the files of a snapshot, and the bytes of those not counted before. */
NUMEL_MUST static bool count_snapshot(struct leaving *l, struct seen *counted, const char *dir,
                                      unsigned depth, struct leftover *x)
{
    struct folder f;
    bool ok = true, again;
    if (!folder_look(&f, dir, &l->scratch, l->error)) return false;
    for (size_t i = 0; ok && i < f.count; i++) {
        struct path_identity is;
        char *path = path_join(&l->scratch, dir, f.entries[i].name);
        if (!path) ok = error_nomem(l->error);
        else if (f.entries[i].directory) ok = depth == 0 || count_snapshot(l, counted, path, depth - 1, x);
        else if (path_identify(path, &is)) {
            ok = seen_add(counted, is.device, is.inode, &again, l->error);
            x->files++;
            if (!again) x->bytes += is.bytes;
        }
    }
    folder_done(&f);
    return ok;
}

/* Counts the snapshots that have a ref (`named`), or adds those that have none. */
NUMEL_MUST static bool look_at_snapshots(struct leaving *l, const char *dir, const char *model,
                                         numel_str commits, struct seen *counted, bool named)
{
    struct folder f;
    bool ok = true;
    if (!folder_look(&f, dir, &l->scratch, l->error)) return false;
    for (size_t i = 0; ok && i < f.count; i++) {
        const struct folder_entry *n = &f.entries[i];
        struct leftover x = { .kind = LEFTOVER_REVISION, .model = model, .total = NUMEL_NOT_KNOWN };
        if (!n->directory || text_lists(commits, n->name) != named) continue;
        x.keep = "no ref names it, but a program may ask for it by its commit; 'hf cache prune' deletes it";
        x.path = path_join(&l->scratch, dir, n->name);
        ok = x.path ? count_snapshot(l, counted, x.path, 8, &x) : error_nomem(l->error);
        if (ok && !named) ok = leftover_add(l, &x);
    }
    folder_done(&f);
    return ok;
}

/* Those with a ref come first, so that what they share is not counted. */
NUMEL_MUST static bool look_for_revisions(struct leaving *l, const char *dir, const char *model)
{
    struct buffer commits;
    struct seen counted;
    char *refs = path_join(&l->scratch, dir, text_of("refs"));
    char *snapshots = path_join(&l->scratch, dir, text_of("snapshots"));
    if (!refs || !snapshots) return error_nomem(l->error);
    buffer_init(&commits, l->scratch.memory);
    seen_init(&counted, l->scratch.memory);
    bool ok = read_refs(l, refs, 4, &commits);
    if (ok && commits.failed) ok = error_nomem(l->error);
    for (int named = 1; named >= 0 && ok; named--)
        ok = look_at_snapshots(l, snapshots, model, buffer_view(&commits), &counted, named);
    seen_done(&counted);
    buffer_done(&commits);
    return ok;
}

NUMEL_MUST static bool add_blob(struct leaving *l, const char *dir, numel_str name, const char *model,
                                bool fresh)
{
    struct leftover x = { .kind = LEFTOVER_BLOB, .model = model, .files = 1, .total = NUMEL_NOT_KNOWN };
    if (fresh) x.keep = under_way;
    x.path = path_join(&l->scratch, dir, name);
    if (!x.path) return error_nomem(l->error);
    x.bytes = path_bytes(x.path);
    return leftover_add(l, &x);
}

bool leftovers_in_repository(struct leaving *l, const char *dir, const char *real)
{
    struct folder f;
    bool fresh;
    const char *model = hub_repository_name(&l->scratch, path_base(real)).p;
    char *blobs = path_join(&l->scratch, dir, text_of("blobs"));
    if (!blobs || l->scratch.failed) return error_nomem(l->error);
    if (!leftovers_of_downloads(l, blobs, dir, model, &fresh)) return false;
    bool ok = folder_look(&f, blobs, &l->scratch, l->error);
    for (size_t i = 0; ok && i < f.count; i++)
        if (!f.entries[i].directory && !f.entries[i].link && !text_ends(f.entries[i].name, ".incomplete"))
            ok = add_blob(l, blobs, f.entries[i].name, model, fresh);
    if (ok) folder_done(&f);
    return ok && look_for_revisions(l, dir, model);
}

/* ---- Ollama ------------------------------------------------------------------------------- */

enum { BLOB_NAME = 71, PARTIAL_NAME = 79 }; /* "sha256-" and 64 digits; with "-partial" */

/* Marks the blobs that manifests name; *known is false if not all manifests can be read. */
NUMEL_MUST static bool use_named(struct leaving *l, const char *models, bool *known)
{
    numel_found *found;
    numel_error why = { .code = NUMEL_OK };
    *known = false;
    if (!find_folder(&found, models, l->options, &why))
        return why.code != NUMEL_E_NOMEM || error_nomem(l->error);
    bool ok = true;
    for (size_t i = 0; ok && i < found->count; i++) {
        const struct found_set *s = &found->sets[i];
        *known |= s->strays != NULL;
        for (size_t k = 0; ok && k < s->count; k++)
            if (s->files[k].layer) ok = leftover_use(l, s->files[k].layer->path);
        for (size_t k = 0; ok && s->layers && k < s->layers->count; k++)
            ok = leftover_use(l, s->layers->items[k].path);
    }
    numel_found_free(found);
    return ok;
}

/* Adds what a block has to the part's. */
NUMEL_MUST static bool add_block(struct leaving *l, struct leftover *x, const char *path)
{
    numel_error why = { .code = NUMEL_OK };
    int64_t size = 0, done = 0;
    json_value *doc = slurp_json(path, 1 << 16, l->scratch.memory, &why);
    const json_value *s = doc ? json_get(doc, "Size") : NULL, *c = doc ? json_get(doc, "Completed") : NULL;
    if (s && c && json_integer(s, &size) && json_integer(c, &done) && size >= 0 && done >= 0 &&
        !num_add(&x->total, x->total, (uint64_t)size))
        x->total = NUMEL_NOT_KNOWN;
    if (done > 0 && !num_add(&x->bytes, x->bytes, (uint64_t)done)) x->bytes = NUMEL_NOT_KNOWN;
    json_doc_free(doc);
    return why.code != NUMEL_E_NOMEM || error_nomem(l->error);
}

NUMEL_MUST static bool add_pull(struct leaving *l, const char *blobs, const struct folder *f, numel_str name)
{
    struct leftover x = { .files = 1 };
    x.path = path_join(&l->scratch, blobs, name);
    x.also = arena_alloc(&l->out->arena, (f->count + 1) * sizeof *x.also);
    if (!x.path || !x.also) return error_nomem(l->error);
    for (size_t i = 0; i < f->count && name.n == PARTIAL_NAME; i++) {
        numel_str block = f->entries[i].name;
        if (block.n <= name.n || !text_same(text_upto(block, name.n), name)) continue;
        const char *path = path_join(&l->out->arena, blobs, block);
        if (!path) return error_nomem(l->error);
        if (!add_block(l, &x, path)) return false;
        if (leftover_is_fresh(l, path)) x.keep = under_way;
        x.also[x.also_count++] = path;
    }
    x.files += x.also_count;
    if (!x.total) x.total = NUMEL_NOT_KNOWN, x.bytes = path_bytes(x.path);
    return leftover_add(l, &x);
}

static bool is_partial(numel_str name)
{
    return name.n > BLOB_NAME && text_starts(text_from(name, BLOB_NAME), "-partial");
}

NUMEL_MUST static bool look_at_blobs(struct leaving *l, const char *blobs, const struct folder *f, bool known)
{
    bool fresh = false;
    for (size_t i = 0; i < f->count; i++) {
        numel_str name = f->entries[i].name;
        if (f->entries[i].directory || f->entries[i].link || !is_partial(name)) continue;
        char *path = path_join(&l->scratch, blobs, name);
        if (!path) return error_nomem(l->error);
        fresh |= leftover_is_fresh(l, path);
        bool block = name.n > PARTIAL_NAME && folder_has(f, text_upto(name, PARTIAL_NAME));
        if (!block && !add_pull(l, blobs, f, name)) return false;
    }
    for (size_t i = 0; i < f->count && known; i++) {
        const struct folder_entry *x = &f->entries[i];
        if (x->directory || x->link || x->name.n != BLOB_NAME || !text_starts(x->name, "sha256-")) continue;
        if (!add_blob(l, blobs, x->name, NULL, fresh)) return false;
    }
    return true;
}

bool leftovers_in_ollama(struct leaving *l, const char *dir)
{
    struct folder f;
    bool known;
    char *blobs = path_join(&l->scratch, dir, text_of("blobs"));
    if (!blobs) return error_nomem(l->error);
    if (!use_named(l, dir, &known) || !folder_look(&f, blobs, &l->scratch, l->error)) return false;
    bool ok = look_at_blobs(l, blobs, &f, known);
    folder_done(&f);
    return ok;
}
