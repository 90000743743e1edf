/* remote_head.h -- what else of a file is needed for its header? */
#ifndef NUMEL_READER_REMOTE_HEAD_H
#define NUMEL_READER_REMOTE_HEAD_H

#include "source/source.h"

struct remote_head {
    const uint8_t *p;
    uint64_t have, whole;              /* bytes at p; of the file, or NUMEL_NOT_KNOWN */
    const struct source_piece *pieces; /* that were read elsewhere in the file */
    size_t piece_count;
    uint64_t bytes;    /* of the header; all of them if it is incomplete, or the file has none */
    uint64_t at, need; /* bytes that its reader needs, and where they begin; 0: no more */
    bool scattered;    /* the header is in all pieces: PyTorch */
};
/* Sets bytes, at, need and scattered. NOMEM. */
NUMEL_MUST bool remote_head_read(struct remote_head *h, const numel_options *, numel_error *);

#endif
