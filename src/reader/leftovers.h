/*
 * leftovers.h -- what takes space on a disk but is not a model: parts of downloads, blobs that nothing points
 * to, revisions without a ref, Git LFS pointers, empty folders.
 *
 * Nothing is deleted here. A leftover has the files that may be deleted, or the reason to keep them: it may be
 * under way, or something may need it. Whatever a link leads to, below any of the paths, and whatever has a
 * second name is in use, and is not a leftover. A link from elsewhere is not seen.
 */
#ifndef NUMEL_READER_LEFTOVERS_H
#define NUMEL_READER_LEFTOVERS_H

#include "reader/find.h"
#include "reader/seen.h"

enum leftover_kind {
    LEFTOVER_PART,
    LEFTOVER_BLOB,
    LEFTOVER_REVISION,
    LEFTOVER_POINTERS, /* those of one folder */
    LEFTOVER_FOLDER,
    LEFTOVER_KINDS
};

struct leftover {
    enum leftover_kind kind;
    const char *path;
    const char *model; /* "org/name"; NULL: unknown */
    const char *of;    /* LEFTOVER_PART: the file that it becomes; NULL: unknown */
    uint64_t files, bytes;
    uint64_t total;    /* LEFTOVER_PART: of the whole; LEFTOVER_POINTERS: promised; NUMEL_NOT_KNOWN */
    const char *keep;  /* why its files stay; NULL: they may be deleted */
    const char **also; /* its other files: the records of an Ollama download */
    size_t also_count;
};

struct leftovers {
    struct arena arena;
    struct leftover *items; /* by kind; in a kind, as found */
    size_t count, cap;
    uint64_t unread; /* folders that could not be listed */
};

/* Walks the folders. IO: one of the paths cannot be listed. Call leftovers_done() in any case. */
NUMEL_MUST bool leftovers_find(struct leftovers *out, const char *const *paths, size_t n,
                               const numel_options *, numel_error *);
void leftovers_done(struct leftovers *l);

#endif
