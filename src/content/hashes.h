/*
 * hashes.h -- digests of whole files and of ranges in them, all in as few passes as can be.
 *
 * Each file is a job: what is wanted of it, and, when the work is done, what it came to or why not.
 * A file is read once, from front to back, its blocks going to the digest of the whole and to that
 * of the range they lie in. When there are more threads than files, whole and ranges are two
 * passes in two threads instead: both run at the speed of a digest, so that the second finds in
 * the system's cache what the first has read.
 *
 * Of a zstd file the digest of the whole is that of the file as it lies there; ranges are of its
 * content, which is decompressed in passing, one such file at a time, for the sake of memory.
 */
#ifndef NUMEL_CONTENT_HASHES_H
#define NUMEL_CONTENT_HASHES_H

#include "content/digest.h"
#include "source/stream.h"

#include "base/memory.h"

struct hash_range {
    uint64_t offset, bytes; /* inside the file, or of its content */
    struct digest_value value;
};

struct hash_job {
    const char *path;
    bool sha256, git; /* of the whole: wanted */
    bool compressed;  /* the ranges are of what zstd makes of it */
    struct hash_range *ranges;
    size_t range_count; /* in order of their offsets */

    struct digest_value whole, named; /* results: SHA-256, git */
    struct file_identity identity;
    bool resumed;      /* read by an earlier run, see resume.h */
    numel_error error; /* of this file; what else was asked for is none of its business */

    unsigned tasks; /* that are not yet done */
};

/* False for NOMEM, when how->resume cannot be used, and where libcrypto is missing (IO); what is wrong with a file stands in
 * its job. A stopped work leaves STOPPED in those that were not finished. */
NUMEL_MUST bool hashes_run(struct hash_job *jobs, size_t count, const numel_work *how,
                           const numel_allocator *m, numel_error *e);

#endif
