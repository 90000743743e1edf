/*
 * journal.h -- a file of ours that grows by whole records: what was done is noted in it, for a later run.
 *
 * It begins with a line that says whose it is: a file that begins otherwise is refused and left as it is.
 * What is there is read once, when it is opened; a record is appended with a single write, so that one that
 * was interrupted is the last, and short. Whoever asked for a journal removes it when all is done.
 */
#ifndef NUMEL_SOURCE_JOURNAL_H
#define NUMEL_SOURCE_JOURNAL_H

#include "base/memory.h"

struct journal {
    const numel_allocator *memory;
    char *text; /* all that was there, the first line too; NULL for a new one */
    size_t size;
    int descriptor; /* -1: nothing is kept */
};

/* path NULL: an empty journal that keeps nothing. `first` is the line that ours begin with, its end included;
 * a new file gets it. IO; FORMAT for a file of somebody else. */
NUMEL_MUST bool journal_open(struct journal *j, const char *path, const char *first, const numel_allocator *m,
                             numel_error *e);
void journal_close(struct journal *j);
/* False when nothing is kept, or when it cannot be written: then nothing is kept from now on. */
bool journal_append(struct journal *j, const void *p, size_t n);
/* Is there any use in making a record? */
static inline bool journal_keeps(const struct journal *j) { return j->descriptor >= 0; }

#endif
