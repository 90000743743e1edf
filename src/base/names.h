/*
 * names.h -- a hash index over an array whose items hold their name, mostly as the first field.
 *
 * The items stay in place; the index holds their numbers. Any struct with a numel_str can be indexed (a
 * tensor, a metadata entry, a shard). Linear probing, at most half full, seeded (hash.h), so that no file can
 * choose names that make it slow.
 */
#ifndef NUMEL_BASE_NAMES_H
#define NUMEL_BASE_NAMES_H

#include "base/memory.h"

struct names_slot {
    uint32_t item; /* its number + 1; 0 is empty */
    uint32_t hash; /* the lower half of its name's hash */
};

struct names {
    const numel_allocator *memory;
    struct names_slot *slots;
    size_t slot_count;
    uint64_t seed;
    size_t stride, place; /* bytes of an item; the name's offset in it */
};

#define NAMES_ABSENT UINT32_MAX

void names_init(struct names *n, const numel_allocator *, size_t stride); /* the name is first */
void names_init_at(struct names *n, const numel_allocator *, size_t stride, size_t place);
void names_done(struct names *n);
/* Makes room for `count` items in total. */
NUMEL_MUST bool names_reserve(struct names *n, size_t count, numel_error *);
/* The number of the item of that name, or NAMES_ABSENT. */
uint32_t names_find(const struct names *n, const void *items, numel_str name);
/* Enters item `i` unless its name is known; returns the number of the name's item. */
uint32_t names_enter(struct names *n, const void *items, size_t i);
/* Removes item `i`, if it is the one entered under its name. */
void names_leave(struct names *n, const void *items, size_t i);

#endif
