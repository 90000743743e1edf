/*
 * folder.h -- file names: lists directories, splits and joins paths.
 */
#ifndef NUMEL_SOURCE_FOLDER_H
#define NUMEL_SOURCE_FOLDER_H

#include "base/names.h"

enum path_kind { PATH_ABSENT, PATH_FILE, PATH_DIRECTORY, PATH_OTHER };

/* Follows symlinks. A remote file that was not read is absent; its size is known. */
enum path_kind path_kind(const char *path);
bool path_is_link(const char *path);   /* its target may contain it, or be anywhere */
uint64_t path_bytes(const char *path); /* 0 if not a file */
/* The path's identity on disk, links followed; false if it does not exist. */
struct path_identity {
    uint64_t device, inode, bytes, links; /* `links`: number of its names in the file system */
    uint64_t changed, accessed;           /* seconds since 1970; 0: unknown */
};
bool path_identify(const char *path, struct path_identity *out);
/* The part after the last '/', ignoring trailing ones; borrowed. */
numel_str path_base(const char *path);
/* "DIR" of "DIR/NAME", "." without a '/'. In the arena; NULL: out of memory. */
NUMEL_MUST char *path_directory(struct arena *a, const char *path);
/* The path from the root, links resolved; NULL if it does not exist, or out of memory. */
NUMEL_MUST char *path_real(struct arena *a, const char *path);
/* "dir/name", or "name" if dir is "." or empty. */
NUMEL_MUST char *path_join(struct arena *a, const char *dir, numel_str name);
/* The same if the path exists and is of that kind; else NULL, also if out of memory. */
NUMEL_MUST char *path_in(struct arena *a, const char *dir, const char *name, enum path_kind kind);
/* Undoes path_join(): the part after `dir`; "" if the path is dir itself or elsewhere. Points into `path`. */
const char *path_below(const char *dir, const char *path);

struct folder_entry {
    numel_str name; /* first: see names.h */
    bool directory;
    bool link;   /* possibly a symbolic link; false: the listing rules it out */
    bool circle; /* a link that leads to itself */
};

/* A directory's entries in natural order, with an index by name, without "." and "..". FIFOs and devices are
 * kept apart: the user did not name them, and opening a device may have effects. Dangling links are
 * listed. */
struct folder {
    struct folder_entry *entries;
    size_t count, cap;
    struct names names;
    struct folder_entry *others; /* FIFOs and devices, in natural order */
    size_t other_count, other_cap;
};

NUMEL_MUST bool folder_list(struct folder *f, const char *path, struct arena *a, numel_error *);
/* The same; a folder that cannot be listed has no entries. NOMEM: the arena has failed too. */
NUMEL_MUST bool folder_look(struct folder *f, const char *path, struct arena *a, numel_error *);
void folder_done(struct folder *f);
bool folder_has(const struct folder *f, numel_str name);
struct folder_entry *folder_entry(const struct folder *f, numel_str name); /* NULL if there is none */

/* The most recently changed entry of a directory; NULL if there is none. */
const char *folder_newest(struct arena *a, const char *path);
/* Makes the missing folders before the path's last '/'. False if the last of them does not exist afterwards.
 * Changes the text while it runs. */
bool path_make_folders(char *path, unsigned mode);
/* Text of a small file (a ref) without trailing white space; NULL if it cannot be read. */
NUMEL_MUST const char *folder_text(struct arena *a, const char *path);

#endif
