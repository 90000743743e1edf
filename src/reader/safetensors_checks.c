/*
 * safetensors_checks.c -- checks 6 to 10 of the reference: all at once, which only shows whether a tensor
 * passes, and one by one over a whole file, which reports what is wrong and where.
 */
#include "reader/safetensors_internal.h"

#include "base/num.h"
#include "base/text.h"

/* Multiplies from left to right; false if it does not fit. */
bool safetensors_elements(numel_tensor *t)
{
    bool fits = true;
    t->elements = 1;
    for (uint32_t i = 0; fits && i < t->ndim; i++) fits = num_mul(&t->elements, t->elements, t->dims[i]);
    return fits;
}

/* ---- all at once -------------------------------------------------------------------------- */

/* True if the tensor's elements take exactly `bytes`, and their number of bits fits in 64 bits. */
static inline bool spans(const numel_tensor *t, uint64_t bytes)
{
    const numel_dtype *d = t->dtype;
    uint64_t needed, blocks = t->elements;
    if (d->block_elements == 1)
        return num_mul(&needed, blocks, (uint64_t)d->block_bytes * 8) && needed / 8 == bytes;
    blocks /= d->block_elements; /* F4 and F6: few in any model */
    return num_mul(&needed, t->elements, (uint64_t)d->block_bytes * 8 / d->block_elements) &&
           t->elements % d->block_elements == 0 && blocks * d->block_bytes == bytes;
}

bool safetensors_in_order(const struct reading *r, numel_tensor *t, const struct reading_entry *e,
                          uint64_t *expected)
{
    uint64_t end, start = r->file->data_start;
    if (e->begin != *expected || e->end < e->begin || !num_add(&end, start, e->end) ||
        t->dtype->standing == NUMEL_UNKNOWN)
        return false;
    t->offset = start + e->begin;
    t->bytes = e->end - e->begin;
    *expected = e->end;
    return spans(t, t->bytes);
}

/* ---- one by one --------------------------------------------------------------------------- */

/* 6: offsets follow each other without holes, the first is 0. */
static void check_place(struct reading *r, const numel_tensor *t, const struct reading_entry *e,
                        uint64_t expected)
{
    if (e->end < e->begin)
        reading_find(r, FINDING_OFFSET_REVERSED, t->name, e->at,
                     "data_offsets begin at %" PRIu64 " and end before, at %" PRIu64, e->begin, e->end);
    else if (e->begin < expected || (e->begin > expected && !r->gaps_known))
        reading_find(r, e->begin > expected ? FINDING_OFFSET_HOLE : FINDING_OFFSET_OVERLAP, t->name, e->at,
                     "data_offsets begin at %" PRIu64 ", but the previous data ends at %" PRIu64, e->begin,
                     expected);
}

/* 7: the product of dims, and its bits, fit in 64 bits. */
NUMEL_MUST static bool check_product(struct reading *r, numel_tensor *t, const struct reading_entry *e)
{
    char name[TEXT_QUOTE], dims[TEXT_QUOTE];
    uint64_t bits = (uint64_t)t->dtype->block_bytes * 8 / t->dtype->block_elements, product;
    bool fits = safetensors_elements(t);
    if (fits && num_mul(&product, t->elements, bits)) return true;
    return error_set(r->error, NUMEL_E_OVERFLOW, e->at, "tensor %s: the %s of shape %s do not fit in 64 bits",
                     text_quote(name, t->name), fits ? "bits" : "elements",
                     text_dims(dims, t->dims, t->ndim));
}

/* 8: whole bytes (F4, F6). 9: the size that the offsets span. */
static void check_size(struct reading *r, const numel_tensor *t, const struct reading_entry *e)
{
    const numel_dtype *d = t->dtype;
    char dims[TEXT_QUOTE];
    if (d->standing == NUMEL_UNKNOWN) {
        reading_find(r, FINDING_TYPE_UNKNOWN, t->name, e->at,
                     "dtype %s is not one of the format's 22; %" PRIu64
                     " elements counted, bytes taken from data_offsets",
                     d->name, t->elements);
        return;
    }
    uint64_t blocks = t->elements / d->block_elements, rest = t->elements % d->block_elements;
    if (rest)
        reading_find(r, FINDING_SIZE_MISALIGNED, t->name, e->at,
                     "%" PRIu64 " elements of %s are not a whole number of bytes", t->elements, d->name);
    else if (t->bytes != blocks * d->block_bytes)
        reading_find(r, FINDING_SIZE_MISMATCH, t->name, e->at,
                     "data_offsets span %" PRIu64 " bytes, shape %s of %s needs %" PRIu64, t->bytes,
                     text_dims(dims, t->dims, t->ndim), d->name, blocks * d->block_bytes);
}

/* Offsets from the start of the file; they must not wrap. */
bool safetensors_place(struct reading *r)
{
    size_t first = (size_t)r->file->first_tensor, n = r->registry->count - first;
    char name[TEXT_QUOTE];
    for (size_t i = 0; i < n; i++) {
        struct reading_entry *e = &r->entries[i];
        numel_tensor *t = &r->registry->tensors[first + i];
        uint64_t end, far = num_max(e->begin, e->end);
        if (!num_add(&end, r->file->data_start, far)) {
            if (!reading_refuse(r, FINDING_OFFSET_RANGE, NUMEL_E_RANGE, t->name, e->at,
                                "tensor %s: data_offsets reach %" PRIu64 ", past any file",
                                text_quote(name, t->name), far))
                return false;
            *e = (struct reading_entry){ .at = e->at, .odd = true };
            r->gaps_known = true;
        }
        t->offset = r->file->data_start + e->begin;
        t->bytes = e->end > e->begin ? e->end - e->begin : 0;
        if (t->dtype->standing == NUMEL_UNKNOWN) t->flags |= NUMEL_BYTES_INFERRED;
    }
    return true;
}

bool safetensors_check(struct reading *r, const struct extents *l)
{
    uint64_t expected = 0;
    for (size_t i = 0; i < l->count; i++) {
        numel_tensor *t = &r->registry->tensors[l->order[i]];
        const struct reading_entry *e = &r->entries[l->order[i] - r->file->first_tensor];
        check_place(r, t, e, expected);
        bool fits = check_product(r, t, e);
        if (!fits && !reading_forgive(r, FINDING_SHAPE_OVERFLOW, t->name)) return false;
        if (!fits) t->elements = 0;
        else if (!e->odd) check_size(r, t, e);
        expected = e->end;
    }
    return true;
}

/* 10: the last tensor ends where the file ends. */
static void check_end(struct reading *r, const struct extents *l)
{
    const numel_file *f = r->file;
    char n[TEXT_NUMBER];
    if (f->missing && r->total_known) extents_missing(l, r);
    if (f->trailing && !r->gaps_known)
        reading_find(r, FINDING_TRAILING_REFUSED, NO_TENSOR, f->bytes - f->trailing,
                     "%s bytes follow the last tensor: it ends at %" PRIu64 ", the file at %" PRIu64,
                     text_number(n, f->trailing), f->bytes - f->trailing, f->bytes);
}

void safetensors_account(struct reading *r, const struct extents *l)
{
    extents_account(l, r, 1);
    check_end(r, l);
}
