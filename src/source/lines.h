/*
 * lines.h -- the lines of a list, as they arrive: from a file, from a pipe that is still being written, from
 * standard input. Only the last block read and the longest line are in memory.
 */
#ifndef NUMEL_SOURCE_LINES_H
#define NUMEL_SOURCE_LINES_H

#include "base/buffer.h"

struct lines {
    struct buffer text;
    size_t at;
    int descriptor; /* 0: standard input, which stays open */
    char end;       /* ends a line: '\n' or NUL */
    bool pipe;      /* a named pipe that has sent nothing yet */
    bool ended;
    bool whole;       /* the last line returned has its end */
    uint64_t ends_at; /* where in the file the last such line ended */
};

enum { LINES_LONGEST = 1 << 20 };

/* path "-": standard input. `zero`: lines end with a NUL. IO; for a pipe without a writer, when it is
 * read. */
NUMEL_MUST bool lines_open(struct lines *l, const char *path, bool zero, const numel_allocator *,
                           numel_error *);
void lines_close(struct lines *l);
/* The next line with a NUL instead of its end, valid until the next call; NULL at the end. The last one may
 * lack its end. IO; LIMIT for one of more than LINES_LONGEST bytes; NOMEM. */
NUMEL_MUST bool lines_next(struct lines *l, const char **line, numel_error *);
/* Does the file not exist? */
bool lines_absent(const char *path);
/* Call after the last line. If standard output writes to this file, and its last line has no end, cuts off
 * that line, so that the next output does not continue it. IO. */
NUMEL_MUST bool lines_mend(const struct lines *l, const char *path, numel_error *);

#endif
