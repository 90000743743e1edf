/*
 * journal.h -- a file of ours that grows by whole records: it records finished work for a later run.
 *
 * Its first line identifies it: a file with another first line is refused and left unchanged. Its content is
 * read once, when it is opened; a single write appends a record, so an interrupted one is the last, and
 * short. The caller that asked for a journal removes it when all is done.
 */
#ifndef NUMEL_SOURCE_JOURNAL_H
#define NUMEL_SOURCE_JOURNAL_H

#include "base/memory.h"

struct journal {
    const numel_allocator *memory;
    char *text; /* all existing text with the first line; NULL for a new file */
    size_t size;
    int descriptor; /* -1: keeps nothing */
};

/* path NULL: an empty journal that keeps nothing. `first` is our first line with its end; a new file gets it.
 * IO; FORMAT for a file that is not ours. */
NUMEL_MUST bool journal_open(struct journal *j, const char *path, const char *first, const numel_allocator *m,
                             numel_error *e);
void journal_close(struct journal *j);
/* False if nothing is kept, or on a write error, after which nothing is kept. */
bool journal_append(struct journal *j, const void *p, size_t n);
/* True if records are kept. */
static inline bool journal_keeps(const struct journal *j) { return j->descriptor >= 0; }

#endif
