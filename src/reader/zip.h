/*
 * zip.h -- the directory of a zip archive (PyTorch's .pt and .bin, .npz, .keras), and its entries that are
 * stored uncompressed. ZIP64 included. Read from the end of the file, as its readers do.
 */
#ifndef NUMEL_READER_ZIP_H
#define NUMEL_READER_ZIP_H

#include "base/memory.h"
#include "source/stream.h"

struct zip_entry {
    numel_str name;
    uint64_t at, bytes; /* of its local header; as stored */
    bool stored;        /* not compressed */
};

struct zip {
    struct zip_entry *entries;
    size_t count;
};

/* The directory, in the arena. TRUNCATED if the end of the archive is missing; FORMAT, LIMIT (16 MiB of
 * directory), IO, NOMEM. */
NUMEL_MUST bool zip_read(struct zip *z, struct stream *s, struct arena *a, numel_error *e);
/* The first `most` bytes of a stored entry, in the arena. TRUNCATED, FORMAT, IO, NOMEM. */
NUMEL_MUST bool zip_content(const struct zip_entry *x, struct stream *s, uint64_t most, struct arena *a,
                            numel_str *out, numel_error *e);

#endif
