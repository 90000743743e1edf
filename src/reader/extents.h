/*
 * extents.h -- accounts for every byte of a file.
 *
 *     | header | padding | tensor | padding or gap | tensor | ... | trailing |
 *
 * Once a header is read, the tensors' ranges are mapped onto the file: each byte is header, data,
 * padding required by alignment, a gap, or trailing. Whatever does not fit (two tensors on one
 * byte, data past the end) is counted separately and reported by a finding.
 */
#ifndef NUMEL_READER_EXTENTS_H
#define NUMEL_READER_EXTENTS_H

#include "reader/reader.h"

/* Orders the file's tensors by offset: indices into the registry, in r->registry's memory, freed by
 * extents_done(). */
struct extents {
    uint32_t *order; /* NULL: in listed order, from `first` on, contiguous from data_start on */
    size_t first, count;
    uint64_t end; /* then: of the last one, relative to data_start */
    bool sorted;  /* the header listed them in offset order */
    const numel_allocator *memory;
};

NUMEL_MUST bool extents_order(struct extents *l, struct reading *r);
/* For tensors known to be contiguous, `end` bytes in total: allocates nothing and needs no extents_done(). */
struct extents extents_tiled(const struct reading *r, uint64_t end);
void extents_done(struct extents *l);
/* Fills data_bytes, padding, gaps, overlap, trailing, missing, data, bytes of r->file. Offset
 * plus bytes must not overflow. alignment 1: no padding between tensors. */
void extents_account(const struct extents *l, struct reading *r, uint64_t alignment);
/* One finding for missing data: "301,989,888 bytes short: tensors 'a' to 'b' (12) lie past the
 * end". Severity as in the format's reference. */
void extents_missing(const struct extents *l, struct reading *r);

#endif
