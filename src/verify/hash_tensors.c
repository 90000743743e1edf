/*
 * hash_tensors.c -- which tensors are not what a manifest says, and which are not there.
 *
 * Tensors are known by their names, so that files which were cut anew, or packed, are compared as
 * well. A file that is as the manifest says is not read again; the tensors of the others are.
 */
#include "verify/hash.h"

#include "base/text.h"
#include "source/folder.h"

#include <string.h>

struct listed {
    numel_str name; /* first: see names.h; escaped */
    const struct manifest_line *line;
    bool seen, changed;
};

struct tensors {
    struct hash_level *l;
    const struct hash_list *list; /* with tensors in it */
    struct listed *items;
    size_t count;
    struct names names;
    uint64_t changed, gone;
};

/* ---- what the manifest says --------------------------------------------------------------- */

static bool has_tensors(const struct hash_list *list)
{
    for (size_t i = 0; i < list->manifest.count; i++)
        if (list->manifest.lines[i].kind == MANIFEST_TENSOR) return true;
    return false;
}

static numel_str place_of(struct arena *a, const char *path)
{
    char *dir = path_directory(a, path), *real = dir ? path_real(a, dir) : NULL;
    char *place = real ? path_join(a, real, path_base(path)) : NULL;
    return place ? hash_escaped(a, text_of(place)) : (numel_str){ "", 0 };
}

/* A file of this checkpoint, here or missing, that the entry stands for. */
static bool is_ours(const struct hash_level *l, const struct hash_list *list, numel_str entry)
{
    const struct verify *v = l->v;
    for (size_t i = 0; i < v->set->count; i++) {
        const char *path = v->ck->states[i].path;
        if (hash_list_names(list, entry, path, place_of(l->arena, path), l->arena)) return true;
    }
    return false;
}

/* Something else that is here: of another checkpoint, or beside this one. */
static bool is_another(const struct hash_level *l, const struct hash_list *list, numel_str entry)
{
    const char *dir = l->v->ck->dir;
    char *there = path_join(l->arena, list->dir, entry);
    char *name = arena_text(l->arena, entry.p, entry.n);
    char *beside = dir && name ? path_join(l->arena, dir, path_base(name)) : NULL;
    return (there && path_kind(there) != PATH_ABSENT) || (beside && path_kind(beside) != PATH_ABSENT);
}

/* Tensors of other checkpoints that are here are none of ours. Lines of one file follow each other,
 * so that a file is looked for once. */
NUMEL_MUST static bool index_tensors(struct tensors *t)
{
    const struct manifest *m = &t->list->manifest;
    struct hash_level *l = t->l;
    numel_str last = { NULL, 0 };
    bool ours = false;
    t->items = arena_alloc(l->arena, (m->count + 1) * sizeof *t->items);
    if (!t->items) return error_nomem(l->error);
    for (size_t i = 0; i < m->count; i++) {
        const struct manifest_line *line = &m->lines[i];
        if (line->kind != MANIFEST_TENSOR) continue;
        if (!last.p || !text_same(last, line->file))
            ours = is_ours(l, t->list, line->file) || !is_another(l, t->list, line->file);
        last = line->file;
        if (!ours) continue;
        t->items[t->count] = (struct listed){ .name = line->tensor, .line = line };
        if (!names_reserve(&t->names, t->items, t->count, t->count + 1, l->error)) return false;
        t->count += names_enter(&t->names, t->items, t->count) == t->count;
    }
    return true;
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* A file that the manifest knows as a whole, and finds the same, needs no second look. */
static bool is_known_same(const struct tensors *t, const struct hashed_file *f)
{
    for (size_t i = 0; i < f->source_count; i++)
        if (f->sources[i].where == t->list->path && f->sources[i].value.kind == DIGEST_SHA256)
            return digest_equal(&f->sources[i].value, &f->plan.job.whole);
    return false;
}

static bool wants_tensors(const struct hashed_file *f) { return f->plan.job.range_count > 0; }

NUMEL_MUST static bool read_tensors(struct tensors *t)
{
    struct hash_level *l = t->l;
    for (size_t i = 0; i < l->h->count; i++) {
        struct hashed_file *f = &l->h->files[i];
        bool skip = f->number == SIZE_MAX || !error_free(&f->plan.job.error) || is_known_same(t, f);
        if (skip) continue;
        if (!plan_tensors(&f->plan, &l->v->ck->files[f->number], l->v->ck->registry.tensors, l->arena,
                          l->error))
            return false;
        f->plan.job.sha256 = f->plan.job.git = false;
        f->plan.job.identity = (struct file_identity){ 0 };
    }
    return hash_level_run(l, wants_tensors);
}

static struct listed *find_listed(const struct tensors *t, const numel_tensor *tensor)
{
    numel_str name = hash_escaped(t->l->arena, tensor->name);
    uint32_t at = names_find(&t->names, t->items, name);
    return at == NAMES_ABSENT ? NULL : &t->items[at];
}

/* False when the manifest does not have it, or has it otherwise. */
static bool compare_tensor(struct tensors *t, const struct hashed_file *f, size_t range)
{
    const numel_tensor *tensor = &t->l->v->ck->registry.tensors[f->plan.tensors[range]];
    const struct digest_value *is = &f->plan.job.ranges[range].value;
    struct listed *listed = find_listed(t, tensor);
    char a[DIGEST_HEX], b[DIGEST_HEX], name[TEXT_QUOTE];
    if (!listed || is->kind == DIGEST_NONE) return false;
    if (digest_equal(is, &listed->line->value)) return true;
    listed->changed = true;
    t->changed++;
    HASH_FIND(t->l, FINDING_TENSOR_CHANGED, f->path, tensor->name, tensor->offset,
              "tensor %s: its %" PRIu64 " bytes have the sha256 %s, the manifest says %s",
              text_quote(name, tensor->name), tensor->bytes, digest_hex(a, is),
              digest_hex(b, &listed->line->value));
    return false;
}

/* All tensors of the file are the same: then they speak of a file that nobody knows as a whole, and
 * what differs in one that somebody knows is something else. */
static bool tell_same(struct tensors *t, struct hashed_file *f)
{
    struct hash_source *by = arena_alloc(t->l->arena, sizeof *by);
    if (!by) return false;
    *by = (struct hash_source){ .says = "the manifest's tensors", .where = t->list->path };
    if (f->verdict == HASH_UNKNOWN) {
        f->verdict = HASH_MATCHES;
        f->by = by;
    } else if (f->verdict != HASH_MATCHES) {
        HASH_FIND(t->l, FINDING_TENSORS_SAME, f->path, NO_TENSOR, NUMEL_NOWHERE,
                  "its tensors' bytes are the manifest's: what differs is the header or the order");
    }
    return true;
}

NUMEL_MUST static bool compare_file(struct tensors *t, struct hashed_file *f)
{
    uint64_t same = 0;
    if (!error_free(&f->plan.job.error)) {
        if (f->plan.job.error.code == NUMEL_E_STOPPED) t->l->v->stopped = true;
        else
            HASH_FIND(t->l, FINDING_FILE_CHANGED, f->path, NO_TENSOR, f->plan.job.error.offset, "%s",
                      f->plan.job.error.what);
        f->verdict = HASH_NOT_READ;
        return true;
    }
    for (size_t i = 0; i < f->plan.job.range_count; i++) same += compare_tensor(t, f, i);
    return same < f->plan.file->tensors || tell_same(t, f) || error_nomem(t->l->error);
}

static void tell_new(struct tensors *t)
{
    const numel_checkpoint *ck = t->l->v->ck;
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < ck->registry.count; i++) {
        const numel_tensor *tensor = &ck->registry.tensors[i];
        struct listed *listed = find_listed(t, tensor);
        if (listed) listed->seen = true;
        else
            HASH_FIND(t->l, FINDING_TENSOR_NEW, ck->files[tensor->file].path, tensor->name, tensor->offset,
                      "tensor %s is not in the manifest %.120s", text_quote(name, tensor->name),
                      t->list->path);
    }
}

/* Those of shards that are missing are reported with the shard. */
static void tell_gone(struct tensors *t)
{
    for (size_t i = 0; i < t->count && t->l->v->ck->missing == 0; i++) {
        const struct listed *listed = &t->items[i];
        if (listed->seen) continue;
        t->gone++;
        HASH_FIND(t->l, FINDING_TENSOR_GONE, t->list->path, listed->name, NUMEL_NOWHERE,
                  "tensor '%.200s' of the manifest is in none of the files", listed->name.p);
    }
}

NUMEL_MUST static bool compare_tensors(struct tensors *t)
{
    struct hash_level *l = t->l;
    if (!index_tensors(t) || !read_tensors(t)) return false;
    for (size_t i = 0; i < l->h->count; i++)
        if (wants_tensors(&l->h->files[i]) && !compare_file(t, &l->h->files[i])) return false;
    tell_new(t);
    tell_gone(t);
    return !l->arena->failed || error_nomem(l->error);
}

/* ---- files that are not here -------------------------------------------------------------- */

/* Are all tensors that the manifest has in that file elsewhere now, and the same? */
static bool has_moved(const struct tensors *t, numel_str file)
{
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        const struct listed *listed = &t->items[i];
        if (!text_same(listed->line->file, file)) continue;
        if (!listed->seen || listed->changed) return false;
        any = true;
    }
    return any;
}

static void tell_absent(struct tensors *t, const struct hash_list *list)
{
    struct hash_level *l = t->l;
    for (size_t i = 0; i < list->manifest.count; i++) {
        const struct manifest_line *line = &list->manifest.lines[i];
        if (line->kind != MANIFEST_FILE || is_ours(l, list, line->file) || is_another(l, list, line->file))
            continue;
        if (t->list == list && has_moved(t, line->file))
            HASH_FIND(l, FINDING_FILE_MOVED, list->path, NO_TENSOR, NUMEL_NOWHERE,
                      "'%.200s' of the manifest is not here, but all its tensors are, unchanged",
                      line->file.p);
        else
            HASH_FIND(l, FINDING_FILE_ABSENT, list->path, NO_TENSOR, NUMEL_NOWHERE,
                      "'%.200s' of the manifest is not here", line->file.p);
    }
}

bool verify_hash_tensors(struct hash_level *l)
{
    struct tensors t = { .l = l };
    bool ok = true;
    for (size_t i = 0; i < l->sources.list_count && !t.list; i++)
        if (has_tensors(&l->sources.lists[i])) t.list = &l->sources.lists[i];
    names_init(&t.names, l->arena->memory, sizeof *t.items);
    if (t.list) ok = compare_tensors(&t);
    if (ok && l->sources.given) tell_absent(&t, &l->sources.lists[0]);
    names_done(&t.names);
    return ok && (!l->arena->failed || error_nomem(l->error));
}
