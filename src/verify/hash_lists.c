/*
 * hash_lists.c -- entries of a list by name, by its last part and by digest; chooses the one about a file, or
 * returns two.
 */
#include "verify/hash_lists.h"

#include "base/text.h"
#include "source/folder.h"

#include <stddef.h>
#include <string.h>

/* ---- entries ------------------------------------------------------------------------------ */

/* Takes the file's line; a second one must agree. */
static void take_line(struct list_entry *entry, const struct manifest_line *line)
{
    if (line->kind != MANIFEST_FILE) return;
    if (!entry->line) entry->line = line;
    else if (!digest_equal(&entry->line->value, &line->value)) entry->contradicted = true;
}

NUMEL_MUST static bool add_line(struct hash_list *l, const struct manifest_line *line, numel_error *e)
{
    bool about = line->kind == MANIFEST_FILE || line->kind == MANIFEST_TENSOR;
    if (!about) return true;
    if (l->count && text_same(l->entries[l->count - 1].file, line->file)) {
        take_line(&l->entries[l->count - 1], line);
        return true;
    }
    size_t before = l->count;
    uint32_t at = names_add(&l->by_file, &l->entries, &l->count, &l->cap, line->file, NULL, e);
    if (at == NAMES_ABSENT) return false;
    struct list_entry *entry = &l->entries[at];
    if (at == before) {
        entry->base = text_after(line->file, '/');
        entry->same_base = entry->same_digest = NAMES_ABSENT;
    }
    take_line(entry, line);
    return true;
}

/* "a/b/" of "a/b/c" and "a/b/d/e" */
static void shrink_root(numel_str *root, numel_str file)
{
    *root = text_head(text_upto(*root, text_shared(*root, file)), '/');
}

/* Call after all entries: groups them by name and by digest, and finds their common start. */
NUMEL_MUST static bool sort_entries(struct hash_list *l, numel_error *e)
{
    if (!names_reserve(&l->by_base, l->count + 1, e)) return false;
    if (!names_reserve(&l->by_digest, l->count + 1, e)) return false;
    for (size_t i = 0; i < l->count; i++) {
        struct list_entry *entry = &l->entries[i];
        if (i == 0) l->root = text_head(entry->file, '/');
        shrink_root(&l->root, entry->file);
        uint32_t at = names_enter(&l->by_base, l->entries, i);
        if (at != i) {
            entry->same_base = l->entries[at].same_base;
            l->entries[at].same_base = (uint32_t)i;
        }
        if (!entry->line) continue;
        entry->digest = (numel_str){ (const char *)entry->line->value.bytes, DIGEST_BYTES };
        at = names_enter(&l->by_digest, l->entries, i);
        if (at == i) continue;
        entry->same_digest = l->entries[at].same_digest;
        l->entries[at].same_digest = (uint32_t)i;
    }
    return true;
}

bool hash_list_open(struct hash_list *l, const char *path, struct arena *a, bool *read, numel_error *why,
                    numel_error *e)
{
    *l = (struct hash_list){ .path = path, .memory = a->memory };
    names_init(&l->by_file, a->memory, sizeof *l->entries);
    names_init_at(&l->by_base, a->memory, sizeof *l->entries, offsetof(struct list_entry, base));
    names_init_at(&l->by_digest, a->memory, sizeof *l->entries, offsetof(struct list_entry, digest));
    names_init(&l->by_folder, a->memory, sizeof *l->folders);
    char *dir = path_directory(a, path);
    l->dir = dir ? path_real(a, dir) : NULL;
    *read = manifest_read(&l->manifest, path, a, why);
    if (!*read) return why->code != NUMEL_E_NOMEM || error_nomem(e);
    if (!l->dir) l->dir = ".";
    bool ok = !a->failed || error_nomem(e);
    for (size_t i = 0; ok && i < l->manifest.count; i++) ok = add_line(l, &l->manifest.lines[i], e);
    ok = ok && sort_entries(l, e);
    if (!ok) hash_list_close(l);
    return ok;
}

void hash_list_close(struct hash_list *l)
{
    manifest_done(&l->manifest);
    memory_release(l->memory, l->entries);
    names_done(&l->by_file);
    names_done(&l->by_base);
    names_done(&l->by_digest);
    names_done(&l->by_folder);
    memory_release(l->memory, l->folders);
    l->folders = NULL;
    l->entries = NULL;
    l->count = l->cap = 0;
}

struct list_entry *hash_list_entry(const struct hash_list *l, numel_str file)
{
    uint32_t at = names_find(&l->by_file, l->entries, file);
    return at == NAMES_ABSENT ? NULL : &l->entries[at];
}

/* ---- places ------------------------------------------------------------------------------- */

numel_str hash_escaped(struct arena *a, numel_str s)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    text_escape(&b, s);
    const char *text = buffer_keep(&b, a);
    if (!text) a->failed = true;
    return text_of(text ? text : "");
}

/* The path of the name, from the list's folder. */
NUMEL_MUST static const char *there(const struct hash_list *l, numel_str file, struct arena *a)
{
    return file.n && file.p[0] == '/' ? arena_text(a, file.p, file.n) : path_join(a, l->dir, file);
}

void hash_list_place(struct hash_list *l, const char *dir, struct arena *a)
{
    numel_str last = { NULL, 0 };
    const char *real = dir ? path_real(a, dir) : NULL;
    for (size_t i = 0; real && i < l->count && !l->in_place; i++) {
        numel_str folder = text_head(l->entries[i].file, '/');
        if (last.p && text_same(last, folder)) continue;
        last = folder;
        struct arena_mark mark = arena_mark(a);
        const char *path = folder.n ? there(l, folder, a) : l->dir;
        const char *named = path ? path_real(a, path) : NULL;
        l->in_place = named && strcmp(named, real) == 0;
        if (!a->failed) arena_rewind(a, mark);
    }
}

bool hash_list_names(const struct hash_list *l, const struct list_entry *entry, struct arena *a)
{
    struct arena_mark mark = arena_mark(a);
    const char *path = there(l, entry->file, a);
    bool here = path && path_kind(path) != PATH_ABSENT;
    if (!a->failed) arena_rewind(a, mark);
    return here;
}

bool hash_list_file(struct list_file *f, const char *path, numel_str name, const char *place, struct arena *a)
{
    char *dir = path_directory(a, path), *real = dir ? path_real(a, dir) : NULL;
    if (!dir) return false;
    char *spot = path_join(a, real ? real : dir, name);
    char *layout = path_join(a, place[0] ? place : ".", name);
    if (!spot || !layout) return false;
    *f = (struct list_file){ .path = path, .spot = spot };
    f->own = hash_escaped(a, text_of(spot));
    f->layout = hash_escaped(a, text_of(layout));
    return !a->failed;
}

/* ---- choosing an entry -------------------------------------------------------------------- */

/* The number of trailing segments that two paths share. */
static unsigned same_parts(numel_str a, numel_str b)
{
    unsigned parts = 0;
    for (; a.n && b.n && text_last(a) == text_last(b); a = text_less(a, 1), b = text_less(b, 1))
        parts += text_last(a) == '/';
    bool whole = (!a.n && (!b.n || text_last(b) == '/')) || (!b.n && text_last(a) == '/');
    return parts + whole;
}

/* Is the entry that very file, or a path to it? */
static bool is_exact(const struct hash_list *l, const struct list_entry *entry, const struct list_file *f,
                     struct arena *a)
{
    struct arena_mark mark = arena_mark(a);
    const char *path = there(l, entry->file, a), *named = path ? path_real(a, path) : NULL;
    const char *real = named ? path_real(a, f->path) : NULL;
    bool exact = path && (strcmp(path, f->spot) == 0 || (real && strcmp(named, real) == 0));
    if (!a->failed) arena_rewind(a, mark);
    return exact;
}

static bool is_layout(const struct hash_list *l, const struct list_entry *entry, const struct list_file *f)
{
    numel_str rest = text_from(entry->file, l->root.n);
    return text_same(rest, f->layout);
}

static bool say_same(const struct list_entry *a, const struct list_entry *b)
{
    return a->line && b->line && digest_equal(&a->line->value, &b->line->value);
}

/* Returns both if only their digests differ. */
static struct list_answer choose(struct list_entry *entry, struct list_entry *other)
{
    struct list_answer answer = { entry, NULL };
    if (entry && entry->contradicted) answer.other = entry;
    else if (other && other != entry && !say_same(entry, other)) answer.other = other;
    return answer;
}

struct list_answer hash_list_find(struct hash_list *l, const struct list_file *f, struct arena *a)
{
    struct list_entry *best = NULL, *tie = NULL, *layout = NULL;
    unsigned most = 0, of_layout = 0;
    for (uint32_t i = names_find(&l->by_base, l->entries, text_after(f->own, '/')); i != NAMES_ABSENT;
         i = l->entries[i].same_base) {
        struct list_entry *entry = &l->entries[i];
        if (l->in_place && is_exact(l, entry, f, a)) return choose(entry, NULL);
        if (l->in_place && hash_list_names(l, entry, a)) continue;
        unsigned parts = same_parts(entry->file, f->own);
        if (is_layout(l, entry, f)) layout = entry, of_layout = parts;
        if (parts == most && best && !tie && !say_same(best, entry)) tie = entry;
        if (parts <= most) continue;
        best = entry;
        tie = NULL;
        most = parts;
    }
    if (layout) return choose(layout, of_layout < most ? best : NULL);
    return choose(best, tie);
}

/* ---- folders ------------------------------------------------------------------------------ */

bool hash_list_has_folder(const struct hash_list *l, numel_str folder)
{
    return names_find(&l->by_folder, l->folders, folder) != NAMES_ABSENT;
}

bool hash_list_add_folder(struct hash_list *l, numel_str folder, numel_error *e)
{
    if (l->folder_count && text_same(l->folders[l->folder_count - 1], folder)) return true;
    return names_add(&l->by_folder, &l->folders, &l->folder_count, &l->folder_cap, folder, NULL, e) !=
           NAMES_ABSENT;
}

/* "unet/" below the root, of a checkpoint in "unet" */
static bool lies_as(const struct hash_list *l, numel_str folder, numel_str place)
{
    numel_str rest = text_from(folder, l->root.n);
    text_take_end(&rest, "/");
    return text_same(rest, place);
}

bool hash_list_folders(struct hash_list *l, const char *place, numel_error *e)
{
    for (size_t i = 0; i < l->count; i++)
        if ((l->entries[i].weights || l->entries[i].promised) &&
            !hash_list_add_folder(l, text_head(l->entries[i].file, '/'), e))
            return false;
    for (size_t i = 0; i < l->count && !l->folder_count; i++) {
        numel_str folder = text_head(l->entries[i].file, '/');
        if (lies_as(l, folder, text_of(place)) && !hash_list_add_folder(l, folder, e)) return false;
    }
    return true;
}
