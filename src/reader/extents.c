/*
 * extents.c -- one sweep over the tensors in offset order: bytes between two of them are padding as far
 * as alignment requires, else a gap; one that begins before the last end overlaps.
 */
#include "reader/extents.h"

#include "base/num.h"
#include "base/text.h"
#include "reader/piece.h"

#include <stdlib.h>

struct place {
    uint64_t offset, bytes;
    uint32_t index;
};

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes < y->bytes ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool already_sorted(const numel_tensor *t, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (t[i].offset < t[i - 1].offset || (t[i].offset == t[i - 1].offset && t[i].bytes < t[i - 1].bytes))
            return false;
    return true;
}

struct extents extents_tiled(const struct reading *r, uint64_t end)
{
    size_t first = (size_t)r->file->first_tensor;
    return (struct extents){ .first = first,
                             .count = r->registry->count - first,
                             .end = end,
                             .sorted = true,
                             .memory = r->registry->memory };
}

bool extents_order(struct extents *l, struct reading *r)
{
    *l = extents_tiled(r, 0);
    size_t first = l->first, n = l->count;
    const numel_tensor *t = registry_from(r->registry, first);
    l->sorted = already_sorted(t, n);
    if (n == 0) return true;
    l->order = memory_resize(l->memory, NULL, n * sizeof *l->order);
    if (!l->order) return error_nomem(r->error);
    for (size_t i = 0; i < n; i++) l->order[i] = (uint32_t)(first + i);
    if (l->sorted) return true;
    struct place *places = memory_resize(l->memory, NULL, n * sizeof *places);
    if (!places) {
        extents_done(l);
        return error_nomem(r->error);
    }
    for (size_t i = 0; i < n; i++)
        places[i] = (struct place){ t[i].offset, t[i].bytes, (uint32_t)(first + i) };
    qsort(places, n, sizeof *places, by_place);
    for (size_t i = 0; i < n; i++) l->order[i] = places[i].index;
    memory_release(l->memory, places);
    return true;
}

void extents_done(struct extents *l)
{
    memory_release(l->memory, l->order);
    *l = (struct extents){ .memory = l->memory };
}

/* Counts as padding those bytes between two places that alignment requires: GGUF writers pad the last tensor
 * too. Returns the number of the other bytes. */
static uint64_t account_padding(numel_file *f, uint64_t from, uint64_t to, uint64_t alignment)
{
    uint64_t aligned, pad = num_align(&aligned, from, alignment) ? num_min(aligned, to) - from : 0;
    f->padding += pad;
    return to - from - pad;
}

/* The i-th in the order. */
static const numel_tensor *tensor_at(const struct extents *l, const struct reading *r, size_t i)
{
    return &r->registry->tensors[l->order ? l->order[i] : l->first + i];
}

/* Accounts for data from `offset` on, with everything before `at` done; returns the new `at`. */
static uint64_t account_data(numel_file *f, uint64_t at, uint64_t offset, uint64_t bytes, uint64_t size,
                             uint64_t alignment)
{
    uint64_t end = offset + bytes, from = num_max(offset, at);
    uint64_t to = num_min(end, size);
    if (bytes == 0) return at;
    if (offset < at && !num_add(&f->overlap, f->overlap, num_min(at, end) - offset))
        f->overlap =
            UINT64_MAX; /* sums one range per tensor; the other counters count each byte of the file once */
    if (num_min(from, size) > at) f->gaps += account_padding(f, at, num_min(from, size), alignment);
    if (to > from) f->data_bytes += to - from;
    if (end > num_max(from, size)) f->missing += end - num_max(from, size);
    return num_max(at, end);
}

void extents_account(const struct extents *l, struct reading *r, uint64_t alignment)
{
    numel_file *f = r->file;
    uint64_t size = r->total_known ? r->total : UINT64_MAX; /* a copy knows its original's size */
    uint64_t at = num_min(f->data_start, size);
    f->padding += at - num_min(f->header_bytes, at);
    f->missing = l->count ? f->data_start - at : 0;
    if (!l->order) at = account_data(f, at, f->data_start, l->end, size, alignment);
    for (size_t i = 0; l->order && i < l->count; i++) {
        const numel_tensor *t = tensor_at(l, r, i);
        at = account_data(f, at, t->offset, t->bytes, size, alignment);
    }
    f->size_known = r->total_known;
    f->bytes = r->total_known ? r->total : at;
    if (size == UINT64_MAX) size = f->bytes;
    if (size > at) f->trailing = account_padding(f, at, size, alignment);
    f->data = r->header_only && l->count ? NUMEL_DATA_ABSENT
              : f->missing == 0          ? NUMEL_DATA_PRESENT
              : f->data_bytes == 0       ? NUMEL_DATA_ABSENT
                                         : NUMEL_DATA_PARTIAL;
}

/* Reports a byte piece of a split file: the missing bytes are in the other pieces. */
static void tell_piece(struct reading *r)
{
    char text[PIECE_TEXT];
    struct piece p;
    if (!r->path || !piece_parse(path_base(r->path), &p)) return;
    piece_text(&p, text, sizeof text);
    reading_find(r, FINDING_FILE_PIECE, NO_TENSOR, NUMEL_NOWHERE, "this is %s", text);
}

void extents_missing(const struct extents *l, struct reading *r)
{
    const numel_file *f = r->file;
    const numel_tensor *first = NULL, *last = NULL;
    char a[TEXT_QUOTE], b[TEXT_QUOTE], n[TEXT_NUMBER], count[TEXT_NUMBER];
    uint64_t hit = 0;
    tell_piece(r);
    for (size_t i = 0; i < l->count; i++) {
        const numel_tensor *t = tensor_at(l, r, i);
        if (t->bytes == 0 || num_inside(t->offset, t->bytes, r->total)) continue;
        first = first ? first : t;
        last = t;
        hit++;
    }
    if (!first) {
        if (f->missing)
            reading_find(r, FINDING_DATA_MISSING, NO_TENSOR, r->total,
                         "the data should begin at %" PRIu64 ", the file ends at %" PRIu64, f->data_start,
                         r->total);
        return;
    }
    /* to the reference, a vocabulary or a test file; to verify, an interrupted download */
    bool absent = !f->data_bytes && f->format == NUMEL_GGUF && !r->lenient;
    text_number(n, f->missing);
    text_number(count, hit);
    if (hit == 1)
        reading_find(r, absent ? FINDING_DATA_ABSENT : FINDING_DATA_MISSING, first->name, r->total,
                     "%s bytes short: tensor %s ends at %" PRIu64 ", the file at %" PRIu64, n,
                     text_quote(a, first->name), first->offset + first->bytes, r->total);
    else
        reading_find(r, absent ? FINDING_DATA_ABSENT : FINDING_DATA_MISSING, first->name, r->total,
                     "%s bytes short: tensors %s to %s (%s) are past the end, the last one ends at %" PRIu64
                     ", the file at %" PRIu64,
                     n, text_quote(a, first->name), text_quote(b, last->name), count,
                     last->offset + last->bytes, r->total);
}
