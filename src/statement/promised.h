/*
 * promised.h -- what an index of which no shard is here comes to: its names against those of the formula, its total_size against
 * what their shapes make in the type of the configuration.
 */
#ifndef NUMEL_STATEMENT_PROMISED_H
#define NUMEL_STATEMENT_PROMISED_H

#include "reader/declared.h"
#include "statement/handle.h"

/* NONE: there is no total, or nothing says how many bytes there should be. */
enum promised_size { PROMISED_NONE, PROMISED_FITS, PROMISED_OFF };

struct promised {
    uint64_t names, unexpected, missing;
    uint64_t elements, buffers,
        counters;            /* of the names; of those the buffers, of floats and of whole numbers */
    uint64_t unsized;        /* names whose shape nothing tells */
    const numel_dtype *type; /* of the configuration; NULL: it names none, or they are quantized */
    uint64_t bytes;          /* of the elements in it, without buffers; NUMEL_NOT_KNOWN */
    struct declared total;
    enum promised_size size;
    const char *text; /* "291 of 291 names expected; total_size 13,476,831,232 = 6,738,415,616 x 2" */
};

/* Of a ready model with a formula, whose checkpoint is `named`; `text` is of the arena. NOMEM. */
NUMEL_MUST bool promised_make(struct promised *p, const struct model *m, struct arena *a, numel_error *e);

#endif
