/* members.c -- see members.h. The numbers in all names are extracted once; then tables are sized and
 * filled. */
#include "registry/members.h"

#include "base/num.h"

enum { SPREAD = 4 }; /* limit on a table's places per tensor */

/* ---- building ----------------------------------------------------------------------------- */

/* `count` is the number of tensors of the pattern. Returns 0 if its numbers are too sparse. */
static size_t room_of(const struct members_box *b, unsigned slots, uint64_t count)
{
    uint64_t room = 1;
    for (unsigned k = 0; k < slots; k++)
        if (!num_mul(&room, room, b->size[k]) || room > count * SPREAD) return 0;
    return (size_t)room;
}

static void bound(struct members_box *b, unsigned slots, const uint32_t *numbers, bool first)
{
    for (unsigned k = 0; k < slots; k++) {
        uint32_t n = numbers[k]; /* never UINT32_MAX */
        if (first) b->from[k] = n, b->size[k] = 1;
        else if (n < b->from[k]) b->size[k] += b->from[k] - n, b->from[k] = n;
        else if (n - b->from[k] >= b->size[k]) b->size[k] = n - b->from[k] + 1;
    }
}

/* Finds the place for the numbers; false if they are out of range. */
static bool place_of(const struct members_box *b, unsigned slots, const uint32_t *numbers, size_t *place)
{
    *place = 0;
    for (unsigned k = 0; k < slots; k++) {
        if (numbers[k] < b->from[k] || numbers[k] - b->from[k] >= b->size[k]) return false;
        *place = *place * b->size[k] + (numbers[k] - b->from[k]);
    }
    return true;
}

NUMEL_MUST static bool open_boxes(struct members *m, struct arena *a)
{
    for (size_t i = 0; i < m->registry->patterns.count; i++) {
        const struct pattern *x = &m->registry->patterns.items[i];
        struct members_box *b = &m->boxes[i];
        size_t room = room_of(b, x->slots, x->count);
        if (!room) continue;
        if (!(b->tensors = arena_alloc(a, room * sizeof *b->tensors))) return false;
        for (size_t k = 0; k < room; k++) b->tensors[k] = NAMES_ABSENT;
    }
    return true;
}

static void enter_all(struct members *m, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < m->registry->count; i++) {
        const struct pattern *x = registry_pattern(m->registry, i);
        struct members_box *b = &m->boxes[m->registry->patterns.of[i]];
        size_t place;
        if (b->tensors && place_of(b, x->slots, numbers, &place) && b->tensors[place] == NAMES_ABSENT)
            b->tensors[place] = i;
        numbers += x->slots;
    }
}

bool members_make(struct members *m, const struct registry *r, struct arena *a, numel_error *e)
{
    size_t all = 0;
    for (size_t i = 0; i < r->patterns.count; i++)
        all += (size_t)r->patterns.items[i].count * r->patterns.items[i].slots;
    uint32_t *numbers = memory_resize(r->memory, NULL, (all + 1) * sizeof *numbers), *at = numbers;
    *m = (struct members){ r, arena_alloc(a, (r->patterns.count + 1) * sizeof *m->boxes) };
    for (size_t i = 0; m->boxes && i < r->patterns.count; i++)
        m->boxes[i] = (struct members_box){ .tensors = NULL };
    for (uint32_t i = 0; numbers && m->boxes && i < r->count; i++) {
        const struct pattern *x = registry_pattern(r, i);
        pattern_numbers(x, r->tensors[i].name, at);
        bound(&m->boxes[r->patterns.of[i]], x->slots, at, x->first == i);
        at += x->slots;
    }
    bool ok = numbers && m->boxes && open_boxes(m, a);
    if (ok) enter_all(m, numbers);
    else *m = (struct members){ .registry = NULL };
    memory_release(r->memory, numbers);
    return ok || error_nomem(e);
}

/* ---- lookup ------------------------------------------------------------------------------- */

bool members_run(const struct members *m, numel_str name, numel_str next, uint32_t i, struct members_run *out)
{
    const struct patterns *all = &m->registry->patterns;
    uint32_t numbers[PATTERN_SLOTS];
    unsigned differ = 0;
    out->pattern = patterns_find(all, name);
    if (out->pattern == NAMES_ABSENT || !m->boxes[out->pattern].tensors ||
        patterns_find(all, next) != out->pattern)
        return false;
    const struct pattern *x = &all->items[out->pattern];
    pattern_numbers(x, name, out->numbers);
    pattern_numbers(x, next, numbers);
    for (unsigned k = 0; k < x->slots; k++) {
        if (out->numbers[k] == numbers[k]) continue;
        differ++;
        out->slot = (uint8_t)k;
    }
    return differ == 1 && out->numbers[out->slot] == i && numbers[out->slot] == i + 1;
}

uint32_t members_at(const struct members *m, const struct members_run *run, uint32_t i)
{
    const struct members_box *b = &m->boxes[run->pattern];
    struct members_run one = *run;
    size_t place;
    one.numbers[run->slot] = i;
    bool there = place_of(b, m->registry->patterns.items[run->pattern].slots, one.numbers, &place);
    return there ? b->tensors[place] : NAMES_ABSENT;
}
