/*
 * list_cache.h -- rows of earlier lists, for checkpoints that have not changed since.
 *
 * A row has a place and a state, both stamps (source/stamp.h). The place is the path as it was found and the
 * options that change a row; a cache has one row for a place. The state is of whatever a row depends on: the
 * files of its sets, the index or the manifest with its layers, and every other file in the folder except
 * weights and pictures, since a configuration may appear there; of a model of components all files in all its
 * folders. A row is kept if its state is sure, and if no folder changed while it was read. The caller's walk
 * finds the checkpoints, so what the walk finds (names, sizes, links, times) is never taken from a cache. Rows
 * of downloads that are not complete, and of remote models, are not kept.
 *
 *     "numel list cache\n" VERSION "\n"
 *     bytes of the rest, u64 LE; their hash, u64 LE
 *     for each row: bytes, u64; place and state, two u64 each; runs that did not meet it, u64; the record
 *
 * Files of another version of numel are read as empty, and damaged ones too, with an error for the caller.
 */
#ifndef NUMEL_REPORTER_LIST_CACHE_H
#define NUMEL_REPORTER_LIST_CACHE_H

#include "base/buffer.h"
#include "reader/walk.h"
#include "source/stamp.h"

struct cached {
    struct stamp place, state;
    numel_str record; /* in `old` */
    uint64_t unmet;   /* runs since it was met */
    bool met, valid;  /* in this run */
};

struct list_cache {
    const char *path; /* NULL: there is none */
    const numel_allocator *memory;
    struct arena arena;
    struct buffer old, new; /* the file as it was, and records of this run */
    struct cached *rows;    /* of old, by place */
    size_t count, cap, added;
    struct stamp options;
    bool stale;              /* the file has other rows than `rows` */
    struct walk_place *held; /* the place that was stamped last, and the folder in it */
    const struct folder *beside;
    struct stamp folder;
};

/* The stamps of one row. */
struct list_stamps {
    struct stamp place, state;
};

/* Reads how->cache. USAGE: the file is not a cache; IO, NOMEM. *why: the reason why it was ignored; unchanged
 * if it was not. Call list_cache_done() in any case. */
NUMEL_MUST bool list_cache_open(struct list_cache *c, const numel_listing *how, const numel_options *,
                                numel_error *why, numel_error *e);
void list_cache_done(struct list_cache *c);
/* Stamps the item, and if the cache has its row, completes *row, whose fields from the walk are set, and
 * sets *hit. The texts are in the cache. NOMEM. */
NUMEL_MUST bool list_cache_find(struct list_cache *c, const struct walk_item *x, struct list_stamps *out,
                                numel_row *row, bool *hit, numel_error *e);
/* Keeps a row that was just read without an error, if it may be kept. One thread at a time; list_cache_find() may run in another.
 * NOMEM. */
NUMEL_MUST bool list_cache_add(struct list_cache *c, const numel_found *found, size_t i,
                               const struct list_stamps *at, const numel_row *row, numel_error *e);
/* Writes the file if it would differ. IO, NOMEM. */
NUMEL_MUST bool list_cache_save(struct list_cache *c, numel_error *e);

#endif
