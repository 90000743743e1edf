/* skeleton.c -- see skeleton.h. A pass over the table costs some 50,000 steps, which no index is needed for. */
#include "formula/skeleton.h"

#include "formula/embedded.h"

#include <stdlib.h>
#include <string.h>

enum { LETTERS = 5 };

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

static uint32_t value_of(char letter)
{
    if (letter >= 'a') return (uint32_t)(letter - 'a') + 36;
    if (letter >= 'A') return (uint32_t)(letter - 'A') + 10;
    return letter == '+' ? 62 : letter == '-' ? 63 : (uint32_t)(letter - '0');
}

static uint32_t number_at(const char *letters)
{
    uint32_t n = 0;
    for (int i = 0; i < LETTERS; i++) n = n << 6 | value_of(letters[i]);
    return n;
}

static bool has_digest(numel_str line, uint32_t wanted)
{
    size_t low = 0, high = line.n / LETTERS;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t x = number_at(line.p + middle * LETTERS);
        if (x == wanted) return true;
        if (x < wanted) low = middle + 1;
        else high = middle;
    }
    return false;
}

enum { LOOKED_UP = 8 }; /* digests of a file: fewer are looked up in a line, more are merged with it */

/* How many digests both have; both in their order. */
static uint32_t common_with(numel_str line, const uint32_t *own, uint32_t count)
{
    uint32_t n = 0, k = 0;
    if (count < LOOKED_UP) {
        while (k < count) n += has_digest(line, own[k++]);
        return n;
    }
    for (size_t i = 0; i + LETTERS <= line.n && k < count; i += LETTERS) {
        uint32_t x = number_at(line.p + i);
        while (k < count && own[k] < x) k++;
        n += k < count && own[k] == x;
    }
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

/* The digests of a file, to be released; NULL: NOMEM. */
NUMEL_MUST static uint32_t *own_digests(const struct registry *r, uint32_t *n, numel_error *e)
{
    uint32_t *own = memory_resize(r->memory, NULL, (r->patterns.count + r->count + 1) * sizeof *own);
    if (own) *n = lowest_of(own, digests_of(r, own));
    else error_nomem(e);
    return own;
}

static struct skeleton held(numel_str classes, numel_str letters, const uint32_t *own, uint32_t n)
{
    return (struct skeleton){ classes, common_with(letters, own, n), n + (uint32_t)(letters.n / LETTERS) };
}

bool skeleton_find(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                   numel_error *e)
{
    numel_str rest = { embedded_text + embedded_skeletons, embedded_skeletons_bytes };
    uint32_t n = 0, *own = own_digests(r, &n, e);
    *count = 0;
    while (own && rest.n) {
        numel_str line = text_line(&rest), classes = text_word(&line);
        struct skeleton s = held(classes, text_word(&line), own, n);
        if (s.common * 4 > s.names) enter(out, room, count, &s);
    }
    memory_release(r->memory, own);
    return own != NULL;
}

/* Nine of ten names, or, where they are few, all but one on either side. */
static bool is_told(const struct skeleton *s)
{
    return s->common * 20 >= s->names * 9 || (s->common > 1 && s->common * 2 + 2 >= s->names);
}

bool skeleton_find_tabled(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                          numel_error *e)
{
    static const char key[] = "names=\"";
    uint32_t n = 0, *own = own_digests(r, &n, e);
    *count = 0;
    for (uint32_t i = 0; own && i < embedded_default_count; i++) {
        numel_str line = { embedded_text + embedded_defaults[i].text, embedded_defaults[i].bytes };
        numel_str name = text_word(&line), word = name;
        if (!text_starts(name, "original/")) continue;
        while (word.n && !text_starts(word, key)) word = text_word(&line);
        if (!word.n) continue;
        struct skeleton s = held(name, text_less(text_from(word, sizeof key - 1), 1), own, n);
        if (is_told(&s)) enter(out, room, count, &s);
    }
    memory_release(r->memory, own);
    return own != NULL;
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
