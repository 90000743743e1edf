/*
 * seen.h -- the set of files, folders and sets of files already seen, identified by device and inode, not by
 * name.
 *
 * A million files are a million 64-bit numbers: a file's inode and, in the upper byte, the index of its
 * device among those seen. Anything that does not fit (an inode of more than 56 bits, a set of several files,
 * the 255th device) is a seeded hash with its own upper byte.
 */
#ifndef NUMEL_READER_SEEN_H
#define NUMEL_READER_SEEN_H

#include "base/memory.h"

enum { SEEN_DEVICES = 254 };

struct seen {
    const numel_allocator *memory;
    uint64_t *slots; /* 0 is empty */
    size_t slot_count, count;
    uint64_t devices[SEEN_DEVICES];
    size_t device_count;
    uint64_t seed;
};

/* Its address must be unpredictable to files: it is the seed. */
void seen_init(struct seen *s, const numel_allocator *);
void seen_done(struct seen *s);
/* A file or folder; *again: already added. NOMEM. */
NUMEL_MUST bool seen_add(struct seen *s, uint64_t device, uint64_t inode, bool *again, numel_error *);
/* Has it been added? */
bool seen_has(struct seen *s, uint64_t device, uint64_t inode);
/* A set of several files: the result of seen_mix() over all of them, from 0. */
NUMEL_MUST bool seen_add_set(struct seen *s, uint64_t mixed, bool *again, numel_error *);
uint64_t seen_mix(const struct seen *s, uint64_t before, uint64_t device, uint64_t inode);

#endif
