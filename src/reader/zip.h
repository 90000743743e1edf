/*
 * zip.h -- the directory of a zip archive (PyTorch's .pt and .bin, .npz, .keras), and its entries that are
 * stored uncompressed. ZIP64 included. Read from the end of the file, as its readers do.
 */
#ifndef NUMEL_READER_ZIP_H
#define NUMEL_READER_ZIP_H

#include "base/memory.h"
#include "source/stream.h"

#include <string.h>

/* Bytes of an archive, from wherever they are. read() returns n bytes from `at`, inside [0, total): in place, or
 * in the arena; NULL with CHANGED, IO or NOMEM. */
struct zip_bytes {
    uint64_t total;
    const uint8_t *(*read)(void *ctx, uint64_t at, size_t n, struct arena *a, numel_error *e);
    void *ctx;
};
struct zip_bytes zip_stream(struct stream *s);

struct zip_entry {
    numel_str name;
    uint64_t at, bytes; /* of its local header; as stored */
    uint32_t crc;
    bool stored; /* not compressed */
};

struct zip {
    struct zip_entry *entries;
    size_t count;
    uint64_t at; /* of the directory: the end of the entries */
};

/* Do the n bytes of a file's front begin like an archive with entries? */
static inline bool zip_begins(const uint8_t *p, uint64_t n) { return n >= 4 && memcmp(p, "PK\3\4", 4) == 0; }
/* The directory; texts are in the arena, or in place. TRUNCATED if the end of the archive is missing; SYNTAX,
 * LIMIT (16 MiB of directory), IO, NOMEM. */
NUMEL_MUST bool zip_read(struct zip *z, const struct zip_bytes *, struct arena *a, numel_error *e);
/* Where the data of an entry begins: its local header agrees with the directory about its name and method, and
 * the data ends before the directory. SYNTAX, TRUNCATED, IO, NOMEM. */
NUMEL_MUST bool zip_place(const struct zip *z, const struct zip_entry *x, const struct zip_bytes *,
                          struct arena *a, uint64_t *at, numel_error *e);
/* The same without reading the local header: the data are where a writer that aligns them puts them, or right
 * behind the name if they would not fit there. TRUNCATED. */
NUMEL_MUST bool zip_aligned(const struct zip *z, const struct zip_entry *x, uint64_t alignment, uint64_t *at,
                            numel_error *e);
/* The first `most` bytes of a stored entry. TRUNCATED, SYNTAX, IO, NOMEM. */
NUMEL_MUST bool zip_content(const struct zip *z, const struct zip_entry *x, const struct zip_bytes *,
                            uint64_t most, struct arena *a, numel_str *out, numel_error *e);

#endif
