/*
 * source.h -- bytes from a mapped file, a small file that is read, a zstd stream, or memory.
 *
 * A parser sees only base and size. Both kinds of file grow from the front, only as far as the header needs:
 * a mapped one in large steps, a compressed one by decompressing. source_grow() may move base: parse again
 * from the start. Read base only in source_run(), since a mapped file may shrink.
 */
#ifndef NUMEL_SOURCE_SOURCE_H
#define NUMEL_SOURCE_SOURCE_H

#include "base/memory.h"

/* A part of a file that is in memory. */
struct source_piece {
    const uint8_t *p;
    uint64_t at, n;
};

/* The parts of a file that have been read, for source_at(); what it lacked last. */
struct source_pieces {
    const struct source_piece *items;
    size_t count;
    uint64_t lack_at, lack; /* 0: nothing */
};

struct source {
    const uint8_t *base; /* bytes available now; never NULL after a successful open */
    uint64_t size;
    uint64_t total;   /* size of the whole file, uncompressed */
    bool total_known; /* false: a compressed file does not state it, and was not read to its end */
    bool complete;    /* size will not grow */
    bool compressed;
    bool header_only; /* a copy by behead, or named .head.zst: the rest is left out */
    uint64_t earned;  /* tensors or lines found in its content, which allow more to be decompressed */
    uint64_t spent;   /* how much of SOURCE_FREE earlier files used */

    const numel_allocator *memory;
    void *map;      /* the front of the file as stored on disk */
    void *copy;     /* instead, from source_read(): all of it, in the allocator's memory */
    bool unguarded; /* the host handles SIGBUS */
    uint64_t map_size, compressed_size;
    int descriptor; /* open while more may be mapped, else -1 */
    struct zstd_reader *zstd;
    struct pipe *pipe;            /* the pipe it is read from; NULL: a file, or memory */
    struct source_pieces *pieces; /* of memory: what else is there of the file; NULL: nothing */
};

/* Opens only for reading; never blocks on a FIFO. IO names what else it is: a directory, a FIFO, a device, or
 * the system's reason. Reads only the first bytes. */
NUMEL_MUST bool source_open(struct source *s, const char *path, bool unguarded, const numel_allocator *,
                            numel_error *);
/* The bytes of a file, or of that which it is a header-only copy of; 0 if it cannot be read. */
uint64_t source_original(const char *path, const numel_allocator *);
/* A small file, or a pipe with a writer, of at most `most` bytes: read, not mapped, so shrinking is CHANGED
 * and never a signal. LIMIT: "more than 16777216 bytes: too large for a configuration", if `what` is
 * "configuration". A compressed file's content becomes available by source_grow(), any other at once. */
NUMEL_MUST bool source_read(struct source *s, const char *path, uint64_t most, const char *what,
                            const numel_allocator *, numel_error *);
/* A pipe, read as far as needed: its header. As for a header-only copy, the rest is not read. A zstd pipe is
 * read whole, since the part that a header needs is unknown; LIMIT above 256 MiB. The pipe must outlive
 * growing; what was read is copied. */
struct pipe;
NUMEL_MUST bool source_pipe(struct source *s, struct pipe *, const char *path, const numel_allocator *,
                            numel_error *);
/* Runs body(ctx), which reads base: in guard_run(), unless nothing is mapped or the source is unguarded. */
NUMEL_MUST bool source_run(const struct source *s, bool (*body)(void *ctx), void *ctx, numel_error *);
/* Borrows the bytes. */
void source_memory(struct source *s, const void *p, uint64_t n, const numel_allocator *);
void source_close(struct source *s);

/* Makes `want` bytes available, or all that exist. LIMIT above `most` or source_worth(); SYNTAX for a
 * broken zstd stream; its early end is not an error here (size stays below want). */
NUMEL_MUST bool source_grow(struct source *s, uint64_t want, uint64_t most, numel_error *);

/* n bytes from anywhere in the file: in place, if they are available (then call it in source_run()), else read
 * into the arena. NULL with CHANGED, IO or NOMEM; LIMIT for a pipe or a zstd stream, which end before them, and
 * for pieces, which then know what they lack. */
NUMEL_MUST const uint8_t *source_at(const struct source *s, uint64_t at, size_t n, struct arena *a,
                                    numel_error *);

/* Compressed data may expand a million times: 28 KB of zstd are 900 MB of blanks. So a compressed file may
 * take SOURCE_FREE bytes of memory, plus SOURCE_TIMES its size on disk, plus SOURCE_EACH for each tensor
 * found in it. Headers of 100,000 tensors compress 20 to 40 times, and stay far below; a vocabulary
 * compresses 4 times. UINT64_MAX if not compressed, or if `earned` is, as when the user has set the limit of
 * a header. */
enum { SOURCE_FREE = 7 << 20, SOURCE_LEAST = 16 << 10, SOURCE_TIMES = 6, SOURCE_EACH = 112 };
uint64_t source_worth(const struct source *s);
/* The limit for one text in it, which is copied and shown: SOURCE_TEXT plus SOURCE_TIMES its size on disk; 0:
 * no limit. */
enum { SOURCE_TEXT = 1 << 20 };
uint64_t source_longest(const struct source *s);
/* All files of a checkpoint share SOURCE_FREE, each has SOURCE_LEAST: *spent grows by what this one used. */
void source_spend(const struct source *s, uint64_t *spent);
/* Call when no more of it is needed: frees memory that only growing needs. */
void source_enough(struct source *s);
/* Corrects `total` of a compressed file whose first frame does not account for `expected` bytes, by walking
 * all frames. */
void source_settle(struct source *s, uint64_t expected);

#endif
