/*
 * hash_lists.h -- a list of digests, and which of its entries is about which file here.
 *
 * An entry is a file's name with all its lines: its digest, its tensors. Names are compared in this order,
 * and never guessed:
 *
 *     in place    the entry, from the list's folder on, is that very file
 *     by layout   below the common start of all entries, it has the file's name below the folder that was
 *                 named: "unet/model.safetensors"
 *     by its end  it shares more of the path, from its end, than any other
 *
 * If some entry is about the checkpoint's own folder, in place, entries that name other existing files are
 * about those. If none is, the list was made elsewhere, and any entry may be meant.
 */
#ifndef NUMEL_VERIFY_HASH_LISTS_H
#define NUMEL_VERIFY_HASH_LISTS_H

#include "content/manifest.h"

#include "base/names.h"

struct list_entry {
    numel_str file;                   /* first: see names.h; escaped */
    numel_str base;                   /* its last part */
    numel_str digest;                 /* bytes of its line's digest, empty without a line */
    const struct manifest_line *line; /* NULL: the list has only its tensors */
    uint32_t same_base, same_digest;  /* another entry, or NAMES_ABSENT */
    uint32_t tensors, moved;          /* its tensors; those here, unchanged, in another file */
    bool contradicted;                /* the list has two digests for it */
    bool answered;                    /* by a file of the checkpoint, or next to it */
    bool weights;                     /* by one of the checkpoint's own files */
    bool unsure;                      /* a file here may mean it or another */
    bool promised;                    /* by a file that is missing, or here without its data */
};

struct hash_list {
    const char *path;
    const char *dir; /* real, where its names begin */
    bool in_place;   /* some entry names something in the checkpoint's folder */
    struct manifest manifest;
    struct list_entry *entries;
    size_t count, cap;
    struct names by_file, by_base, by_digest;
    numel_str root;     /* the common start of all entries, up to a '/' */
    numel_str *folders; /* its entries' folders that are the checkpoint's: hash_list_folders() */
    size_t folder_count, folder_cap;
    struct names by_folder;
    const numel_allocator *memory;
};

/* A file, as needed to search lists. */
struct list_file {
    const char *path; /* as given */
    const char *spot; /* its folder without links, and its name */
    numel_str own;    /* the same, escaped */
    numel_str layout; /* its name below the named folder, escaped */
};

struct list_answer {
    struct list_entry *entry; /* NULL: none */
    struct list_entry *other; /* if not NULL, either may be meant, and they differ */
};

/* Reads a list and sorts its entries. *read is false, and *why has the reason, if it is not one. NOMEM. */
NUMEL_MUST bool hash_list_open(struct hash_list *l, const char *path, struct arena *a, bool *read,
                               numel_error *why, numel_error *e);
void hash_list_close(struct hash_list *l);
/* Sets in_place: is the list about that folder, in place? */
void hash_list_place(struct hash_list *l, const char *dir, struct arena *a);
/* False for NOMEM. `place` is the checkpoint's (found_set), name the file's own, unescaped. */
NUMEL_MUST bool hash_list_file(struct list_file *f, const char *path, numel_str name, const char *place,
                               struct arena *a);
struct list_answer hash_list_find(struct hash_list *l, const struct list_file *f, struct arena *a);
/* Does the entry name, in place, an existing file? */
bool hash_list_names(const struct hash_list *l, const struct list_entry *entry, struct arena *a);
/* Call when the answers are known: finds which of its folders are the checkpoint's; if none was answered, the
 * one at the checkpoint's place. NOMEM. */
NUMEL_MUST bool hash_list_folders(struct hash_list *l, const char *place, numel_error *e);
NUMEL_MUST bool hash_list_add_folder(struct hash_list *l, numel_str folder, numel_error *e);
bool hash_list_has_folder(const struct hash_list *l, numel_str folder);
struct list_entry *hash_list_entry(const struct hash_list *l, numel_str file);
numel_str hash_escaped(struct arena *a, numel_str s); /* empty if out of memory: a->failed */

#endif
