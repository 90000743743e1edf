/*
 * private.h -- a folder of our own below TMPDIR, for copies of remote files.
 *
 *     /tmp/numel-remote.XXXXXX/hf://ORG/NAME/model.safetensors
 *          '- TEXT_PRIVATE --' '-- the name that is shown: text_shown()
 *
 * Only the user may enter it, and it is locked as long as it has that name: it is made as numel-remote-XXXXXX, locked,
 * and renamed. A program that was killed leaves its folder behind without the lock. private_sweep() removes those;
 * every program that makes a folder does, and `numel` has a process that waits for its end to do so.
 */
#ifndef NUMEL_SOURCE_PRIVATE_H
#define NUMEL_SOURCE_PRIVATE_H

#include "base/text.h"

enum { PRIVATE_PATH = 4096 };

struct private_folder {
    char path[PRIVATE_PATH]; /* without its last slash; "": none */
    int descriptor;          /* -1: none */
};

/* The folder of temporary files: `set`, a value of TMPDIR, if it is an absolute path, not too long; else /tmp. */
const char *private_base(const char *set);
/* Makes a folder below the base. IO. */
NUMEL_MUST bool private_open(struct private_folder *p, const char *base, numel_error *e);
/* Removes the folders below the base that programs left behind when they were killed. */
void private_sweep(const char *base);
/* Removes the folder and everything in it. */
void private_close(struct private_folder *p);
/* Makes a file of that size without any content, as a listing shows it; or, if the disk refuses that size, an
 * empty one. Its folder must exist. */
void private_promise(const char *path, uint64_t bytes);
/* Makes a file of that size from the pieces of it that were read, in an existing folder; the rest are holes. It is
 * a header-only copy of a file that is read from both ends. IO. */
struct source_piece;
NUMEL_MUST bool private_sparse(const char *path, uint64_t bytes, const struct source_piece *pieces, size_t n,
                               numel_error *e);
/* Is it such a promised file? Then nothing of it can be read. */
struct stat;
bool private_promised(const char *path, const struct stat *);
/* Is it a file of private_sparse()? */
bool private_partial(const char *path, const struct stat *);

#endif
