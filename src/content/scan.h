/*
 * scan.h -- counts values in raw tensor data that are not proper numbers: one row per type.
 *
 * A unit is the scanner's step: an element, or a block of a GGUF type. For plain types it counts elements:
 * NaN, infinities of either sign, zeros of either sign; for block types, scales (d, dmin, m, the exponent of
 * MX blocks) that are NaN or infinite, which makes the whole block so, and elements of blocks whose scales
 * are all zero. Counts are exact; a caller may scan in pieces of whole units and add them up.
 *
 * Special values by type: FNUZ types have one NaN (0x80) and no infinity, E4M3 (FN) NaN as 0x7f and 0xff and
 * no infinity, E8M0 NaN as 0xff and no zero; integers and F4, F6 have only zeros.
 */
#ifndef NUMEL_CONTENT_SCAN_H
#define NUMEL_CONTENT_SCAN_H

#include <numel.h>

struct scan_counts {
    uint64_t nan, infinite, zero;       /* elements */
    uint64_t scale_nan, scale_infinite; /* scales of blocks */
};

struct scanner {
    const char *type;  /* its name in the table of types */
    uint32_t bytes;    /* of a unit */
    uint32_t elements; /* of a unit */
    bool scales;       /* a block type: nan and infinite stay 0; see the scales */
    uint8_t swaps;     /* bytes to reverse in a big-endian file; 0: not scanned */
    void (*scan)(const struct scanner *s, const uint8_t *p, size_t units, struct scan_counts *c);
    /* block types: where the scales are */
    uint8_t scale_form, scale_count;
    uint16_t scale_at;
};

/* The row of that type; NULL: cannot be scanned. */
const struct scanner *scan_find(const numel_dtype *type);
size_t scan_count(void);
const struct scanner *scan_at(size_t i);

#endif
