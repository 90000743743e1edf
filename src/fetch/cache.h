/*
 * cache.h -- keeps earlier answers in a folder of small files.
 *
 * Each entry has a key: the request (the commit of a revision, or an https URL, and an offset). A hash of the key
 * names its file, so no name from a server becomes a file name. The file also holds the key, since hashes may
 * collide:
 *
 *     numel-fetch 1 HASH\n            of all that follows
 *     SIZE ETAG KEY\n                 as in an answer of the protocol
 *     the bytes
 *
 * Damaged or truncated files, files of other users and anything but a regular file are ignored and fetched again.
 * Files are written under another name, then renamed; only their owner can read them. No failure here is an error.
 * Before a run adds its first entry, it trims a folder of more than CACHE_MOST bytes to CACHE_KEPT, oldest first; not
 * at its end, since the parent may kill the program.
 */
#ifndef NUMEL_FETCH_CACHE_H
#define NUMEL_FETCH_CACHE_H

#include "base/buffer.h"

#define CACHE_MOST UINT64_C(1073741824) /* 1 GiB */
#define CACHE_KEPT UINT64_C(805306368)  /* after trimming */

struct cache {
    const char *dir; /* NULL: no cache */
    unsigned count;  /* files begun */
};

struct cache_entry {
    struct buffer file; /* owns the bytes that the slices point to */
    uint64_t size;      /* of the whole file, or SIZE_UNKNOWN */
    numel_str etag;     /* empty if missing */
    numel_str bytes;
};

/* False if not found. After true, end the entry with cache_entry_done(). */
bool cache_find(const struct cache *c, numel_str key, struct cache_entry *entry);
void cache_entry_done(struct cache_entry *entry);
void cache_keep(struct cache *c, numel_str key, uint64_t size, numel_str etag, numel_str bytes);

#endif
