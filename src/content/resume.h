/*
 * resume.h -- what an earlier run had done of a work that takes hours, kept in a file of its own.
 *
 *     # numel-resume 1
 *     KIND DEVICE INODE BYTES MTIME NS CTIME NS LINES
 *     ... so many lines, which are the business of the kind ...
 *
 * A record is appended when a file is done, with one write, so that an interrupted one is short of
 * lines and is passed over. It counts as long as the file is the very same (stream.h). Who asked for
 * it removes it when all is done: it is not a cache, which would hide a disk that forgets.
 */
#ifndef NUMEL_CONTENT_RESUME_H
#define NUMEL_CONTENT_RESUME_H

#include "source/journal.h"
#include "source/stream.h"

#include "base/buffer.h"

/* Digests of a whole, perhaps with ranges; of ranges alone; counts of values; two tensors compared. */
enum resume_kind { RESUME_HASH = 'H', RESUME_RANGES = 'R', RESUME_VALUES = 'V', RESUME_PAIRS = 'P' };

struct resume_record {
    char kind;
    struct file_identity identity;
    size_t begin, end; /* of its lines, in text */
};

struct resume {
    const numel_allocator *memory;
    struct journal journal;
    struct resume_record *records;
    size_t count, cap;
};

/* path NULL: everything below does nothing. A file that is not ours is refused, and left alone. */
NUMEL_MUST bool resume_open(struct resume *r, const char *path, const numel_allocator *m, numel_error *e);
void resume_close(struct resume *r);
/* The lines of that file's record; false when there is none. */
bool resume_find(const struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 numel_str *lines);
/* Is anything written down? Else there is no need to put its lines together. */
bool resume_keeps(const struct resume *r);
/* Appends. That it cannot be written is not an error: the work goes on. */
void resume_note(struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 const struct buffer *lines);

/* The next number of a line, the line's digits behind it; false when there is none. */
bool resume_number(numel_str *lines, uint64_t *v);
numel_str resume_word(numel_str *lines); /* up to a space or the end of the line */

#endif
