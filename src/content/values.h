/*
 * values.h -- the contents of tensors: counts values that are not proper numbers over a whole checkpoint, in
 * several threads.
 *
 * The data of a file is cut into pieces of whole units (scan.h), pieces are gathered into tasks of some
 * megabytes, and each task adds its counts to its tensors' sums, which are exact. A file that changes between
 * the reading of its header and the last task has no counts.
 */
#ifndef NUMEL_CONTENT_VALUES_H
#define NUMEL_CONTENT_VALUES_H

#include "content/scan.h"

#include "base/memory.h"
#include "source/stream.h"

enum value_state {
    VALUE_SCANNED,
    VALUE_TYPE,       /* no row in scan.h: an unknown type, a fork's */
    VALUE_ABSENT,     /* incomplete: cut off, or left out of a header-only copy */
    VALUE_APART,      /* its elements are not one range: joined slices, strides */
    VALUE_COMPRESSED, /* zstd is read only from its front */
    VALUE_SWAPPED,    /* blocks of a big-endian file */
    VALUE_UNREADABLE  /* see the file's error */
};

struct tensor_values {
    enum value_state state;
    struct scan_counts counts;
};

struct values {
    struct tensor_values *tensors; /* numbered as the checkpoint's */
    numel_error *files;            /* for each file: why it could not be read */
    bool stopped;
};

/* The input: the files and tensors of a checkpoint, whose ranges and numbers refer to each other. */
struct values_input {
    const numel_file *files;
    size_t file_count;
    const numel_tensor *tensors;
    size_t tensor_count;
};

/* In the arena. NOMEM. */
NUMEL_MUST bool values_run(struct values *v, const struct values_input *in, const numel_work *how,
                           struct arena *a, numel_error *e);

#endif
