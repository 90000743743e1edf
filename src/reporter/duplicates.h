/*
 * duplicates.h -- files of checkpoints with the same bytes, and which of them take space.
 *
 * A place is a file of a checkpoint, as the walk meets it; several places may be one file. Files of one size
 * are candidates; of those a sample is read: the first 64 KiB, where the header is, and places at fixed
 * distances up to the end. Same samples are strong evidence, not proof; `hash` compares all bytes. Groups that
 * consist of the same checkpoints become one, so a copied set of shards is one group.
 */
#ifndef NUMEL_REPORTER_DUPLICATES_H
#define NUMEL_REPORTER_DUPLICATES_H

#include "content/digest.h"
#include "base/memory.h"

enum space { SPACE_FIRST, SPACE_COPY, SPACE_HARD_LINK, SPACE_SYMLINK, SPACE_REFLINK, SPACE_UNKNOWN };

struct place {
    const char *path, *of; /* of the file, and of its checkpoint */
    const char *name;      /* of the checkpoint */
    uint64_t checkpoint, device, inode, bytes;
    bool link;        /* the path is a symbolic link */
    bool many;        /* the file has several hard links */
    bool whole;       /* `digest` is of all bytes */
    bool again;       /* an earlier place is the same file */
    size_t order;     /* in which it was met */
    uint64_t group;   /* 0: none */
    enum space space; /* in its group */
    uint64_t files;   /* in its group; more than one: `of` is shown */
    uint64_t saved;
    struct digest_value digest;
};

struct duplicates {
    struct arena arena;
    struct place *places; /* at the end only those in groups, by group */
    size_t count, cap;
    uint64_t groups, files, read, saved, failed;
    uint64_t sampled; /* of `saved`, by samples */
};

/* Walks the paths and compares. Call duplicates_done() in any case. NOMEM; IO if there are no digests. */
NUMEL_MUST bool duplicates_find(struct duplicates *d, const char *const *paths, size_t n, bool hash,
                                const numel_options *, numel_error *);
void duplicates_done(struct duplicates *d);

#endif
