/*
 * header.h -- values of HTTP headers. A server chooses them, so anything unusual is rejected.
 */
#ifndef NUMEL_FETCH_HEADER_H
#define NUMEL_FETCH_HEADER_H

#include "fetch/protocol.h"

#include "base/text.h"

struct header_range {
    bool satisfied;       /* false for the unsatisfied form of a 416, without `first` and `last` */
    uint64_t first, last; /* inclusive; last is below size */
    uint64_t size;        /* SIZE_UNKNOWN for "*" */
};

/* Content-Range, "bytes 0-65535/4976698672". */
bool header_range(struct header_range *r, numel_str value);
/* The opaque tag of an ETag, without W/ and quotes, a slice of the value; empty if missing, or not
 * fit for the protocol. */
numel_str header_etag(numel_str value);
/* True if it may stand in If-Range: a strong ETag with its quotes. */
bool header_etag_strong(numel_str value);
/* The target of the first link with rel="next" in a Link header (RFC 8288); empty if not found. */
numel_str header_link_next(numel_str value);
/* The seconds until a limit is lifted: "api";r=0;t=55 of a RateLimit header; 0 if not stated. */
uint64_t header_limit_wait(numel_str value);

#endif
