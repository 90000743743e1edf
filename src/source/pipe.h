/*
 * pipe.h -- standard input, or a FIFO that the user names: read from the front, once, as far as somebody asks.
 *
 * What was read stays, so that whoever opens it again begins at its front. Nobody waits for more than is needed: a
 * writer that has sent a header, and thinks before it sends the weights, is not waited for.
 */
#ifndef NUMEL_SOURCE_PIPE_H
#define NUMEL_SOURCE_PIPE_H

#include "base/memory.h"

struct pipe {
    const numel_allocator *memory;
    uint8_t *p; /* what has come so far */
    uint64_t n, room;
    int descriptor; /* -1 when it is closed */
    bool ended, standard;
};

/* "-" is standard input. *is: it is a pipe, or a socket as standard input; else nothing was opened, and a file or
 * what is none is the caller's business. IO. */
NUMEL_MUST bool pipe_open(struct pipe *p, const char *path, bool *is, const numel_allocator *, numel_error *);
/* Waits until `least` bytes are there or it ended, and takes what else has come already, up to `most`. TRUNCATED or IO
 * when it ends before its first byte. */
NUMEL_MUST bool pipe_fill(struct pipe *p, uint64_t least, uint64_t most, numel_error *);
void pipe_close(struct pipe *p);

#endif
