/*
 * resume.h -- the progress of work that takes hours, kept in its own file for the next run.
 *
 *     # numel-resume 1
 *     KIND DEVICE INODE BYTES MTIME NS CTIME NS LINES
 *     ... LINES lines, whose meaning depends on KIND ...
 *
 * One write appends a record when a file is done, so an interrupted one is short of lines and is skipped. A
 * record is valid while the file is unchanged (stream.h). The caller removes the journal when all is done: a
 * permanent cache would hide a failing disk.
 */
#ifndef NUMEL_CONTENT_RESUME_H
#define NUMEL_CONTENT_RESUME_H

#include "source/journal.h"
#include "source/stream.h"

#include "base/buffer.h"

/* Digests of a whole file, perhaps with ranges; of ranges only; counts of values; two tensors compared. */
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

/* path NULL: nothing below has an effect. Refuses a file that is not ours, and leaves it alone. */
NUMEL_MUST bool resume_open(struct resume *r, const char *path, const numel_allocator *m, numel_error *e);
void resume_close(struct resume *r);
/* The lines of that file's record; false if there is none. */
bool resume_find(const struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 numel_str *lines);
/* Appends, if the journal keeps anything; if not, callers need not make lines. A write error is not reported:
 * the work continues. */
void resume_note(struct resume *r, enum resume_kind kind, const struct file_identity *is,
                 const struct buffer *lines);

/* Reads the line's next number; false if there is none. */
bool resume_number(numel_str *lines, uint64_t *v);
numel_str resume_word(numel_str *lines); /* up to a space or the end of the line */
/* A file as seven numbers. */
bool resume_identity(numel_str *lines, struct file_identity *out);
void resume_put_identity(struct buffer *b, const struct file_identity *is);

#endif
