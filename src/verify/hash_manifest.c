/*
 * hash_manifest.c -- a manifest as a whole: which of its entries files here answer, under which names; which
 * are unanswered, and which files here it lacks.
 *
 * A manifest may be about several checkpoints, and made elsewhere. Its folders with an entry answered by a
 * file of this checkpoint are this checkpoint's (hash_lists.h); unanswered entries in them are missing.
 * Entries of other folders are another checkpoint's; if the named folder has no such checkpoint, its first
 * one reports them missing.
 */
#include "verify/hash.h"

#include "base/text.h"
#include "source/folder.h"

#include <string.h>

static struct hash_list *given_list(struct hash_level *l)
{
    return l->sources.given ? &l->sources.lists[0] : NULL;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Missing shards, and copies without data: their entries in the lists are not searched for. */
NUMEL_MUST static bool mark_promised(struct hash_level *l, const struct file_state *s)
{
    struct list_file file;
    if (!hash_list_file(&file, s->path, plain_name(path_base(s->path)), l->sources.place, l->arena))
        return error_nomem(l->error);
    for (size_t i = 0; i < l->sources.list_count; i++) {
        struct list_answer answer = hash_list_find(&l->sources.lists[i], &file, l->arena);
        if (answer.other) answer.entry->unsure = answer.other->unsure = true;
        else if (answer.entry) answer.entry->promised = true;
    }
    return true;
}

static void mark_answers(struct hashed_file *f, const struct hash_list *given)
{
    for (size_t i = 0; i < f->source_count; i++) {
        struct list_entry *entry = f->sources[i].entry;
        if (!entry) continue;
        entry->answered = true;
        entry->weights |= !f->beside;
        if (given && f->sources[i].where == given->path) f->entry = entry;
    }
}

/* May an entry not answered by name be this file? */
static bool may_be_renamed(const struct hash_list *given, const struct hashed_file *f)
{
    uint64_t bytes = path_bytes(f->path);
    for (size_t i = 0; i < given->count; i++) {
        const struct list_entry *entry = &given->entries[i];
        if (!entry->answered && entry->line && (!entry->line->sized || entry->line->bytes == bytes))
            return true;
    }
    return false;
}

bool manifest_answers(struct hash_level *l)
{
    const struct hash_list *given = given_list(l);
    for (size_t i = 0; i < l->h->count; i++) mark_answers(&l->h->files[i], given);
    for (size_t i = 0; i < l->v->set->count; i++) {
        const struct file_state *s = &l->v->ck->states[i];
        bool copy = s->file != NAMES_ABSENT && l->v->ck->files[s->file].header_only;
        if ((s->missing || copy) && !mark_promised(l, s)) return false;
    }
    for (size_t i = 0; i < l->h->count; i++) {
        struct hashed_file *f = &l->h->files[i];
        if (f->unsure.list || (given && !f->entry && !f->beside && may_be_renamed(given, f)))
            f->plan.job.sha256 = true;
    }
    return true;
}

/* ---- digests ------------------------------------------------------------------------------ */

static struct list_entry *entry_of_digest(struct hash_level *l, struct hash_list *given,
                                          const struct digest_value *v)
{
    numel_str digest = { (const char *)v->bytes, DIGEST_BYTES };
    for (uint32_t i = names_find(&given->by_digest, given->entries, digest); i != NAMES_ABSENT;
         i = given->entries[i].same_digest) {
        struct list_entry *entry = &given->entries[i];
        bool taken = entry->answered || entry->contradicted;
        if (!taken && !(given->in_place && hash_list_names(given, entry, l->arena))) return entry;
    }
    return NULL;
}

NUMEL_MUST static bool tell_renamed(struct hash_level *l, struct hash_list *given, struct hashed_file *f)
{
    if (!error_free(&f->plan.job.error) || f->plan.job.whole.kind != DIGEST_SHA256) return true;
    struct list_entry *entry = entry_of_digest(l, given, &f->plan.job.whole);
    struct hash_source *by = entry ? arena_alloc(l->arena, sizeof *by) : NULL;
    if (!entry) return true;
    if (!by) return error_nomem(l->error);
    *by = (struct hash_source){ .says = "the manifest", .where = given->path, .entry = entry };
    entry->answered = entry->weights = true;
    f->entry = entry;
    if (f->verdict == HASH_UNKNOWN) {
        f->verdict = HASH_MATCHES;
        f->by = by;
    }
    HASH_FIND(l, FINDING_FILE_RENAMED, f->path, NO_TENSOR, NUMEL_NOWHERE, "it is '%.200s' in the manifest",
              entry->file.p);
    return true;
}

/* Two entries fit the name equally: the user must decide which is meant, even if the content matches one. */
static void tell_unsure(struct hash_level *l, const struct hashed_file *f)
{
    const struct hash_unsure *u = &f->unsure;
    enum finding_rule rule = u->given ? FINDING_MANIFEST_AMBIGUOUS : FINDING_LIST_AMBIGUOUS;
    struct list_entry *one = hash_list_entry(u->list, u->one), *two = hash_list_entry(u->list, u->other);
    const struct digest_value *is = &f->plan.job.whole;
    const char *content = "neither";
    if (!one || !two) return;
    one->unsure = two->unsure = true;
    if (one == two) {
        HASH_FIND(l, rule, f->path, NO_TENSOR, NUMEL_NOWHERE, "%.120s has two digests for '%.120s'",
                  u->list->path, u->one.p);
        return;
    }
    if (one->line && digest_equal(is, &one->line->value)) content = "the first";
    if (two->line && digest_equal(is, &two->line->value)) content = "the second";
    HASH_FIND(l, rule, f->path, NO_TENSOR, NUMEL_NOWHERE,
              "%.100s may mean '%.120s' or '%.120s'; its content is that of %s", u->list->path, u->one.p,
              u->other.p, content);
}

bool manifest_renamed(struct hash_level *l)
{
    struct hash_list *given = given_list(l);
    for (size_t i = 0; i < l->h->count; i++) {
        struct hashed_file *f = &l->h->files[i];
        if (f->unsure.list) tell_unsure(l, f);
        else if (given && !f->entry && !f->beside && !tell_renamed(l, given, f)) return false;
    }
    for (size_t i = 0; i < l->sources.list_count; i++)
        if (!hash_list_folders(&l->sources.lists[i], l->sources.place, l->error)) return false;
    return true;
}

/* ---- which entries are about the checkpoint ----------------------------------------------- */

/* Does the checkpoint's folder have a file of that name? */
static bool is_beside(struct hash_level *l, const struct list_entry *entry)
{
    struct arena_mark mark = arena_mark(l->arena);
    const char *path = path_join(l->arena, l->v->ck->dir, entry->base);
    bool here = path && path_kind(path) != PATH_ABSENT;
    if (!l->arena->failed) arena_rewind(l->arena, mark);
    return here;
}

enum entry_scope manifest_scope(struct hash_level *l, struct hash_list *list, const struct list_entry *entry)
{
    if (entry->weights || entry->promised) return SCOPE_OURS;
    if (entry->answered) return SCOPE_OTHERS;
    if (list->in_place && hash_list_names(list, entry, l->arena)) return SCOPE_OTHERS;
    if (!list->folder_count) return SCOPE_OPEN;
    bool ours = hash_list_has_folder(list, text_head(entry->file, '/')) && !is_beside(l, entry);
    return ours ? SCOPE_OPEN : SCOPE_OTHERS;
}

/* ---- missing files ------------------------------------------------------------------------ */

/* The manifest's folder that corresponds to the named one; p NULL if unknown. */
static numel_str named_folder(struct hash_level *l, const struct hash_list *given)
{
    numel_str folder = given->folder_count ? given->folders[0] : (numel_str){ NULL, 0 };
    size_t n = strlen(l->sources.place);
    if (!folder.p || n == 0) return folder;
    bool below = folder.n > n && text_starts(text_tail(folder, n + 1), l->sources.place);
    return below ? text_less(folder, n + 1) : (numel_str){ NULL, 0 };
}

/* Does another checkpoint of the named folder correspond to it? rest: "unet/model.safetensors" */
static bool is_of_another(const struct hash_level *l, numel_str rest)
{
    numel_str folder = text_less(text_head(rest, '/'), 1);
    for (size_t i = 0; i < l->v->found->count; i++)
        if (text_same(text_of(l->v->found->sets[i].place), folder)) return true;
    return false;
}

/* Only for the first checkpoint: is the entry in a folder of the manifest that has no checkpoint here, and
 * missing? */
static bool is_lost(struct hash_level *l, const struct hash_list *given, const struct list_entry *entry)
{
    numel_str root = named_folder(l, given);
    if (l->v->set != &l->v->found->sets[0] || !root.p) return false;
    if (entry->file.n <= root.n || memcmp(entry->file.p, root.p, root.n) != 0) return false;
    numel_str rest = text_from(entry->file, root.n);
    if (is_of_another(l, rest)) return false;
    size_t n = strlen(l->sources.place);
    numel_str dir = text_of(l->v->ck->dir);
    if (dir.n > n) dir = text_less(dir, n);
    numel_str path = arena_join(l->arena, dir, text_of("/"), rest);
    return path.p && path_kind(path.p) == PATH_ABSENT;
}

/* Are all of the manifest's tensors of that file elsewhere now, unchanged? hash_tensors.c counts them. */
static bool has_moved(const struct hash_level *l, const struct list_entry *entry)
{
    return entry->tensors && entry->moved == entry->tensors && !l->h->given.relabelled;
}

/* Is it a file of that size that the manifest does not name? */
static bool is_unnamed(struct hash_level *l, struct hash_list *given, const char *path,
                       const struct manifest_line *line)
{
    struct list_file file;
    if (!path || (line->sized && path_bytes(path) != line->bytes)) return false;
    if (!hash_list_file(&file, path, path_base(path), l->sources.place, l->arena)) return false;
    return !hash_list_find(given, &file, l->arena).entry;
}

/* May another checkpoint of this folder have it under another name? Then its report decides. */
static bool may_be_another(struct hash_level *l, struct hash_list *given, const struct list_entry *entry)
{
    const struct numel_found *found = l->v->found;
    for (size_t i = 0; i < found->count; i++) {
        const struct found_set *s = &found->sets[i];
        if (s == l->v->set || strcmp(s->dir, l->v->set->dir) != 0) continue;
        for (size_t k = 0; k < s->count; k++)
            if (is_unnamed(l, given, s->files[k].path, entry->line)) return true;
    }
    return false;
}

static void tell_absent(struct hash_level *l, struct hash_list *given, const struct list_entry *entry)
{
    if (may_be_another(l, given, entry)) return;
    if (has_moved(l, entry)) {
        HASH_FIND(l, FINDING_FILE_MOVED, given->path, NO_TENSOR, NUMEL_NOWHERE,
                  "'%.200s' of the manifest is missing, but all its tensors are here, unchanged",
                  entry->file.p);
        return;
    }
    l->h->given.missing++;
    HASH_FIND(l, FINDING_FILE_ABSENT, given->path, NO_TENSOR, NUMEL_NOWHERE,
              "'%.200s' of the manifest is missing", entry->file.p);
}

static void tell_entries(struct hash_level *l, struct hash_list *given)
{
    const struct list_entry *other = NULL;
    struct hash_given *g = &l->h->given;
    for (size_t i = 0; i < given->count; i++) {
        const struct list_entry *entry = &given->entries[i];
        bool ours = entry->answered || entry->promised ||
                    (hash_list_has_folder(given, text_head(entry->file, '/')) &&
                     manifest_scope(l, given, entry) == SCOPE_OPEN);
        bool lost = !ours && is_lost(l, given, entry);
        g->files += (ours || lost) && entry->line;
        if (entry->answered || entry->promised || entry->unsure) continue;
        if (ours || lost) {
            if (entry->line) tell_absent(l, given, entry);
        } else if (!g->others++) other = entry;
    }
    if (other)
        HASH_FIND(l, FINDING_MANIFEST_OTHERS, given->path, NO_TENSOR, NUMEL_NOWHERE,
                  "%" PRIu64 " file%s of the manifest %s not part of this checkpoint: '%.200s'%s", g->others,
                  g->others == 1 ? "" : "s", g->others == 1 ? "is" : "are", other->file.p,
                  g->others > 1 ? " and more" : "");
}

/* ---- unlisted files ----------------------------------------------------------------------- */

static void tell_file(struct hash_level *l, const struct hash_list *given, const char *path)
{
    l->h->given.unlisted++;
    HASH_FIND(l, FINDING_FILE_UNLISTED, path, NO_TENSOR, NUMEL_NOWHERE, "it is not in the manifest %.200s",
              given->path);
}

/* Is it the first checkpoint of its folder? Files next to several are reported once. */
static bool is_first(const struct verify *v)
{
    const struct found_set *s = v->found->sets;
    while (s != v->set && strcmp(s->dir, v->set->dir) != 0) s++;
    return s == v->set;
}

/* A manifest of a whole folder has a line for each of its files: a file without one is new. */
NUMEL_MUST static bool tell_beside(struct hash_level *l, struct hash_list *given)
{
    const struct folder *f = l->v->set->beside;
    bool whole = false;
    for (size_t i = 0; i < l->h->count; i++) whole |= l->h->files[i].beside && l->h->files[i].entry;
    for (size_t i = 0; whole && f && is_first(l->v) && i < f->count; i++) {
        numel_str name = f->entries[i].name;
        struct list_file file;
        if (f->entries[i].directory || name.p[0] == '.' || name_is_weights(name) || manifest_is_list(name))
            continue;
        char *path = path_join(l->arena, l->v->ck->dir, name);
        if (!path || !hash_list_file(&file, path, name, l->sources.place, l->arena))
            return error_nomem(l->error);
        if (path_kind(path) == PATH_FILE && !hash_list_find(given, &file, l->arena).entry)
            tell_file(l, given, path);
    }
    return true;
}

/* A file is listed if the manifest has its tensors. */
NUMEL_MUST static bool tell_unlisted(struct hash_level *l, struct hash_list *given)
{
    for (size_t i = 0; i < l->h->count; i++) {
        struct hashed_file *f = &l->h->files[i];
        if (f->entry || f->unsure.list || f->beside || f->spoken || !given->count) continue;
        tell_file(l, given, f->path);
    }
    return tell_beside(l, given);
}

/* "'a/model.safetensors' and 2 more", or "none" */
NUMEL_MUST static const char *first_of(struct hash_level *l, numel_str first, size_t count)
{
    char name[TEXT_QUOTE];
    if (!count) return "none";
    const char *text = arena_format(l->arena, count > 1 ? "%.100s and %zu more" : "%.100s",
                                    text_quote(name, first), count - 1);
    return text ? text : "";
}

/* The manifest lists none of the weights here: reports what was searched for, and what it lists. */
static void tell_unmatched(struct hash_level *l, const struct hash_list *given)
{
    const numel_checkpoint *ck = l->v->ck;
    const struct manifest *m = &given->manifest;
    numel_str tensor = { "", 0 }, file = { "", 0 };
    size_t tensors = 0, beside = 0, files = l->v->set->count;
    for (size_t i = 0; i < m->count; i++)
        if (m->lines[i].kind == MANIFEST_TENSOR && !tensors++) tensor = m->lines[i].tensor;
    for (size_t i = 0; i < l->h->count; i++) beside += l->h->files[i].entry != NULL;
    if (files && ck->states[0].path) file = path_base(ck->states[0].path);
    numel_str own = ck->registry.count ? ck->registry.tensors[0].name : file;
    HASH_FIND(l, FINDING_MANIFEST_UNMATCHED, given->path, NO_TENSOR, NUMEL_NOWHERE,
              "the manifest has no entry for the weights here%s; looked for files: %s, tensors: %s; the "
              "manifest has files: %s, tensors: %s",
              beside ? ", only for files next to them" : "", first_of(l, file, files),
              first_of(l, own, ck->registry.count),
              first_of(l, given->count ? given->entries[0].file : file, given->count),
              first_of(l, tensor, tensors));
}

static bool is_matched(const struct hash_level *l, const struct hash_list *given)
{
    const struct hash_given *g = &l->h->given;
    for (size_t i = 0; i < l->h->count; i++)
        if (!l->h->files[i].beside && (l->h->files[i].entry || l->h->files[i].unsure.list)) return true;
    return g->tensors || g->model == MODEL_SAME || (g->model == MODEL_OTHER && !given->count);
}

bool manifest_sum_up(struct hash_level *l)
{
    struct hash_list *given = given_list(l);
    struct hash_given *g = &l->h->given;
    if (!given) return true;
    bool promised = false;
    for (size_t i = 0; i < given->count; i++)
        promised |= given->entries[i].promised || given->entries[i].unsure;
    if (!is_matched(l, given) && !promised) {
        tell_unmatched(l, given);
    } else {
        tell_entries(l, given);
        if (!tell_unlisted(l, given)) return false;
    }
    for (size_t i = 0; i < l->h->count; i++) {
        const struct hashed_file *f = &l->h->files[i];
        g->matches += f->entry && f->entry->line && f->plan.job.whole.kind == DIGEST_SHA256 &&
                      digest_equal(&f->plan.job.whole, &f->entry->line->value);
    }
    return !l->arena->failed || error_nomem(l->error);
}
