/* gguf_walk.c -- see gguf_walk.h. */
#include "gguf_walk.h"

#include <string.h>

struct walker {
    struct gguf_walk *w;
    const uint8_t *p;
    size_t n, at;
    bool failed;
};

static uint64_t number(struct walker *k, unsigned bytes, enum gguf_field_kind kind)
{
    uint64_t v = 0;
    if (k->failed || bytes > k->n - k->at) return k->failed = true, 0;
    for (unsigned i = 0; i < bytes; i++)
        v |= (uint64_t)k->p[k->at + i] << 8 * (k->w->big ? bytes - 1 - i : i);
    if (k->w->field_count < GGUF_WALK_FIELDS)
        k->w->fields[k->w->field_count++] =
            (struct gguf_field){ (uint32_t)k->at, (uint8_t)bytes, (uint8_t)kind };
    k->at += bytes;
    return v;
}

/* Returns where the string begins, and skips it. */
static size_t string(struct walker *k, size_t *bytes)
{
    uint64_t n = number(k, k->w->length_bytes, GGUF_LENGTH);
    size_t from = k->at;
    if (k->failed || n > k->n - k->at) return k->failed = true, *bytes = 0;
    k->at += (size_t)n;
    return *bytes = (size_t)n, from;
}

static void value(struct walker *k, uint64_t type, unsigned depth);

static void array(struct walker *k, unsigned depth)
{
    static const uint8_t widths[] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };
    uint64_t type = number(k, 4, GGUF_NUMBER), count = number(k, k->w->length_bytes, GGUF_COUNT);
    if (k->failed || type > 12 || depth > 64 || count > k->n) {
        k->failed = true;
    } else if (widths[type]) {
        if (count * widths[type] > k->n - k->at) k->failed = true;
        else k->at += (size_t)count * widths[type];
    } else {
        for (uint64_t i = 0; i < count && !k->failed; i++) value(k, type, depth + 1);
    }
}

static void value(struct walker *k, uint64_t type, unsigned depth)
{
    static const uint8_t widths[] = { 1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8 };
    size_t n;
    if (type > 12) k->failed = true;
    else if (type == 8) string(k, &n);
    else if (type == 9) array(k, depth);
    else number(k, widths[type], GGUF_NUMBER);
}

uint64_t gguf_walk_hash(const void *name, size_t n)
{
    const uint8_t *p = name;
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 0x100000001b3;
    return h;
}

static void tensor(struct walker *k)
{
    size_t n, from = string(k, &n);
    uint64_t dims = number(k, 4, GGUF_COUNT), elements = 1;
    if (dims > 64) k->failed = true;
    for (uint64_t i = 0; i < dims && !k->failed; i++) elements *= number(k, k->w->length_bytes, GGUF_NUMBER);
    number(k, 4, GGUF_NUMBER);
    number(k, 8, GGUF_NUMBER);
    if (k->failed) return;
    k->w->elements += elements;
    k->w->name_hash += gguf_walk_hash(k->p + from, n);
}

static void record(struct walker *k, bool is_tensor)
{
    struct gguf_walk *w = k->w;
    size_t from = k->at, bytes;
    if (is_tensor) tensor(k);
    else string(k, &bytes), value(k, number(k, 4, GGUF_NUMBER), 0);
    if (!k->failed && w->record_count < GGUF_WALK_RECORDS)
        w->records[w->record_count++] = (struct gguf_record){ (uint32_t)from, (uint32_t)k->at };
    w->end = k->failed ? from : k->at;
}

bool gguf_walk(struct gguf_walk *w, const uint8_t *p, size_t n)
{
    struct walker k = { .w = w, .p = p, .n = n, .at = 4 };
    w->field_count = w->record_count = w->end = 0;
    w->tensors = w->pairs = w->elements = w->name_hash = 0;
    w->big = false;
    w->length_bytes = 8;
    if (n < 8 || n > UINT32_MAX) return false;
    w->big = p[4] == 0 && p[5] == 0 && (p[6] || p[7]);
    uint64_t version = number(&k, 4, GGUF_NUMBER);
    w->length_bytes = version == 1 ? 4 : 8;
    w->tensors = number(&k, w->length_bytes, GGUF_COUNT);
    w->pairs = number(&k, w->length_bytes, GGUF_COUNT);
    w->end = k.at;
    for (uint64_t i = 0; i < w->pairs && !k.failed; i++) record(&k, false);
    for (uint64_t i = 0; i < w->tensors && !k.failed; i++) record(&k, true);
    return !k.failed;
}
