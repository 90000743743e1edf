/*
 * extents.h -- every byte of a file explained.
 *
 *     | header | padding | tensor | padding or gap | tensor | ... | trailing |
 *
 * Once a header is read, the tensors' ranges are laid over the file: each byte is header, data,
 * padding that alignment asks for, a gap that nothing asks for, or trailing. What does not fit that
 * picture (two tensors on one byte, data past the end) is counted apart and reported by a finding.
 */
#ifndef NUMEL_READER_EXTENTS_H
#define NUMEL_READER_EXTENTS_H

#include "reader/reader.h"

/* Orders the file's tensors by offset: indices into the registry, in r->registry's memory, freed by
 * extents_done(). */
struct extents {
    uint32_t
        *order; /* NULL: as they are listed, from `first` on, one right behind the other from data_start on */
    size_t first, count;
    uint64_t end; /* then: of the last one, from data_start on */
    bool sorted;  /* the header listed them in the order of their offsets */
    const numel_allocator *memory;
};

NUMEL_MUST bool extents_order(struct extents *l, struct reading *r);
/* Of tensors that are known to lie so, `end` bytes together: nothing is allocated, nothing need be done. */
struct extents extents_tiled(const struct reading *r, uint64_t end);
void extents_done(struct extents *l);
/* Fills data_bytes, padding, gaps, overlap, trailing, missing, data, bytes of r->file. Offsets and
 * bytes must not overflow together. alignment 1: no padding between tensors. */
void extents_account(const struct extents *l, struct reading *r, uint64_t alignment);
/* One finding for data that is not there: "301,989,888 bytes short: tensors 'a' to 'b' (12) lie
 * past the end". Severity as the format's reference has it. */
void extents_missing(const struct extents *l, struct reading *r);

#endif
