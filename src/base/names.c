/*
 * names.c -- linear probing over item numbers. Tables double when half full. Names are compared only if 32
 * bits of their hashes match. These are stored with the item: the lower ones give the slot, so a table grows
 * without reading names again; the others distinguish most colliding names.
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

static inline uint32_t hash_of(const struct names *n, numel_str name)
{
    return (uint32_t)hash_bytes(name.p, name.n, n->seed);
}

/* The slot with `name`, or the empty slot for it. */
static inline struct names_slot *find_slot(const struct names *n, const void *items, numel_str name,
                                           uint32_t hash)
{
    size_t mask = n->slot_count - 1, s = hash & mask;
    while (n->slots[s].item &&
           (n->slots[s].hash != hash || !text_same(name_at(n, items, n->slots[s].item - 1), name)))
        s = (s + 1) & mask;
    return &n->slots[s];
}

/* Moves a slot to a table that does not have its name. */
static void move_slot(struct names *n, struct names_slot slot)
{
    size_t mask = n->slot_count - 1, s = slot.hash & mask;
    while (n->slots[s].item) s = (s + 1) & mask;
    n->slots[s] = slot;
}

bool names_reserve(struct names *n, size_t count, numel_error *e)
{
    size_t want = n->slot_count ? n->slot_count : 64, bytes;
    struct names old = *n;
    while (want / 2 < count) want *= 2;
    if (want == n->slot_count) return true;
    if (__builtin_mul_overflow(want, sizeof *n->slots, &bytes)) return error_nomem(e);
    struct names_slot *slots = memory_resize(n->memory, NULL, bytes);
    if (!slots) return error_nomem(e);
    memset(slots, 0, bytes);
    n->slots = slots;
    n->slot_count = want;
    if (!old.slot_count) n->seed = hash_seed(slots);
    for (size_t i = 0; i < old.slot_count; i++)
        if (old.slots[i].item) move_slot(n, old.slots[i]);
    memory_release(n->memory, old.slots);
    return true;
}

uint32_t names_find(const struct names *n, const void *items, numel_str name)
{
    if (!n->slot_count) return NAMES_ABSENT;
    const struct names_slot *slot = find_slot(n, items, name, hash_of(n, name));
    return slot->item ? slot->item - 1 : NAMES_ABSENT;
}

uint32_t names_enter(struct names *n, const void *items, size_t i)
{
    numel_str name = name_at(n, items, i);
    uint32_t hash = hash_of(n, name);
    struct names_slot *slot = find_slot(n, items, name, hash);
    if (!slot->item) *slot = (struct names_slot){ (uint32_t)i + 1, hash };
    return slot->item - 1;
}

uint32_t names_add(struct names *n, void *items, size_t *count, size_t *cap, numel_str name,
                   struct arena *keep, numel_error *e)
{
    char *all;
    memcpy(&all, items, sizeof all);
    uint32_t known = names_find(n, all, name);
    if (known != NAMES_ABSENT) return known;
    if (keep) name.p = arena_text(keep, name.p, name.n);
    if (keep && !name.p) return error_nomem(e), NAMES_ABSENT;
    if (!memory_grow(n->memory, items, cap, *count + 1, n->stride, e) || !names_reserve(n, *count + 1, e))
        return NAMES_ABSENT;
    memcpy(&all, items, sizeof all);
    char *own = all + *count * n->stride;
    memset(own, 0, n->stride);
    memcpy(own + n->place, &name, sizeof name);
    return names_enter(n, all, (*count)++);
}

void names_leave(struct names *n, const void *items, size_t i)
{
    numel_str name = name_at(n, items, i);
    size_t mask = n->slot_count - 1;
    struct names_slot *hole = find_slot(n, items, name, hash_of(n, name));
    if (hole->item != (uint32_t)i + 1) return;
    /* Later slots move up, but none to a place before its own. */
    for (size_t s = (size_t)(hole - n->slots + 1) & mask; n->slots[s].item; s = (s + 1) & mask) {
        size_t from_hole = (s - (size_t)(hole - n->slots)) & mask, from_home = (s - n->slots[s].hash) & mask;
        if (from_home < from_hole) continue;
        *hole = n->slots[s];
        hole = &n->slots[s];
    }
    hole->item = 0;
}
