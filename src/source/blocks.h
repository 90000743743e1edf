/*
 * blocks.h -- where a file's blocks are, as far as the file system reports it.
 *
 * Two files whose blocks are the same (cp --reflink) take the space of one. Linux tells by FIEMAP on btrfs, XFS
 * and others; elsewhere it is unknown.
 */
#ifndef NUMEL_SOURCE_BLOCKS_H
#define NUMEL_SOURCE_BLOCKS_H

#include "base/error.h"

enum blocks { BLOCKS_OWN, BLOCKS_SHARED, BLOCKS_UNKNOWN };

/* BLOCKS_SHARED: other files have all of its blocks, too; then files on one device with the same *where have
 * the same blocks. */
enum blocks blocks_of(const char *path, uint64_t *where);

#endif
