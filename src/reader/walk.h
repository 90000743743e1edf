/*
 * walk.h -- the checkpoints of paths, any depth of folders down, one after the other.
 *
 * One folder at a time is listed, sorted and taken apart into checkpoints (find.h); of those above it nothing is kept
 * but the names of the folders that are still to come. Checkpoints come first, then the folders in them, each in
 * natural order: the order is that of the names, whatever the system lists first.
 *
 * Nothing stops a walk but the end of memory: what cannot be listed or goes in circles, a FIFO named as weights are,
 * is an item with an error. A folder that a link leads to is walked where it lies, if that is below one of the paths,
 * and else once. A checkpoint all of whose files were met before is an item with `again` set.
 */
#ifndef NUMEL_READER_WALK_H
#define NUMEL_READER_WALK_H

#include "reader/find.h"

struct walk_place; /* what a folder, or a path, was found to hold */

struct walk_item {
    struct walk_place *place; /* the caller's, for walk_release(); NULL: an error */
    const numel_found *found; /* of place */
    size_t i;
    const char *path;  /* as in messages; of place, or of the walk until the next call */
    numel_str name;    /* what to call it by; of the walk until the next call */
    bool again;        /* all its files were met before */
    bool named;        /* it has a name of its own all the same: Ollama's models share files */
    uint64_t id;       /* of its first file, the same whatever link it is reached by: see numel_row.id */
    uint64_t files;    /* those that are there */
    uint64_t disk;     /* their bytes, as they lie there */
    uint64_t repeated; /* of those, bytes of files that were met before */
    uint64_t known;    /* how many files that are */
    numel_error error;
};

struct walk;
/* `full`: names are whole paths, not what lies below the path that was asked for. */
NUMEL_MUST bool walk_open(struct walk **out, bool full, const numel_options *, numel_error *);
void walk_close(struct walk *w); /* NULL is fine */
/* The next path that was asked for; what was begun before has come to its end. */
NUMEL_MUST bool walk_begin(struct walk *w, const char *path, numel_error *);
/* Its next checkpoint or error; *more is false at the end. NOMEM. */
NUMEL_MUST bool walk_next(struct walk *w, struct walk_item *out, bool *more, numel_error *);
const numel_found *walk_found(const struct walk_place *p);
void walk_release(struct walk_place *p); /* NULL is fine */

#endif
