/*
 * list_resume.h -- what an earlier list has done: the rows of its lines of JSON, by their paths.
 *
 * A row is found by a seeded hash of its path, so that a million take 64 MB. Where a path is no UTF-8, JSON shows
 * another text; such a row is found by that and its id. A line that is no row, as one that was cut off, says nothing:
 * what it was about is done again.
 */
#ifndef NUMEL_REPORTER_LIST_RESUME_H
#define NUMEL_REPORTER_LIST_RESUME_H

#include "base/buffer.h"

struct done_row {
    uint64_t key;
    uint64_t bytes, disk, parameters, stored; /* NUMEL_NOT_KNOWN: the line does not say */
    uint64_t repeated;                        /* as numel_row */
    uint32_t files, shared;
    uint8_t state; /* of numel_state */
    bool failed;   /* it is an error */
    bool met;      /* this list has come upon it */
    bool stale;    /* and found it changed */
};

struct list_resume {
    const numel_allocator *memory;
    struct done_row *rows;
    size_t count, cap;
    uint64_t seed;
    struct buffer text; /* of one path */
};

/* `path` NULL, or no such file: nothing is done. `mend`: where standard output is that file, and it ends within a line,
 * the piece is taken off. IO; FORMAT for a file that has lines, and none of a list. */
NUMEL_MUST bool list_resume_open(struct list_resume *r, const char *path, bool mend, const numel_allocator *,
                                 numel_error *);
void list_resume_done(struct list_resume *r);
/* The row of that path; NULL: there is none. False: NOMEM. */
NUMEL_MUST bool list_resume_find(struct list_resume *r, const char *path, uint64_t id, struct done_row **out,
                                 numel_error *);

#endif
