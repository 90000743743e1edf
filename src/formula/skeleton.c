/* skeleton.c -- see skeleton.h. */
#include "formula/skeleton.h"

#include "formula/lookup.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a of 32 bits, folded to 30, as mkskeletons.py makes it. A number between dots is "#". */
static uint32_t digest(numel_str name)
{
    uint32_t h = 0x811C9DC5u;
    for (size_t i = 0; i < name.n;) {
        size_t end = i;
        bool starts = i == 0 || name.p[i - 1] == '.';
        while (starts && end < name.n && name.p[end] >= '0' && name.p[end] <= '9') end++;
        bool number = end > i && (end == name.n || name.p[end] == '.');
        h = (h ^ (unsigned char)(number ? '#' : name.p[i])) * 0x01000193u;
        i = number ? end : i + 1;
    }
    return (h ^ h >> 30) & 0x3FFFFFFFu;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* A number with an underscore beside it is a part of the name. */
static uint32_t digests_of(const struct registry *r, uint32_t *out)
{
    uint32_t n = 0;
    for (size_t i = 0; i < r->patterns.count; i++)
        if (r->patterns.items[i].dotted) out[n++] = digest(r->patterns.items[i].sample);
    for (size_t i = 0; i < r->count; i++)
        if (!registry_pattern(r, i)->dotted) out[n++] = digest(r->tensors[i].name);
    return n;
}

/* The lowest of the file's digests, each once, in their order. Gives their number. */
static uint32_t lowest_of(uint32_t *all, uint32_t count)
{
    uint32_t n = 0;
    if (count) qsort(all, count, sizeof *all, ascending);
    for (uint32_t i = 0; i < count && n < SKELETON_NAMES; i++)
        if (n == 0 || all[i] != all[n - 1]) all[n++] = all[i];
    return n;
}

/* Is a more like the file than b? */
static bool is_closer(const struct skeleton *a, const struct skeleton *b)
{
    return (uint64_t)a->common * b->names > (uint64_t)b->common * a->names;
}

/* In its place among the best; of those that are as close the earlier comes first. */
static void enter(struct skeleton *out, unsigned room, unsigned *count, const struct skeleton *s)
{
    unsigned at = *count < room ? (*count)++ : room;
    while (at > 0 && is_closer(s, &out[at - 1])) {
        if (at < room) out[at] = out[at - 1];
        at--;
    }
    if (at < room) out[at] = *s;
}

/* How many names of the file each line has, to be released, and in *n how many the file has; NULL: NOMEM. */
NUMEL_MUST static uint32_t *count_common(const struct registry *r, uint32_t *n, numel_error *e)
{
    size_t room = embedded_told_count + r->patterns.count + r->count;
    uint32_t *common = memory_resize(r->memory, NULL, room * sizeof *common);
    if (!common) return error_nomem(e), NULL;
    uint32_t *own = common + embedded_told_count;
    memset(common, 0, embedded_told_count * sizeof *common);
    *n = lowest_of(own, digests_of(r, own));
    for (uint32_t i = 0; i < *n; i++) {
        const uint16_t *lines;
        uint32_t count = lookup_told(TOLD_NAMES, own[i], &lines);
        for (uint32_t k = 0; k < count; k++) common[lines[k]]++;
    }
    return common;
}

/* Of the lines between two numbers those that are like the file. */
NUMEL_MUST static bool find(const struct registry *r, uint32_t from, uint32_t to,
                            bool (*is_like)(const struct skeleton *), struct skeleton *out, unsigned room,
                            unsigned *count, numel_error *e)
{
    uint32_t n = 0, *common = count_common(r, &n, e);
    *count = 0;
    for (uint32_t i = from; common && i < to; i++) {
        const struct embedded_told *line = &embedded_told[i];
        numel_str text = { embedded_text + line->text, line->bytes };
        struct skeleton s = { text, common[i], n + line->names };
        if (!s.common || !is_like(&s)) continue;
        s.classes = text_word(&text);
        enter(out, room, count, &s);
    }
    memory_release(r->memory, common);
    return common != NULL;
}

static bool is_half(const struct skeleton *s) { return s->common * 4 > s->names; }

bool skeleton_find(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                   numel_error *e)
{
    return find(r, 0, embedded_told_classes, is_half, out, room, count, e);
}

/* Nine of ten names, or, where they are few, all but one on either side. */
static bool is_told(const struct skeleton *s)
{
    return s->common * 20 >= s->names * 9 || (s->common > 1 && s->common * 2 + 2 >= s->names);
}

bool skeleton_find_tabled(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                          numel_error *e)
{
    return find(r, embedded_told_classes, embedded_told_count, is_told, out, room, count, e);
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
