/*
 * hash_sources.h -- what a file should be, as this disk knows it: digests and sizes, and who says so.
 *
 *     the name of a blob        huggingface_hub: .../blobs/HEX, 64 digits a SHA-256, 40 git's name;
 *                               Ollama: .../blobs/sha256-HEX; git LFS: .../lfs/objects/aa/bb/HEX
 *     a listing                 huggingface_hub's trees/COMMIT.json (reader/published.h)
 *     a download's record       DIR/.cache/huggingface/download/FILE.metadata: commit, etag, time
 *     an Ollama manifest        manifests/HOST/NAMESPACE/MODEL/TAG beside the blobs: sizes
 *     a Git LFS pointer         FILE.lfs, FILE.pointer, ... beside the file
 *     a list of digests         SHA256SUMS, FILE.sha256, FILE.numel, ... beside the file
 *     the manifest given        numel verify --manifest
 *
 * Nothing is asked of a network. One kind is a row in hash_sources.c. A file may have several; each
 * is compared.
 */
#ifndef NUMEL_VERIFY_HASH_SOURCES_H
#define NUMEL_VERIFY_HASH_SOURCES_H

#include "content/manifest.h"
#include "reader/published.h"

struct hash_source {
    const char *says;          /* "the name of its blob" */
    const char *where;         /* path of who says it */
    struct digest_value value; /* DIGEST_NONE: only a size is reported */
    uint64_t bytes;
    bool sized;
    bool itself;  /* the file's own name: `where` is the file */
    bool listing; /* whose sizes the level `size` has compared already */
};

struct hash_list { /* a list of digests that was read */
    const char *path;
    const char *dir; /* real, where its names begin */
    struct manifest manifest;
};

struct hash_sources {
    struct arena *arena; /* borrowed, as is what the sources say */
    struct published published;
    struct hash_list *lists; /* the given manifest first, then those of the folder */
    size_t list_count, list_cap;
    bool given;                /* there is a given manifest */
    struct hash_source *items; /* of the file asked for last */
    size_t count, cap;
    numel_error *error;
};

/* Called for a list that cannot be read. */
typedef void hash_trouble_fn(void *ctx, const char *path, const numel_error *why);

/* dir is the checkpoint's folder, NULL for none; manifest may be NULL. False with the manifest's own
 * error, or NOMEM. */
NUMEL_MUST bool hash_sources_open(struct hash_sources *s, const char *dir, const char *manifest,
                                  struct arena *a, hash_trouble_fn *trouble, void *ctx, numel_error *e);
void hash_sources_close(struct hash_sources *s);
/* Fills items with all that is known of the file. NOMEM. */
NUMEL_MUST bool hash_sources_of(struct hash_sources *s, const char *path);

/* Does a name in the list stand for the file? Both are compared from their ends: a manifest may have
 * been made elsewhere. An entry that names another file which is here does not. `own` is the path as
 * hash_escaped() gives it. */
bool hash_list_names(const struct hash_list *l, numel_str entry, const char *path, numel_str own,
                     struct arena *a);
numel_str hash_escaped(struct arena *a, numel_str s); /* empty when out of memory: a->failed */

#endif
