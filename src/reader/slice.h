/*
 * slice.h -- some tensors of a checkpoint as a separate checkpoint, under other names.
 *
 * It borrows names, dims and metadata of the whole, which must outlive it. It has the same files, of which
 * only the bytes of its tensors count, and no folder with a configuration.
 */
#ifndef NUMEL_READER_SLICE_H
#define NUMEL_READER_SLICE_H

#include "reader/checkpoint.h"

struct slice {
    const numel_checkpoint *whole;
    const uint32_t *part;   /* of each tensor of the whole; */
    uint32_t wanted;        /* the part whose tensors are taken, */
    const numel_str *names; /* under these names */
    const char *name;       /* of the part; in memory that outlives the slice */
};

/* NOMEM; DUPLICATE: two of its tensors have the same name. */
NUMEL_MUST bool checkpoint_slice(numel_checkpoint **out, const struct slice *, numel_error *);

#endif
