/*
 * target.h -- a folder that files are written to.
 *
 * Nothing is written through a link, below the folder that was named; nothing that is there is replaced
 * unless that is wanted, and then a link is replaced, not what it points to. A file is whole or not there:
 * it is written under a name of its own first. What was written before through the same target is never
 * replaced: two files of one name are an error, and what is said to be written is there.
 */
#ifndef NUMEL_SOURCE_TARGET_H
#define NUMEL_SOURCE_TARGET_H

#include "base/memory.h"

struct target_file {
    numel_str name; /* "unet/config.json" */
};

struct target {
    struct arena arena;
    const char *dir;
    bool overwrite;
    int descriptor;            /* of dir; -1 until the first file is written */
    struct target_file *files; /* those written */
    size_t count, cap;
};

/* dir is borrowed; it is made, with those above it, when the first file is written. */
void target_init(struct target *t, const char *dir, bool overwrite, const numel_allocator *);
void target_done(struct target *t);
/* Was a file of that name written through this target? */
bool target_has(const struct target *t, numel_str name);
/* Writes dir/name; the folders in the name are made. IO. */
NUMEL_MUST bool target_put(struct target *t, numel_str name, const void *p, size_t n, numel_error *);

/* Does what is there begin as a file does that may be replaced? */
typedef bool target_ours_fn(const char *front, size_t n);
/* Writes one file, in a folder that is there: whole, or it is as it was. One that is there is replaced when it is empty or
 * `ours` says so of its front; a link keeps, and what it leads to is replaced; a pipe or a character device is
 * written to. IO; USAGE for what is somebody else's. */
NUMEL_MUST bool target_save(const char *path, target_ours_fn *ours, const void *p, size_t n,
                            const numel_allocator *, numel_error *);

#endif
