/*
 * stamp.h -- whether files are still what they were: 128 bits of their names and of what the system says of
 * them.
 *
 * A file's part is its device, inode, size, mode, owner, mtime and ctime, links followed; its bytes are not
 * read. A program that writes a file changes its ctime and cannot set it back. The clock of a file system is
 * coarse, up to two seconds: a file written twice within that time may keep its times. Therefore a stamp of a
 * file that changed less than that before `now`, or later, is not `sure`: keep nothing under it.
 */
#ifndef NUMEL_SOURCE_STAMP_H
#define NUMEL_SOURCE_STAMP_H

#include "base/memory.h"

enum { STAMP_PARTS = 2 };

struct stamp {
    uint64_t parts[STAMP_PARTS];
    uint64_t now; /* seconds since 1970, taken before any of the files was looked at */
    bool sure;
};

uint64_t stamp_now(void);
/* The user decides what can be read: the stamp is of one user. */
struct stamp stamp_begin(uint64_t now);
void stamp_number(struct stamp *s, uint64_t n);
void stamp_text(struct stamp *s, numel_str text);
/* A file or folder, without its name. One that does not exist is not sure. */
void stamp_path(struct stamp *s, const char *path);
/* Its times alone: false if it changed since shortly before s->now. */
bool stamp_is_settled(const struct stamp *s, const char *path);
bool stamp_same(const struct stamp *x, const struct stamp *y);

#endif
