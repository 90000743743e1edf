/* request.h -- one line from the parent (protocol.h). */
#ifndef NUMEL_FETCH_REQUEST_H
#define NUMEL_FETCH_REQUEST_H

#include "fetch/protocol.h"

#include "base/text.h"

struct request {
    bool list; /* else: read */
    uint32_t id;
    uint64_t offset, length;
    numel_str etag; /* empty: not pinned */
    numel_str url;
};

/* Reads a line without its newline; texts are slices of it. False if it is not a request. */
bool request_read(struct request *r, numel_str line);

#endif
