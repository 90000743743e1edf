/*
 * walk.h -- the checkpoints of paths, any depth of folders down, one after the other.
 *
 * Lists and sorts one folder at a time and divides it into checkpoints (find.h); of the folders above it only
 * the names of the remaining subfolders are kept. Checkpoints come first, then the folders in them, each in
 * natural order of their names, independent of the system's order.
 *
 * Only running out of memory stops a walk: a folder that cannot be listed, a circular link or a FIFO named
 * like weights is an item with an error. A linked folder is walked at its real place if that is below one of
 * the paths, else once. A checkpoint whose files were all seen before is an item with `again` set.
 */
#ifndef NUMEL_READER_WALK_H
#define NUMEL_READER_WALK_H

#include "reader/find.h"

struct walk_place; /* the checkpoints found in a folder or path */

struct walk_item {
    struct walk_place *place; /* the caller's, for walk_release(); NULL: an error */
    const numel_found *found; /* of place */
    size_t i;
    const char *path;  /* as in messages; in place, or in the walk until the next call */
    numel_str name;    /* its display name; in the walk until the next call */
    bool again;        /* all its files were seen before */
    bool named;        /* has its own name even if all its files were seen: Ollama's models share files */
    uint64_t id;       /* of its first file, the same through any link: see numel_row.id */
    uint64_t files;    /* those that exist */
    uint64_t disk;     /* their bytes on disk */
    uint64_t repeated; /* of those, bytes of files seen before */
    uint64_t known;    /* number of files seen before */
    uint64_t changed, accessed; /* the latest times of its files, seconds since 1970; 0: unknown */
    numel_error error;
};

struct walk;
/* `full`: names are whole paths instead of relative to the requested one. */
NUMEL_MUST bool walk_open(struct walk **out, bool full, const numel_options *, numel_error *);
void walk_close(struct walk *w); /* accepts NULL */
/* Starts the next requested path; the previous one must be finished. */
NUMEL_MUST bool walk_begin(struct walk *w, const char *path, numel_error *);
/* Its next checkpoint or error; *more is false at the end. NOMEM. */
NUMEL_MUST bool walk_next(struct walk *w, struct walk_item *out, bool *more, numel_error *);
const numel_found *walk_found(const struct walk_place *p);
struct walk_place *walk_hold(struct walk_place *p); /* one more walk_release() is needed */
void walk_release(struct walk_place *p);            /* accepts NULL */

#endif
