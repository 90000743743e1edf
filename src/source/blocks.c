/*
 * blocks.c -- asks FIEMAP for all extents of a file.
 */
#define _DEFAULT_SOURCE
#include "source/blocks.h"

#include "base/hash.h"
#include "source/descriptor.h"

#include <unistd.h>

#ifdef __linux__
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

enum { EXTENTS = 64 };

union extents {
    struct fiemap map;
    char room[sizeof(struct fiemap) + EXTENTS * sizeof(struct fiemap_extent)];
};

/* Adds the extents from *from on; *more is false after the last one. */
static bool add_extents(int descriptor, uint64_t *from, uint64_t *where, bool *shared, bool *more)
{
    const uint32_t vague = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_DATA_INLINE |
                           FIEMAP_EXTENT_NOT_ALIGNED;
    union extents x = { .map = { .fm_start = *from, .fm_extent_count = EXTENTS } };
    x.map.fm_length = FIEMAP_MAX_OFFSET - *from;
    if (ioctl(descriptor, FS_IOC_FIEMAP, &x.map) != 0) return false;
    *more = x.map.fm_mapped_extents == EXTENTS;
    for (uint32_t i = 0; i < x.map.fm_mapped_extents && i < EXTENTS; i++) {
        const struct fiemap_extent *at = &x.map.fm_extents[i];
        if (at->fe_flags & vague) return false;
        *shared = *shared && (at->fe_flags & FIEMAP_EXTENT_SHARED);
        *where = hash_fold(*where ^ at->fe_logical, 0x9E3779B97F4A7C15u);
        *where = hash_fold(*where ^ at->fe_physical, 0xD6E8FEB86659FD93u) ^ at->fe_length;
        if (at->fe_flags & FIEMAP_EXTENT_LAST) *more = false;
        *from = at->fe_logical + at->fe_length;
    }
    return true;
}

static enum blocks ask(int descriptor, uint64_t *where)
{
    uint64_t from = 0;
    bool shared = true, more = true;
    while (more)
        if (!add_extents(descriptor, &from, where, &shared, &more)) return BLOCKS_UNKNOWN;
    return from && shared ? BLOCKS_SHARED : BLOCKS_OWN; /* a file that is one hole has none */
}

#else
static enum blocks ask(int descriptor, uint64_t *where)
{
    (void)descriptor;
    (void)where;
    return BLOCKS_UNKNOWN;
}
#endif

enum blocks blocks_of(const char *path, uint64_t *where)
{
    struct stat st;
    numel_error ignored = { .code = NUMEL_OK };
    *where = 0;
    int descriptor = descriptor_open(path, false, &st, &ignored);
    if (descriptor < 0) return BLOCKS_UNKNOWN;
    enum blocks blocks = ask(descriptor, where);
    close(descriptor);
    return blocks;
}
