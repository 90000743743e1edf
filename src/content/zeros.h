/*
 * zeros.h -- where a file holds nothing but zeros: what a download leaves that set its space aside
 * and stopped.
 *
 * No full read: the file system is asked for its holes (SEEK_HOLE); beside them single pages are
 * looked at, the last one and some spread over the data, and where one is zero its run is followed
 * outwards in steps that double, then halved back to the byte. A run that is not a hole is therefore
 * zero at every page that was looked at, not proven in between.
 */
#ifndef NUMEL_CONTENT_ZEROS_H
#define NUMEL_CONTENT_ZEROS_H

#include "source/stream.h"

enum { ZERO_PAGE = 4096, ZERO_RUNS = 64 /* that are reported of one file */ };

struct zero_run {
    uint64_t begin, end; /* of the file, to the byte */
    bool hole;           /* never written, says the file system */
};

struct zero_runs {
    struct zero_run items[ZERO_RUNS]; /* in their order, apart from each other */
    size_t count;
    uint64_t looked_at; /* bytes read */
};

/* Runs of at least a page in [from, to) of an open file. IO, CHANGED. */
NUMEL_MUST bool zeros_find(struct stream *s, uint64_t from, uint64_t to, struct zero_runs *out,
                           numel_error *e);

#endif
