/* remote_head.h -- how long is the header of a file of which only the front was read? */
#ifndef NUMEL_READER_REMOTE_HEAD_H
#define NUMEL_READER_REMOTE_HEAD_H

#include "base/error.h"

struct remote_head {
    const uint8_t *p;
    uint64_t have, whole; /* bytes at p; of the file, or NUMEL_NOT_KNOWN */
    uint64_t bytes;       /* of the header; all of them if it is incomplete, or the file has none */
    uint64_t need;        /* bytes of the file that its reader needs; 0: no more */
};
/* Sets `bytes` and `need`. NOMEM. */
NUMEL_MUST bool remote_head_read(struct remote_head *h, const numel_options *, numel_error *);

#endif
