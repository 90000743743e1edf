/*
 * seen.h -- which things on disk were met before: a set of files, folders and sets of files, by what the system says
 * that they are, not by their names.
 *
 * A million files are a million numbers of 64 bits: a file's inode and, in the upper byte, the number of its device
 * among those met. What has no room there (an inode of more than 56 bits, a set of several files, the 255th device)
 * is a seeded hash, of an upper byte of its own.
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

/* Lies where no file can know: its address is the seed. */
void seen_init(struct seen *s, const numel_allocator *);
void seen_done(struct seen *s);
/* A file or folder; *again: it was added before. NOMEM. */
NUMEL_MUST bool seen_add(struct seen *s, uint64_t device, uint64_t inode, bool *again, numel_error *);
/* A set of several files, of which it takes what seen_mix() makes of them one after the other, from 0. */
NUMEL_MUST bool seen_add_set(struct seen *s, uint64_t mixed, bool *again, numel_error *);
uint64_t seen_mix(const struct seen *s, uint64_t before, uint64_t device, uint64_t inode);

#endif
