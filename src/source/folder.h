/*
 * folder.h -- names of files: listing a directory, taking paths apart, putting them together.
 */
#ifndef NUMEL_SOURCE_FOLDER_H
#define NUMEL_SOURCE_FOLDER_H

#include "base/names.h"

enum path_kind { PATH_ABSENT, PATH_FILE, PATH_DIRECTORY, PATH_OTHER };

/* Symlinks followed. */
enum path_kind path_kind(const char *path);
bool path_is_link(const char *path);   /* what it leads to may be around it, or anywhere */
uint64_t path_bytes(const char *path); /* 0 when it is not a file */
/* Which thing on disk it is, links followed; false when there is none. */
struct path_identity {
    uint64_t device, inode, bytes, links; /* `links`: names that it has in its file system */
};
bool path_identify(const char *path, struct path_identity *out);
/* The part behind the last '/', trailing ones aside; borrowed. */
numel_str path_base(const char *path);
/* "DIR" of "DIR/NAME", "." when there is no '/'. In the arena, NULL when out of memory. */
NUMEL_MUST char *path_directory(struct arena *a, const char *path);
/* The path from the root, links resolved; NULL when there is no such thing, or out of memory. */
NUMEL_MUST char *path_real(struct arena *a, const char *path);
/* "dir/name", or "name" when dir is "." or empty. */
NUMEL_MUST char *path_join(struct arena *a, const char *dir, numel_str name);
/* What path_join() put behind `dir`: "" where the path is dir itself or lies elsewhere. Points into `path`. */
const char *path_below(const char *dir, const char *path);

struct folder_entry {
    numel_str name; /* first: see names.h */
    bool directory;
    bool link;   /* perhaps a symbolic link: else the listing said that it is none */
    bool circle; /* a link that leads back to itself */
};

/* A directory's entries in natural order, with an index by name. "." and ".." are left out. What is neither a file nor
 * a folder stands apart: nobody named that FIFO, and to open a device may do something. Links to nowhere are listed. */
struct folder {
    struct folder_entry *entries;
    size_t count, cap;
    struct names names;
    struct folder_entry *others; /* FIFOs and devices, in natural order */
    size_t other_count, other_cap;
};

NUMEL_MUST bool folder_list(struct folder *f, const char *path, struct arena *a, numel_error *);
void folder_done(struct folder *f);
bool folder_has(const struct folder *f, numel_str name);

/* The newest entry of a directory by time of change; NULL when there is none. */
const char *folder_newest(struct arena *a, const char *path);
/* The folders in front of the last '/' of the path are made, for their owner alone, as far as they are not
 * there. The text is changed meanwhile. */
bool path_make_folders(char *path);
/* Text of a small file (a ref), white space at its end cut off; NULL when it cannot be read. */
NUMEL_MUST const char *folder_text(struct arena *a, const char *path);

#endif
