/* seen.c -- an open hash table of numbers, at most two thirds full, which doubles. */
#include "reader/seen.h"

#include "base/hash.h"

enum { FIRST_SLOTS = 1024 };
static const uint64_t low = ((uint64_t)1 << 56) - 1;
enum { HASHED = 254, SET = 255 }; /* upper bytes; lower ones are a device's index plus one */

void seen_init(struct seen *s, const numel_allocator *m)
{
    *s = (struct seen){ .memory = m };
    s->seed = hash_seed(s); /* part of an object on the heap */
}

void seen_done(struct seen *s)
{
    memory_release(s->memory, s->slots);
    s->slots = NULL;
    s->slot_count = s->count = 0;
}

/* Its slot, or the empty slot for it. */
static size_t place_of(const struct seen *s, uint64_t number)
{
    size_t mask = s->slot_count - 1, at = (size_t)hash_fold(number ^ s->seed, 0x9E3779B97F4A7C15u) & mask;
    while (s->slots[at] && s->slots[at] != number) at = (at + 1) & mask;
    return at;
}

NUMEL_MUST static bool grow(struct seen *s, numel_error *e)
{
    size_t before = s->slot_count;
    uint64_t *old = s->slots;
    if (s->slot_count && s->count + 1 <= s->slot_count / 3 * 2) return true;
    size_t slots = before ? before * 2 : FIRST_SLOTS;
    uint64_t *fresh =
        slots <= SIZE_MAX / sizeof *fresh / 2 ? memory_resize(s->memory, NULL, slots * sizeof *fresh) : NULL;
    if (!fresh) return error_nomem(e);
    memset(fresh, 0, slots * sizeof *fresh);
    s->slots = fresh;
    s->slot_count = slots;
    for (size_t i = 0; i < before; i++)
        if (old[i]) s->slots[place_of(s, old[i])] = old[i];
    memory_release(s->memory, old);
    return true;
}

NUMEL_MUST static bool add(struct seen *s, uint64_t number, bool *again, numel_error *e)
{
    if (!grow(s, e)) return false;
    size_t at = place_of(s, number);
    *again = s->slots[at] != 0;
    s->slots[at] = number;
    s->count += !*again;
    return true;
}

static size_t device_number(struct seen *s, uint64_t device)
{
    size_t i = 0;
    while (i < s->device_count && s->devices[i] != device) i++;
    if (i == s->device_count && i + 1 < SEEN_DEVICES) s->devices[s->device_count++] = device;
    return i;
}

uint64_t seen_mix(const struct seen *s, uint64_t before, uint64_t device, uint64_t inode)
{
    return hash_fold(hash_fold(before ^ device ^ s->seed, 0xD6E8FEB86659FD93u) ^ inode, 0xA0761D6478BD642Fu);
}

static uint64_t number_of(struct seen *s, uint64_t device, uint64_t inode)
{
    size_t number = device_number(s, device);
    if (inode <= low && number + 1 < HASHED) return (uint64_t)(number + 1) << 56 | inode;
    return (uint64_t)HASHED << 56 | (seen_mix(s, 0, device, inode) & low);
}

bool seen_add(struct seen *s, uint64_t device, uint64_t inode, bool *again, numel_error *e)
{
    return add(s, number_of(s, device, inode), again, e);
}

bool seen_has(struct seen *s, uint64_t device, uint64_t inode)
{
    return s->slot_count && s->slots[place_of(s, number_of(s, device, inode))];
}

bool seen_add_set(struct seen *s, uint64_t mixed, bool *again, numel_error *e)
{
    return add(s, (uint64_t)SET << 56 | (mixed & low), again, e);
}
