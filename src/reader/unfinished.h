/*
 * unfinished.h -- what came of a file whose download began and did not end.
 *
 *     NAME.part, NAME.crdownload, ...   beside NAME, or in its place
 *     NAME.aria2                        beside NAME, into which aria2 writes: a list of what is still to come
 *     ETAG.incomplete                   in the blobs of a cache of Hugging Face, or where a --local-dir keeps them
 *
 * A part belongs to the file that it becomes, and with it to a set: the listing of the repository knows it by its
 * digest, the record of its download by its etag, an index by the tensors that its header names. How long it is to
 * be, the listing says, or its own header.
 */
#ifndef NUMEL_READER_UNFINISHED_H
#define NUMEL_READER_UNFINISHED_H

#include "reader/checkpoint.h"
#include "reader/listing.h"

struct found_part {
    const char *path;
    numel_str of;   /* the file that it becomes, from the root of its repository; n 0: nobody knows */
    uint64_t bytes; /* that came */
    uint64_t total; /* NUMEL_NOT_KNOWN: nobody says */
    bool control;   /* aria2's list: the file itself is not all there */
    bool weights;   /* its header is that of a checkpoint, or its name says so */
};

/* "61 % of NAME is here: 6,100 of 10,000 bytes in PATH" in the arena. */
NUMEL_MUST const char *part_text(struct arena *a, const struct found_part *p);
/* Of a file whose name ends as an unfinished download's; also what its header says. */
NUMEL_MUST bool part_read(struct found_part *p, const char *path, const numel_options *, struct arena *a,
                          numel_error *e);
/* "NAME" of "NAME.part", "NAME.ETAG.incomplete"; n 0 when it has no such end. */
numel_str part_of_name(numel_str name);

/* The parts in a folder of blobs, or of a --local-dir's unfinished files. */
struct single_parts {
    struct found_part *items;
    size_t count, cap;
};
NUMEL_MUST bool parts_in(struct single_parts *out, const char *dir, const struct listing *p, struct arena *a,
                         numel_error *e);
void parts_done(struct single_parts *p, const numel_allocator *m);

/* What is said of a set's files, as findings: which are on their way. All of them with a lenient checkpoint; else
 * those of files that are missing. */
NUMEL_MUST bool unfinished_tell(numel_checkpoint *ck, const struct found_set *set, const numel_options *,
                                numel_error *e);

#endif
