/*
 * zeros.h -- where a file holds nothing but zeros: the trace of a download that reserved its space and
 * stopped.
 *
 * No full read: the file system reports its holes (SEEK_HOLE). In addition, single pages are checked, the
 * last one and some spread over the data; from a zero page its run is followed outwards in doubling steps,
 * then bisected to the byte. A run that is not a hole is therefore zero at every checked page, not proven in
 * between.
 */
#ifndef NUMEL_CONTENT_ZEROS_H
#define NUMEL_CONTENT_ZEROS_H

#include "source/stream.h"

enum { ZERO_PAGE = 4096, ZERO_RUNS = 64 /* reported per file */ };

struct zero_run {
    uint64_t begin, end; /* in the file, to the byte */
    bool hole;           /* never written, according to the file system */
};

struct zero_runs {
    struct zero_run items[ZERO_RUNS]; /* sorted, disjoint */
    size_t count;
    uint64_t looked_at; /* bytes read */
};

/* Runs of at least a page in [from, to) of an open file. IO, CHANGED. */
NUMEL_MUST bool zeros_find(struct stream *s, uint64_t from, uint64_t to, struct zero_runs *out,
                           numel_error *e);

#endif
