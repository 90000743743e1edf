/*
 * hash_sources.h -- what a file should be, according to this disk: digests and sizes, and their sources.
 *
 *     the name of a blob        huggingface_hub: .../blobs/HEX, 64 digits a SHA-256, 40 git's name;
 *                               Ollama: .../blobs/sha256-HEX; git LFS: .../lfs/objects/aa/bb/HEX
 *     a listing                 huggingface_hub's trees/COMMIT.json (reader/listing.h)
 *     a download's record       DIR/.cache/huggingface/download/FILE.metadata: commit, etag, time
 *     an Ollama manifest        manifests/HOST/NAMESPACE/MODEL/TAG next to the blobs: sizes
 *     a Git LFS pointer         FILE.lfs, FILE.pointer, ... next to the file
 *     a list of digests         SHA256SUMS, FILE.sha256, FILE.numel, ... next to the file
 *     the manifest given        numel verify --manifest
 *
 * The network is never used. Each kind is a row in hash_sources.c. A file may have several; each is compared.
 */
#ifndef NUMEL_VERIFY_HASH_SOURCES_H
#define NUMEL_VERIFY_HASH_SOURCES_H

#include "reader/checkpoint.h"
#include "reader/listing.h"
#include "verify/hash_lists.h"

struct hash_source {
    const char *says;          /* "the name of its blob" */
    const char *where;         /* path of the source */
    struct digest_value value; /* DIGEST_NONE: only a size */
    uint64_t bytes;
    bool sized;
    bool itself;              /* the file's own name: `where` is the file */
    bool listing;             /* its sizes were compared by the level `size` */
    struct list_entry *entry; /* of a list; NULL: not from a list */
};

/* Two differing entries of a list that may be about the file; list NULL: none. */
struct hash_unsure {
    const struct hash_list *list;
    bool given;
    numel_str one, other;
};

struct hash_sources {
    struct arena *arena; /* borrowed, like the sources' texts */
    struct listing listing;
    const struct listing *published; /* of --against; NULL: none */
    struct hash_list *lists;         /* the given manifest first, then the folder's */
    size_t list_count, list_cap;
    bool given;                /* a manifest was given */
    const char *place;         /* of the checkpoint, see found_set */
    struct hash_unsure unsure; /* of the last file */
    struct hash_source *items; /* of the last file */
    size_t count, cap;
    numel_error *error;
};

/* Called for an unreadable list. */
typedef void hash_trouble_fn(void *ctx, const char *path, const numel_error *why);

/* In the checkpoint's arena; manifest may be NULL. False with the manifest's own error, or NOMEM. */
NUMEL_MUST bool hash_sources_open(struct hash_sources *s, numel_checkpoint *ck, const char *manifest,
                                  hash_trouble_fn *trouble, void *ctx, numel_error *e);
void hash_sources_close(struct hash_sources *s);
/* Fills items with everything known of the file. NOMEM. */
NUMEL_MUST bool hash_sources_of(struct hash_sources *s, const char *path);

#endif
