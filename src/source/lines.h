/*
 * lines.h -- the lines of a list, as they come: of a file, of a pipe while somebody still writes to it, of standard
 * input. In memory is what was read last, and the longest line.
 */
#ifndef NUMEL_SOURCE_LINES_H
#define NUMEL_SOURCE_LINES_H

#include "base/buffer.h"

struct lines {
    struct buffer text;
    size_t at;
    int descriptor; /* 0: standard input, which stays open */
    char end;       /* what ends a line: '\n' or NUL */
    bool pipe;      /* of a name, from which nothing has come yet */
    bool ended;
    bool whole;       /* the line given last has its end */
    uint64_t ends_at; /* where in the file the last of those ended */
};

enum { LINES_LONGEST = 1 << 20 };

/* path "-": standard input. `zero`: lines end with a NUL. IO; also, of a pipe that nobody writes to, when it is read. */
NUMEL_MUST bool lines_open(struct lines *l, const char *path, bool zero, const numel_allocator *,
                           numel_error *);
void lines_close(struct lines *l);
/* The next one with a NUL in place of its end, until the next call; NULL at the end. The last needs no end. IO; LIMIT
 * for one of more than LINES_LONGEST bytes; NOMEM. */
NUMEL_MUST bool lines_next(struct lines *l, const char **line, numel_error *);
/* Is there no such file? */
bool lines_absent(const char *path);
/* All of it was read. If it is the file that standard output writes to, and its last line has no end, that line is cut
 * off, so that what is written next does not continue it. IO. */
NUMEL_MUST bool lines_mend(const struct lines *l, const char *path, numel_error *);

#endif
