/*
 * target.h -- a folder that files are written to.
 *
 * Below the named folder nothing is written through a link; existing files are replaced only on request, and
 * then a link is replaced, not its target. A file is complete or absent: it is first written under a
 * temporary name. A file written through a target is never replaced by the same target: two files with one
 * name are an error, and a file reported as written is there.
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

/* Borrows dir; it is made, with its parents, when the first file is written. */
void target_init(struct target *t, const char *dir, bool overwrite, const numel_allocator *);
void target_done(struct target *t);
/* Has this target written a file of that name? */
bool target_has(const struct target *t, numel_str name);
/* Writes dir/name; makes the folders in the name. IO. */
NUMEL_MUST bool target_put(struct target *t, numel_str name, const void *p, size_t n, numel_error *);

/* Does the existing file begin like one that may be replaced? */
typedef bool target_ours_fn(const char *front, size_t n);
/* Writes one file completely, in an existing folder, or leaves it as it was. Replaces an existing file if it
 * is empty or `ours` accepts its front; a link stays, and its target is replaced; a pipe or a character
 * device is written to. IO; USAGE for a file that is not ours. */
NUMEL_MUST bool target_save(const char *path, target_ours_fn *ours, const void *p, size_t n,
                            const numel_allocator *, numel_error *);

/* Whether target_save() may write there, as far as can be seen before it does. */
NUMEL_MUST bool target_check(const char *path, target_ours_fn *ours, numel_error *);

#endif
