/*
 * promised.h -- checks an index without its shards: its names against those of the formula, and its
 * total_size against the bytes of their shapes in the configuration's type.
 */
#ifndef NUMEL_STATEMENT_PROMISED_H
#define NUMEL_STATEMENT_PROMISED_H

#include "reader/declared.h"
#include "statement/handle.h"

/* NONE: there is no total, or the expected size is unknown. */
enum promised_size { PROMISED_NONE, PROMISED_FITS, PROMISED_OFF };

struct promised {
    uint64_t names, unexpected, missing;
    uint64_t elements, buffers,
        counters;            /* of the named tensors: without buffers; in float buffers; in integer buffers */
    uint64_t unsized;        /* number of names with unknown shapes */
    const numel_dtype *type; /* the configuration's type; NULL: not stated, or quantized */
    uint64_t bytes;          /* elements in that type, without buffers; or NUMEL_NOT_KNOWN */
    struct declared total;
    enum promised_size size;
    const char *text; /* "291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2" */
};

/* Needs a ready model with a formula, whose checkpoint is `named`. `text` is in the arena. NOMEM. */
NUMEL_MUST bool promised_make(struct promised *p, const struct model *m, struct arena *a, numel_error *e);

#endif
