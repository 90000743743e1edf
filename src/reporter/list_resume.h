/*
 * list_resume.h -- what an earlier list has done: the rows in its lines of JSON, by path.
 *
 * A row is found by a seeded hash of its path, so a million rows take 64 MB. If a path is not UTF-8, JSON
 * shows it altered; such a row is found by that text and its id. A line that is not a row, such as a
 * truncated one, is ignored, and its checkpoint is done again.
 */
#ifndef NUMEL_REPORTER_LIST_RESUME_H
#define NUMEL_REPORTER_LIST_RESUME_H

#include "base/buffer.h"

struct done_row {
    uint64_t key;
    uint64_t bytes, disk, parameters, stored; /* NUMEL_NOT_KNOWN if the line lacks it */
    uint64_t repeated;                        /* as in numel_row */
    uint32_t files, shared;
    uint8_t state; /* a numel_state */
    bool failed;   /* it is an error */
    bool met;      /* this list has come across it */
    bool stale;    /* ... and found it changed */
};

struct list_resume {
    const numel_allocator *memory;
    struct done_row *rows;
    size_t count, cap;
    uint64_t seed;
    struct buffer text; /* of one path */
};

/* Reads the rows of an earlier list; none if `path` is NULL or does not exist. `mend`: standard output is
 * this file; cuts off a last line that is incomplete. IO; FORMAT if the file has lines, but none of a
 * list. */
NUMEL_MUST bool list_resume_open(struct list_resume *r, const char *path, bool mend, const numel_allocator *,
                                 numel_error *);
void list_resume_done(struct list_resume *r);
/* Finds the row of a path; NULL if there is none. False: NOMEM. */
NUMEL_MUST bool list_resume_find(struct list_resume *r, const char *path, uint64_t id, struct done_row **out,
                                 numel_error *);

#endif
