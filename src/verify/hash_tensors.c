/*
 * hash_tensors.c -- which tensors differ from a manifest, which are missing, and whether they are its model.
 *
 * Tensors are identified by name, so files that were split anew, renamed or packed are compared too. A file
 * that matches the manifest is not read again; the tensors of the others are. Equal bytes are not enough: a
 * tensor may have another type or shape. Only the digest of the model, if the manifest has it, reveals that.
 */
#include "verify/hash.h"

#include "base/text.h"
#include "content/model_digest.h"
#include "source/folder.h"

struct listed {
    numel_str name; /* first: see names.h; escaped */
    const struct manifest_line *line;
    struct list_entry *entry;
    bool ours;   /* of an entry answered by a file here */
    bool unsure; /* another possible entry has another digest */
    bool seen, changed;
};

struct tensors {
    struct hash_level *l;
    struct hash_list *list; /* has tensors, or the digest of a model */
    bool given;             /* it is the given manifest */
    struct listed *items;
    size_t count;
    struct names names;
    struct digest_value *values; /* of each tensor here; NONE: not read */
    uint64_t seen, changed, gone, extra, unsure, unread;
};

/* ---- the manifest ------------------------------------------------------------------------- */

static bool has_kind(const struct hash_list *list, enum manifest_kind kind)
{
    for (size_t i = 0; i < list->manifest.count; i++)
        if (list->manifest.lines[i].kind == kind) return true;
    return false;
}

/* An entry that fits takes precedence over one that only may. */
NUMEL_MUST static bool enter(struct tensors *t, const struct manifest_line *line, struct list_entry *entry,
                             bool ours)
{
    t->items[t->count] = (struct listed){ .name = line->tensor, .line = line, .entry = entry, .ours = ours };
    if (!names_reserve(&t->names, t->count + 1, t->l->error)) return false;
    uint32_t at = names_enter(&t->names, t->items, t->count);
    struct listed *known = &t->items[at];
    t->count += at == t->count;
    if (known->ours == ours && !digest_equal(&known->line->value, &line->value)) known->unsure = true;
    return true;
}

/* Lines of one file are consecutive, so each file is searched for once. */
NUMEL_MUST static bool index_scope(struct tensors *t, enum entry_scope wanted)
{
    const struct manifest *m = &t->list->manifest;
    struct list_entry *entry = NULL;
    enum entry_scope scope = SCOPE_OTHERS;
    for (size_t i = 0; i < m->count; i++) {
        const struct manifest_line *line = &m->lines[i];
        if (line->kind != MANIFEST_TENSOR) continue;
        if (!entry || !text_same(entry->file, line->file)) {
            entry = hash_list_entry(t->list, line->file);
            scope = entry ? manifest_scope(t->l, t->list, entry) : SCOPE_OTHERS;
        }
        if (scope == wanted && !enter(t, line, entry, wanted == SCOPE_OURS)) return false;
    }
    return true;
}

/* None if only the index is here. */
static size_t tensors_here(const numel_checkpoint *ck) { return ck->named ? 0 : ck->registry.count; }

NUMEL_MUST static bool index_tensors(struct tensors *t)
{
    struct hash_level *l = t->l;
    size_t lines = 0, tensors = tensors_here(l->v->ck);
    for (size_t i = 0; i < t->list->manifest.count; i++)
        lines += t->list->manifest.lines[i].kind == MANIFEST_TENSOR;
    t->items = arena_alloc(l->arena, (lines + 1) * sizeof *t->items);
    t->values = arena_alloc(l->arena, (tensors + 1) * sizeof *t->values);
    if (!t->items || !t->values) return error_nomem(l->error);
    for (size_t i = 0; i < tensors; i++) t->values[i] = (struct digest_value){ .kind = DIGEST_NONE };
    return index_scope(t, SCOPE_OURS) && index_scope(t, SCOPE_OPEN);
}

static struct listed *find_listed(const struct tensors *t, const numel_tensor *tensor)
{
    struct arena *a = t->l->arena;
    struct arena_mark mark = arena_mark(a);
    uint32_t at = names_find(&t->names, t->items, hash_escaped(a, tensor->name));
    if (!a->failed) arena_rewind(a, mark);
    return at == NAMES_ABSENT ? NULL : &t->items[at];
}

/* Marks tensors that the list names; if there are none, only the digest of a model is left to compare. */
static void see_tensors(struct tensors *t)
{
    const numel_checkpoint *ck = t->l->v->ck;
    for (size_t i = 0; i < tensors_here(ck); i++) {
        struct listed *listed = find_listed(t, &ck->registry.tensors[i]);
        if (!listed) continue;
        t->seen += !listed->seen;
        listed->seen = true;
    }
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* A file that matches its digest in the list needs no second look. */
static bool is_known_same(const struct tensors *t, const struct hashed_file *f)
{
    if (f->entry && t->given && f->entry->line && !f->source_count) return true; /* by its digest */
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

/* Keeps the digest, and reports it if it is not the list's. */
static void compare_tensor(struct tensors *t, struct hashed_file *f, size_t range)
{
    uint32_t number = f->plan.tensors[range];
    const numel_tensor *tensor = &t->l->v->ck->registry.tensors[number];
    const struct digest_value *is = &f->plan.job.ranges[range].value;
    struct listed *listed = find_listed(t, tensor);
    char a[DIGEST_HEX], b[DIGEST_HEX], name[TEXT_QUOTE];
    t->values[number] = *is;
    if (!listed || listed->unsure || is->kind == DIGEST_NONE || digest_equal(is, &listed->line->value))
        return;
    listed->changed = true;
    t->changed++;
    HASH_FIND(t->l, FINDING_TENSOR_CHANGED, f->path, tensor->name, tensor->offset,
              "tensor %s: its %" PRIu64 " bytes have the sha256 %s, but the manifest says %s",
              text_quote(name, tensor->name), tensor->bytes, digest_hex(a, is),
              digest_hex(b, &listed->line->value));
}

static void compare_file(struct tensors *t, struct hashed_file *f)
{
    if (!error_free(&f->plan.job.error)) {
        if (f->plan.job.error.code == NUMEL_E_STOPPED) t->l->v->stopped = true;
        else
            HASH_FIND(t->l, FINDING_FILE_CHANGED, f->path, NO_TENSOR, f->plan.job.error.offset, "%s",
                      f->plan.job.error.what);
        f->verdict = HASH_NOT_READ;
        return;
    }
    for (size_t i = 0; i < f->plan.job.range_count; i++) compare_tensor(t, f, i);
}

/* A matching file has the tensors that the list states. */
static void know_tensors(struct tensors *t, const struct hashed_file *f)
{
    const numel_file *file = f->number == SIZE_MAX ? NULL : &t->l->v->ck->files[f->number];
    if (!file || !is_known_same(t, f)) return;
    for (size_t i = 0; i < (size_t)file->tensors; i++) {
        size_t number = (size_t)file->first_tensor + i;
        const struct listed *listed = find_listed(t, &t->l->v->ck->registry.tensors[number]);
        if (listed && !listed->unsure) t->values[number] = listed->line->value;
    }
}

/* ---- the model ---------------------------------------------------------------------------- */

/* NONE if some tensor was not read. */
NUMEL_MUST static bool digest_model(const struct tensors *t, bool named, struct digest_value *out)
{
    const numel_checkpoint *ck = t->l->v->ck;
    struct model_digest m;
    *out = (struct digest_value){ .kind = DIGEST_NONE };
    for (size_t i = 0; i < tensors_here(ck); i++)
        if (t->values[i].kind == DIGEST_NONE) return true;
    model_digest_begin(&m, named, t->l->arena->memory);
    for (size_t i = 0; i < tensors_here(ck); i++)
        if (!model_digest_add(&m, &ck->registry.tensors[i], &t->values[i], t->l->error)) {
            model_digest_drop(&m);
            return false;
        }
    return model_digest_end(&m, out, t->l->error);
}

/* Is the line about this checkpoint: its folder, or a file of it? */
static bool is_own_line(const struct tensors *t, const struct manifest_line *line)
{
    numel_str folder = text_head(line->file, '/');
    const struct list_entry *entry = hash_list_entry(t->list, line->file);
    if (entry) return entry->weights || entry->promised;
    for (size_t i = 0; i < t->list->folder_count; i++) {
        numel_str own = t->list->folders[i];
        if (own.n && text_same(text_less(own, 1), line->file)) return true;
        if (text_same(own, folder) && text_ends(line->file, ".json")) return true; /* an index */
    }
    return false;
}

/* *other is the line of that kind about this checkpoint, or the only one; NULL if there is none. *same: it
 * has the digest `v`. */
static void ask_lines(const struct tensors *t, enum manifest_kind kind, const struct digest_value *v,
                      bool *same, const struct manifest_line **other)
{
    size_t lines = 0;
    const struct manifest_line *any = NULL, *own = NULL;
    for (size_t i = 0; i < t->list->manifest.count; i++) {
        const struct manifest_line *line = &t->list->manifest.lines[i];
        if (line->kind != kind) continue;
        lines++;
        any = line;
        if (is_own_line(t, line)) own = line;
    }
    *other = own ? own : lines == 1 ? any : NULL;
    *same = *other && digest_equal(v, &(*other)->value);
}

/* Another model is news only if nothing of the manifest has changed. */
static void tell_model(struct tensors *t, const struct digest_value *is, const struct manifest_line *other)
{
    char a[DIGEST_HEX], b[DIGEST_HEX], n[TEXT_NUMBER];
    if (t->changed || t->gone) return;
    if (t->extra) {
        HASH_FIND(t->l, FINDING_MANIFEST_MODEL, t->l->v->ck->path, NO_TENSOR, NUMEL_NOWHERE,
                  "this is not the model of the manifest: %s tensor%s here %s not in it",
                  text_number(n, t->extra), t->extra == 1 ? "" : "s", t->extra == 1 ? "is" : "are");
        return;
    }
    if (!other) return;
    HASH_FIND(t->l, FINDING_MANIFEST_MODEL, t->l->v->ck->path, NO_TENSOR, NUMEL_NOWHERE,
              "%s: its model digest is %s, but the manifest says %s",
              t->seen ? "its tensors have the bytes in the manifest, but other types or shapes"
                      : "this is not the model of the manifest",
              digest_hex(a, is), digest_hex(b, &other->value));
}

NUMEL_MUST static bool compare_model(struct tensors *t)
{
    struct digest_value model, content;
    const struct manifest_line *other = NULL, *ignored;
    bool same = false, alike = false;
    if (!t->given) return true;
    if (!digest_model(t, true, &model) || !digest_model(t, false, &content)) return false;
    if (model.kind != DIGEST_NONE) ask_lines(t, MANIFEST_MODEL, &model, &same, &other);
    if (content.kind != DIGEST_NONE) ask_lines(t, MANIFEST_CONTENT, &content, &alike, &ignored);
    bool about = t->seen || same || other;
    t->l->h->given.model = same ? MODEL_SAME : other ? MODEL_OTHER : MODEL_UNKNOWN;
    if (!same && about && (t->seen || !has_kind(t->list, MANIFEST_TENSOR))) tell_model(t, &model, other);
    if (!same && alike)
        HASH_FIND(t->l, FINDING_CONTENT_SAME, t->l->v->ck->path, NO_TENSOR, NUMEL_NOWHERE,
                  "the same tensors under other names: the content digest matches the manifest");
    return true;
}

/* All tensors of the file are the same: they vouch for a file without a known digest, and show that only the
 * container of another differs. */
NUMEL_MUST static bool tell_same(struct tensors *t, struct hashed_file *f)
{
    struct hash_source *by = arena_alloc(t->l->arena, sizeof *by);
    if (!by) return error_nomem(t->l->error);
    *by = (struct hash_source){ .says = t->count ? "the manifest's tensors" : "the manifest's model digest",
                                .where = t->list->path };
    if (f->verdict == HASH_UNKNOWN) {
        f->verdict = HASH_MATCHES;
        f->by = by;
    } else if (f->verdict != HASH_MATCHES) {
        t->l->h->given.container |= t->given;
        HASH_FIND(t->l, FINDING_TENSORS_SAME, f->path, NO_TENSOR, NUMEL_NOWHERE,
                  "its tensors' bytes match the manifest: the same tensors in another container (other "
                  "header or order)");
    }
    return true;
}

NUMEL_MUST static bool judge_files(struct tensors *t)
{
    struct hash_given *given = &t->l->h->given;
    given->relabelled =
        t->given && t->seen && given->model == MODEL_OTHER && !t->changed && !t->gone && !t->extra;
    for (size_t k = 0; k < t->l->h->count; k++) {
        struct hashed_file *f = &t->l->h->files[k];
        size_t same = 0, known = 0;
        for (size_t i = 0; i < f->plan.job.range_count; i++) {
            const numel_tensor *tensor = &t->l->v->ck->registry.tensors[f->plan.tensors[i]];
            const struct listed *listed = find_listed(t, tensor);
            const struct digest_value *is = &t->values[f->plan.tensors[i]];
            known += listed != NULL;
            same += t->given && given->model == MODEL_SAME
                        ? is->kind != DIGEST_NONE
                        : listed && !listed->unsure && digest_equal(is, &listed->line->value);
        }
        f->spoken |= known || (t->given && given->model == MODEL_SAME);
        bool all = f->plan.job.range_count && same == f->plan.file->tensors && !f->unsure.list;
        if (all && given->relabelled && f->verdict == HASH_UNKNOWN) f->verdict = HASH_DIFFERS;
        else if (all && !given->relabelled && !tell_same(t, f)) return false;
    }
    return true;
}

/* ---- new and missing tensors -------------------------------------------------------------- */

/* Tensors here that are without data, or not in the list. */
static void tell_new(struct tensors *t)
{
    const numel_checkpoint *ck = t->l->v->ck;
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < tensors_here(ck); i++) {
        const numel_tensor *tensor = &ck->registry.tensors[i];
        struct listed *listed = find_listed(t, tensor);
        bool same = listed && digest_equal(&t->values[i], &listed->line->value);
        if (listed) {
            t->unsure += listed->unsure;
            t->unread += t->values[i].kind == DIGEST_NONE;
            listed->entry->moved += same && !listed->unsure;
            t->l->h->given.compared += t->given && t->values[i].kind != DIGEST_NONE && !listed->unsure;
            t->l->h->given.same += t->given && same && !listed->unsure;
            continue;
        }
        t->extra++;
        HASH_FIND(t->l, FINDING_TENSOR_NEW, ck->files[tensor->file].path, tensor->name, tensor->offset,
                  "tensor %s is not in the manifest %.120s", text_quote(name, tensor->name), t->list->path);
    }
}

/* Tensors of missing shards are reported with the shard; those of a folder without files here are another
 * checkpoint's. */
NUMEL_MUST static bool tell_gone(struct tensors *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].seen &&
            !hash_list_add_folder(t->list, text_head(t->items[i].entry->file, '/'), t->l->error))
            return false;
    for (size_t i = 0; i < t->count; i++) {
        const struct listed *listed = &t->items[i];
        if (!hash_list_has_folder(t->list, text_head(listed->entry->file, '/'))) continue;
        listed->entry->tensors++;
        t->l->h->given.tensors += t->given;
        if (listed->seen || t->l->v->ck->missing) continue;
        t->gone++;
        HASH_FIND(t->l, FINDING_TENSOR_GONE, t->list->path, listed->name, NUMEL_NOWHERE,
                  "tensor '%.200s' of the manifest is in none of the files", listed->name.p);
    }
    return true;
}

/* Requested comparisons that were not possible. */
static void tell_unread(struct tensors *t)
{
    char n[TEXT_NUMBER];
    bool known = false; /* already reported for files */
    for (size_t i = 0; i < t->l->h->count; i++) known |= t->l->h->files[i].unsure.list != NULL;
    if (t->unsure && !known)
        HASH_FIND(t->l, t->given ? FINDING_MANIFEST_AMBIGUOUS : FINDING_LIST_AMBIGUOUS, t->list->path,
                  NO_TENSOR, NUMEL_NOWHERE,
                  "it has several digests for the names of %s tensor%s, from files that may all be meant: "
                  "they were not compared",
                  text_number(n, t->unsure), t->unsure == 1 ? "" : "s");
    if (!t->given || t->unread <= t->unsure) return;
    t->l->v->unread = true;
    HASH_FIND(t->l, FINDING_MANIFEST_UNREAD, t->l->v->ck->path, NO_TENSOR, NUMEL_NOWHERE,
              "%s tensor%s of the manifest %s here without data, or could not be read: not compared",
              text_number(n, t->unread - t->unsure), t->unread - t->unsure == 1 ? "" : "s",
              t->unread - t->unsure == 1 ? "is" : "are");
}

NUMEL_MUST static bool compare_tensors(struct tensors *t)
{
    struct hash_level *l = t->l;
    if (!index_tensors(t)) return false;
    see_tensors(t);
    bool worth =
        t->seen || (t->given && (has_kind(t->list, MANIFEST_MODEL) || has_kind(t->list, MANIFEST_CONTENT)));
    if (!worth) return true;
    if (!read_tensors(t)) return false;
    for (size_t i = 0; i < l->h->count; i++) {
        if (wants_tensors(&l->h->files[i])) compare_file(t, &l->h->files[i]);
        else know_tensors(t, &l->h->files[i]);
    }
    if (t->seen) {
        tell_new(t);
        if (!tell_gone(t)) return false;
    }
    if (!compare_model(t) || !judge_files(t)) return false;
    if (t->seen) tell_unread(t);
    if (t->given) l->h->given.gone = t->gone, l->h->given.extra = t->extra;
    return !l->arena->failed || error_nomem(l->error);
}

/* The first list with tensors; the given manifest also with only the digest of a model. */
static void choose_list(struct tensors *t)
{
    struct hash_sources *s = &t->l->sources;
    for (size_t i = 0; i < s->list_count && !t->list; i++) {
        t->given = s->given && i == 0;
        if (has_kind(&s->lists[i], MANIFEST_TENSOR) || (t->given && has_kind(&s->lists[i], MANIFEST_MODEL)))
            t->list = &s->lists[i];
    }
}

bool verify_hash_tensors(struct hash_level *l)
{
    struct tensors t = { .l = l };
    bool ok = true;
    choose_list(&t);
    names_init(&t.names, l->arena->memory, sizeof *t.items);
    if (t.list) ok = compare_tensors(&t);
    names_done(&t.names);
    return ok && (!l->arena->failed || error_nomem(l->error));
}
