/*
 * pipe.h -- standard input, or a FIFO that the user names: read from the front, once, as far as needed.
 *
 * The bytes read are kept, so a second open starts at the front. Never waits for more than is needed: a
 * writer may send a header and pause before the weights.
 */
#ifndef NUMEL_SOURCE_PIPE_H
#define NUMEL_SOURCE_PIPE_H

#include "base/memory.h"

struct pipe {
    const numel_allocator *memory;
    uint8_t *p; /* read so far */
    uint64_t n, room;
    int descriptor; /* -1: closed */
    bool ended, standard;
};

/* "-" is standard input. *is: a pipe, or a socket as standard input; otherwise nothing was opened, and the
 * caller handles a file or a missing one. IO. */
NUMEL_MUST bool pipe_open(struct pipe *p, const char *path, bool *is, const numel_allocator *, numel_error *);
/* Waits for `least` bytes or the end, and takes what has already arrived, up to `most`. TRUNCATED or IO if it
 * ends before its first byte. */
NUMEL_MUST bool pipe_fill(struct pipe *p, uint64_t least, uint64_t most, numel_error *);
void pipe_close(struct pipe *p);

#endif
