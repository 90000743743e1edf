/*
 * unfinished.h -- the parts of files whose download did not finish.
 *
 *     NAME.part, NAME.crdownload, ...   next to NAME, or instead of it
 *     NAME.aria2                        next to NAME, which aria2 writes: a list of the remaining parts
 *     ETAG.incomplete                   in a Hugging Face cache's blobs, or where a --local-dir keeps them
 *
 * A part belongs to the file that it becomes, and so to a set: found by its digest in the repository's
 * listing, by its etag in the download's record, or by its header's tensors in an index. Its final size is
 * from the listing or its own header.
 */
#ifndef NUMEL_READER_UNFINISHED_H
#define NUMEL_READER_UNFINISHED_H

#include "reader/checkpoint.h"
#include "reader/listing.h"

struct found_part {
    const char *path;
    numel_str of;   /* the file that it becomes, from the root of its repository; n 0: unknown */
    uint64_t bytes; /* received */
    uint64_t total; /* NUMEL_NOT_KNOWN if unknown */
    bool control;   /* aria2's list: the file itself is incomplete */
    bool weights;   /* its header or its name is a checkpoint's */
};

/* "61 % of NAME is here: 6,100 of 10,000 bytes in PATH" in the arena. */
NUMEL_MUST const char *part_text(struct arena *a, const struct found_part *p);
/* Reads a file with the suffix of an unfinished download, including its header. */
NUMEL_MUST bool part_read(struct found_part *p, const char *path, const numel_options *, struct arena *a,
                          numel_error *e);
/* "NAME" from "NAME.part", "NAME.ETAG.incomplete"; n 0 without such a suffix. */
numel_str part_of_name(numel_str name);

/* The parts in a folder of blobs, or of a --local-dir's unfinished files. */
struct single_parts {
    struct found_part *items;
    size_t count, cap;
};
NUMEL_MUST bool parts_in(struct single_parts *out, const char *dir, const struct listing *p, struct arena *a,
                         numel_error *e);
void parts_done(struct single_parts *p, const numel_allocator *m);

/* Adds findings on the files of a set that are being downloaded. All of them for a lenient checkpoint; else
 * only missing files. */
NUMEL_MUST bool unfinished_tell(numel_checkpoint *ck, const struct found_set *set, const numel_options *,
                                numel_error *e);

#endif
