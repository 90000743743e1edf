/*
 * listing.h -- the published files, as far as this disk has them: the listing of a repository that
 * huggingface_hub keeps next to its downloads.
 *
 *     cache      models--ORG--NAME/snapshots/COMMIT/FILE     listing: ../../trees/COMMIT.json
 *     --local-dir  DIR/FILE                                  listing: DIR/.cache/huggingface/trees/COMMIT.json
 *
 *     { "format_version": 1, "files": { "PATH": { "size": N, "blob_id": "sha1 of git",
 *       "lfs_sha256": "...", "lfs_size": N } } }
 *
 * blob_id is git's SHA-1 of a small file, and of the pointer of a large one.
 */
#ifndef NUMEL_READER_LISTING_H
#define NUMEL_READER_LISTING_H

#include "base/names.h"

struct listed_file {
    numel_str path; /* first: see names.h; from the repository's root */
    uint64_t bytes;
    bool has_bytes;
    const char *sha256, *blob; /* hexadecimal; NULL if not given */
};

struct listing {
    struct listed_file *files;
    size_t count, cap;
    struct names by_path;
    const char *listing; /* the listing's file; NULL if there is none */
    const char *root;    /* the repository's root, an absolute path */
    const char *blobs;   /* the cache's blobs, or a --local-dir's folder of unfinished files; NULL: neither */
};

/* An empty listing from elsewhere: `from` is its name in messages, `root` the local folder that has the files. */
NUMEL_MUST bool listing_begin(struct listing *p, const char *from, const char *root, struct arena *a,
                              numel_error *e);
/* Appends a file to it; texts are copied. */
NUMEL_MUST bool listing_add(struct listing *p, const struct listed_file *file, struct arena *a,
                            numel_error *e);
/* Looks for a listing next to `dir`. A missing or unreadable listing is not an error: *why then has
 * the reason. False for NOMEM. All in the arena except by_path. */
NUMEL_MUST bool listing_load(struct listing *p, const char *dir, struct arena *a, numel_error *why,
                             numel_error *e);
void listing_done(struct listing *p);
/* The path of a file from the root; NULL if it is not in or below it. */
NUMEL_MUST const char *listing_below(const struct listing *p, const char *path, struct arena *a);
/* The entry of a file in or below the root, by its path; NULL if there is none. */
const struct listed_file *listing_find(const struct listing *p, const char *path, struct arena *a);
/* The entry with that digest: the name of a blob. */
const struct listed_file *listing_by_digest(const struct listing *p, numel_str digest);

#endif
