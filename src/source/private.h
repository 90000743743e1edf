/*
 * private.h -- a folder of our own below /tmp, for copies of what lies elsewhere.
 *
 *     /tmp/numel-remote.XXXXXX/hf://ORG/NAME/model.safetensors
 *     '----- TEXT_PRIVATE ---'  the name that is shown: text_shown()
 *
 * Only the user may enter it, and it is locked while it is in use. A program that was killed leaves its folder
 * behind; the next one that makes a folder removes it, since its lock is gone.
 */
#ifndef NUMEL_SOURCE_PRIVATE_H
#define NUMEL_SOURCE_PRIVATE_H

#include "base/text.h"

struct private_folder {
    char path[TEXT_PRIVATE]; /* without its last slash */
    int descriptor;          /* -1: none */
};

/* IO. */
NUMEL_MUST bool private_open(struct private_folder *p, numel_error *e);
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
