/*
 * names.h -- a hash index over an array whose items contain their name, usually as the first field.
 *
 * Items stay in place; the index has their numbers. Any struct with a numel_str can be indexed (a tensor, a
 * metadata entry, a shard). Linear probing, at most half full, and seeded (hash.h), so that no file can
 * choose names that make it slow.
 */
#ifndef NUMEL_BASE_NAMES_H
#define NUMEL_BASE_NAMES_H

#include "base/memory.h"

struct names_slot {
    uint32_t item; /* number of the item, plus 1; 0: empty */
    uint32_t hash; /* the lower half of the name's hash */
};

struct names {
    const numel_allocator *memory;
    struct names_slot *slots;
    size_t slot_count;
    uint64_t seed;
    size_t stride, place; /* size of an item; offset of its name */
};

#define NAMES_ABSENT UINT32_MAX

void names_init(struct names *n, const numel_allocator *, size_t stride); /* the name is first */
void names_init_at(struct names *n, const numel_allocator *, size_t stride, size_t place);
void names_done(struct names *n);
/* Makes room for `count` items in total. */
NUMEL_MUST bool names_reserve(struct names *n, size_t count, numel_error *);
/* The number of the item with that name, or NAMES_ABSENT. */
uint32_t names_find(const struct names *n, const void *items, numel_str name);
/* Enters item `i` unless its name is already there. Returns the number of the item with that name. */
uint32_t names_enter(struct names *n, const void *items, size_t i);
/* The number of the item of that name. A new one is appended to the vector at *items, all zero except its
 * name, which is copied into the arena unless that is NULL: then it must outlive the items. NAMES_ABSENT:
 * NOMEM. */
NUMEL_MUST uint32_t names_add(struct names *n, void *items, size_t *count, size_t *cap, numel_str name,
                              struct arena *keep, numel_error *);
/* Removes item `i`, if it is the one entered under its name. */
void names_leave(struct names *n, const void *items, size_t i);

#endif
