/*
 * hashes.h -- digests of whole files and of ranges in them, in as few passes as possible.
 *
 * Each file is a job: the digests wanted and, when the work is done, the results or the error. A
 * file is read once, from front to back; each block goes to the digest of the whole and to that of its range.
 * With more threads than files, whole and ranges are two passes in two threads instead: both run at the speed
 * of a digest, so the second finds in the system's cache what the first has read.
 *
 * For a zstd file the digest of the whole is that of the file as stored; ranges are of its content, which is
 * decompressed on the way, one such file at a time, to save memory.
 */
#ifndef NUMEL_CONTENT_HASHES_H
#define NUMEL_CONTENT_HASHES_H

#include "content/digest.h"
#include "source/stream.h"

#include "base/memory.h"

struct hash_range {
    uint64_t offset, bytes; /* inside the file, or its content */
    struct digest_value value;
};

struct hash_job {
    const char *path;
    bool sha256, git; /* of the whole: wanted */
    bool compressed;  /* the ranges are of the decompressed content */
    struct hash_range *ranges;
    size_t range_count; /* sorted by offset */

    struct digest_value whole, named; /* results: SHA-256, git */
    struct file_identity identity;
    bool resumed;      /* read by an earlier run, see resume.h */
    numel_error error; /* of this file alone */

    unsigned tasks; /* still to do */
};

/* False for NOMEM, when how->resume cannot be used, and when libcrypto is missing (IO); errors of a file are
 * in its job. Stopped work leaves STOPPED in unfinished jobs. */
NUMEL_MUST bool hashes_run(struct hash_job *jobs, size_t count, const numel_work *how,
                           const numel_allocator *m, numel_error *e);

#endif
