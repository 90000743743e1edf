/*
 * cache.h -- what was fetched before, in a folder of small files.
 *
 * An entry has a key: what was asked (the commit of a revision, or an https URL, and an offset). Its file is
 * named by a hash of the key, so no name from a server becomes a name of a file, and holds the key itself, since
 * hashes may collide:
 *
 *     numel-fetch 1 HASH\n            of all that follows
 *     SIZE ETAG KEY\n                 as in an answer of the protocol
 *     the bytes
 *
 * A file that is damaged, cut, not a regular file or of another user is not an entry, and is fetched again. Files
 * are written under another name and renamed; folders and files are the user's alone. Nothing that goes wrong
 * here is an error. The folder is trimmed to CACHE_MOST bytes, the oldest first, when a run has added to it.
 */
#ifndef NUMEL_FETCH_CACHE_H
#define NUMEL_FETCH_CACHE_H

#include "base/buffer.h"

#define CACHE_MOST UINT64_C(1073741824) /* 1 GiB */
#define CACHE_KEPT UINT64_C(805306368)  /* after trimming */
#define CACHE_UNKNOWN UINT64_MAX        /* of a size */

struct cache {
    const char *dir; /* NULL: there is none */
    bool written;
    unsigned count; /* of files that were begun */
};

struct cache_entry {
    struct buffer file; /* owns what the slices are of */
    uint64_t size;      /* of the whole file, or CACHE_UNKNOWN */
    numel_str etag;     /* empty if there is none */
    numel_str bytes;
};

/* False if there is no such entry; else end it with cache_entry_done(). */
bool cache_find(const struct cache *c, numel_str key, struct cache_entry *entry);
void cache_entry_done(struct cache_entry *entry);
void cache_keep(struct cache *c, numel_str key, uint64_t size, numel_str etag, numel_str bytes);
/* Only if this run has written. */
void cache_trim(const struct cache *c, uint64_t most, uint64_t kept);

#endif
