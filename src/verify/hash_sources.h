/*
 * hash_sources.h -- what a file should be, as this disk knows it: digests and sizes, and who says so.
 *
 *     the name of a blob        huggingface_hub: .../blobs/HEX, 64 digits a SHA-256, 40 git's name;
 *                               Ollama: .../blobs/sha256-HEX; git LFS: .../lfs/objects/aa/bb/HEX
 *     a listing                 huggingface_hub's trees/COMMIT.json (reader/listing.h)
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

#include "reader/checkpoint.h"
#include "reader/listing.h"
#include "verify/hash_lists.h"

struct hash_source {
    const char *says;          /* "the name of its blob" */
    const char *where;         /* path of who says it */
    struct digest_value value; /* DIGEST_NONE: only a size is reported */
    uint64_t bytes;
    bool sized;
    bool itself;              /* the file's own name: `where` is the file */
    bool listing;             /* whose sizes the level `size` has compared already */
    struct list_entry *entry; /* of a list; NULL: another says so */
};

/* Two entries of a list that may be about the file, and differ; list NULL: there are none. */
struct hash_unsure {
    const struct hash_list *list;
    bool given;
    numel_str one, other;
};

struct hash_sources {
    struct arena *arena; /* borrowed, as is what the sources say */
    struct listing listing;
    struct hash_list *lists; /* the given manifest first, then those of the folder */
    size_t list_count, list_cap;
    bool given;                /* there is a given manifest */
    const char *place;         /* of the checkpoint, see found_set */
    struct hash_unsure unsure; /* of the file asked for last */
    struct hash_source *items; /* of the file asked for last */
    size_t count, cap;
    numel_error *error;
};

/* Called for a list that cannot be read. */
typedef void hash_trouble_fn(void *ctx, const char *path, const numel_error *why);

/* In the checkpoint's arena; manifest may be NULL. False with the manifest's own error, or NOMEM. */
NUMEL_MUST bool hash_sources_open(struct hash_sources *s, numel_checkpoint *ck, const char *manifest,
                                  hash_trouble_fn *trouble, void *ctx, numel_error *e);
void hash_sources_close(struct hash_sources *s);
/* Fills items with all that is known of the file. NOMEM. */
NUMEL_MUST bool hash_sources_of(struct hash_sources *s, const char *path);

#endif
