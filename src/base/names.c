/*
 * names.c -- linear probing over numbers of items, doubled when half full; a name is compared only where the
 * hash agrees: its lower half says the slot, its upper half is kept beside the item.
 */
#include "base/names.h"

#include "base/hash.h"
#include "base/text.h"

void names_init(struct names *n, const numel_allocator *memory, size_t stride)
{
    names_init_at(n, memory, stride, 0);
}

void names_init_at(struct names *n, const numel_allocator *memory, size_t stride, size_t place)
{
    *n = (struct names){ .memory = memory, .stride = stride, .place = place };
}

void names_done(struct names *n)
{
    memory_release(n->memory, n->slots);
    names_init_at(n, n->memory, n->stride, n->place);
}

static numel_str name_at(const struct names *n, const void *items, size_t i)
{
    numel_str name;
    memcpy(&name, (const char *)items + i * n->stride + n->place, sizeof name);
    return name;
}

/* The slot where `name` is, or the empty one where it belongs; *upper is for the latter. */
static struct names_slot *find_slot(const struct names *n, const void *items, numel_str name, uint32_t *upper)
{
    uint64_t hash = hash_bytes(name.p, name.n, n->seed);
    size_t mask = n->slot_count - 1, s = (size_t)hash & mask;
    *upper = (uint32_t)(hash >> 32);
    while (n->slots[s].item &&
           (n->slots[s].hash != *upper || !text_same(name_at(n, items, n->slots[s].item - 1), name)))
        s = (s + 1) & mask;
    return &n->slots[s];
}

bool names_reserve(struct names *n, const void *items, size_t entered, size_t count, numel_error *e)
{
    size_t want = n->slot_count ? n->slot_count : 64, bytes;
    while (want / 2 < count) want *= 2;
    if (want == n->slot_count) return true;
    if (__builtin_mul_overflow(want, sizeof *n->slots, &bytes)) return error_nomem(e);
    struct names_slot *slots = memory_resize(n->memory, NULL, bytes);
    if (!slots) return error_nomem(e);
    memset(slots, 0, bytes);
    memory_release(n->memory, n->slots);
    n->slots = slots;
    n->slot_count = want;
    n->seed = hash_seed(slots);
    for (size_t i = 0; i < entered; i++) names_enter(n, items, i);
    return true;
}

uint32_t names_find(const struct names *n, const void *items, numel_str name)
{
    uint32_t upper;
    if (!n->slot_count) return NAMES_ABSENT;
    const struct names_slot *slot = find_slot(n, items, name, &upper);
    return slot->item ? slot->item - 1 : NAMES_ABSENT;
}

uint32_t names_enter(struct names *n, const void *items, size_t i)
{
    uint32_t upper;
    struct names_slot *slot = find_slot(n, items, name_at(n, items, i), &upper);
    if (!slot->item) *slot = (struct names_slot){ (uint32_t)i + 1, upper };
    return slot->item - 1;
}

void names_leave(struct names *n, const void *items, size_t i)
{
    uint32_t upper;
    struct names_slot *slot = find_slot(n, items, name_at(n, items, i), &upper);
    if (slot->item == (uint32_t)i + 1) slot->item = 0;
}
