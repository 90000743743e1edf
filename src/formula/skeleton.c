/* skeleton.c -- see skeleton.h. */
#include "formula/skeleton.h"

#include "formula/digest.h"
#include "formula/lookup.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* One name represents a pattern, unless the pattern has numbers next to underscores, which are part of a
 * name. */
static uint32_t digests_of(const struct registry *r, uint32_t *out)
{
    uint32_t n = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct pattern *p = registry_pattern(r, i);
        if (!p->dotted || p->first == i) out[n++] = name_digest(r->tensors[i].name.p, r->tensors[i].name.n);
    }
    return n;
}

/* The lowest digests, ascending, without duplicates. Returns their number. */
static uint32_t lowest_of(uint32_t *all, uint32_t count)
{
    uint32_t n = 0;
    if (count) qsort(all, count, sizeof *all, ascending);
    for (uint32_t i = 0; i < count && n < SKELETON_NAMES; i++)
        if (n == 0 || all[i] != all[n - 1]) all[n++] = all[i];
    return n;
}

/* True if a is more similar to the file than b. */
static bool is_closer(const struct skeleton *a, const struct skeleton *b)
{
    uint64_t all_a = (uint64_t)a->own + a->names, all_b = (uint64_t)b->own + b->names;
    return a->common * all_b > b->common * all_a;
}

/* Inserts an entry among the best; of equals, the earlier one comes first. */
static void enter(struct skeleton *out, unsigned room, unsigned *count, const struct skeleton *s)
{
    unsigned at = *count < room ? (*count)++ : room;
    while (at > 0 && is_closer(s, &out[at - 1])) {
        if (at < room) out[at] = out[at - 1];
        at--;
    }
    if (at < room) out[at] = *s;
}

/* Counts the digests that each line has. */
static void count_common(uint32_t *common, const uint32_t *own, uint32_t n)
{
    memset(common, 0, embedded_told_classes * sizeof *common);
    for (uint32_t i = 0; i < n; i++) {
        const uint16_t *lines;
        uint32_t count = lookup_told(TOLD_NAMES, own[i], &lines);
        for (uint32_t k = 0; k < count; k++) common[lines[k]]++;
    }
}

static bool is_like(const struct skeleton *s)
{
    return (uint64_t)s->common * 4 > (uint64_t)s->own + s->names;
}

/* Enters lines that are similar to a file with n names. Returns the number of lines that would be similar if
 * the file had no other names than the common ones. */
static unsigned enter_all(struct skeleton *out, unsigned room, unsigned *count, const uint32_t *common,
                          uint32_t n)
{
    unsigned may = 0;
    for (uint32_t i = 0; i < embedded_told_classes; i++) {
        const struct embedded_told *line = &embedded_told[i];
        numel_str text = { embedded_text + line->text, line->bytes };
        struct skeleton s = { { NULL, 0 }, common[i], common[i], line->names };
        if (!s.common || !is_like(&s)) continue;
        may++;
        s.classes = text_word(&text);
        s.own = n;
        if (is_like(&s)) enter(out, room, count, &s);
    }
    return may;
}

/* Most unknown files share few names with any line, however many they have; their digests are not sorted. */
bool skeleton_find(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                   numel_error *e)
{
    uint32_t *common = memory_resize(r->memory, NULL, (embedded_told_classes + r->count) * sizeof *common);
    if (!common) return error_nomem(e);
    uint32_t *own = common + embedded_told_classes, n = digests_of(r, own);
    *count = 0;
    count_common(common, own, n);
    if (enter_all(out, 0, count, common, n)) {
        n = lowest_of(own, n);
        count_common(common, own, n);
        enter_all(out, room, count, common, n);
    }
    memory_release(r->memory, common);
    return true;
}

bool skeleton_class(numel_str *classes, numel_str *model_type, numel_str *name)
{
    if (!classes->n) return false;
    const char *comma = memchr(classes->p, ',', classes->n);
    size_t n = comma ? (size_t)(comma - classes->p) : classes->n, skip = n + (comma != NULL);
    const char *colon = memchr(classes->p, ':', n);
    size_t type = colon ? (size_t)(colon - classes->p) : n;
    *model_type = (numel_str){ classes->p, type };
    *name = colon ? text_span(colon + 1, colon + n - type) : (numel_str){ NULL, 0 };
    *classes = text_from(*classes, skip);
    return true;
}
