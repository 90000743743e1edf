/*
 * source.h -- bytes from somewhere: a mapped file, a small file that is read, a zstd stream, memory.
 *
 * A parser sees base and size, nothing else. Both kinds of file grow from the front, only as far as
 * the header asks: a mapped one in large steps, a compressed one by decompressing. After source_grow()
 * base may have moved: parse again from the start. Whoever looks at base does so in source_run(), since a
 * mapped file may shrink.
 */
#ifndef NUMEL_SOURCE_SOURCE_H
#define NUMEL_SOURCE_SOURCE_H

#include "base/memory.h"

struct source {
    const uint8_t *base; /* what can be parsed now; never NULL after a successful open */
    uint64_t size;
    uint64_t total;   /* bytes of the whole file, uncompressed */
    bool total_known; /* false: a compressed file does not say, and was not read to its end */
    bool complete;    /* size is all there will ever be */
    bool compressed;
    bool header_only; /* a copy that behead made, or named .head.zst: the rest is left out */
    uint64_t earned; /* how many tensors, or lines, its content has shown to hold: more may be decompressed */
    uint64_t spent;  /* of SOURCE_FREE, by files before this one */

    const numel_allocator *memory;
    void *map;      /* of the front of the file as it lies on disk */
    void *copy;     /* in its place, of source_read(): all of it, in the allocator's memory */
    bool unguarded; /* SIGBUS is the host's business */
    uint64_t map_size, compressed_size;
    int descriptor; /* open while more may be mapped, else -1 */
    struct zstd_reader *zstd;
    struct pipe *pipe; /* what it is read from; NULL: a file, or memory */
};

/* Opens for reading only; never blocks on a FIFO. IO says what else it is: a directory, a FIFO, a
 * device, or the system's reason. Nothing but the first bytes is read. */
NUMEL_MUST bool source_open(struct source *s, const char *path, bool unguarded, const numel_allocator *,
                            numel_error *);
/* A small file, or a pipe that somebody writes to, of at most `most` bytes: read, not mapped, so that its shrinking is CHANGED and never a
 * signal. LIMIT: "more than 16777216 bytes: no configuration", where `what` is the last. What a compressed
 * one holds comes by source_grow(), the rest is there at once. */
NUMEL_MUST bool source_read(struct source *s, const char *path, uint64_t most, const char *what,
                            const numel_allocator *, numel_error *);
/* What a pipe sends, as far as it is asked for: its header. What follows is not read, as of a header-only copy. Of zstd
 * all is read, since nothing says how much of it a header needs; LIMIT above 256 MiB. The pipe must outlive what grows;
 * what was read is copied. */
struct pipe;
NUMEL_MUST bool source_pipe(struct source *s, struct pipe *, const char *path, const numel_allocator *,
                            numel_error *);
/* body(ctx), which looks at base: guard_run(), unless nothing is mapped or the source is unguarded. */
NUMEL_MUST bool source_run(const struct source *s, bool (*body)(void *ctx), void *ctx, numel_error *);
/* The caller keeps the bytes alive. */
void source_memory(struct source *s, const void *p, uint64_t n, const numel_allocator *);
void source_close(struct source *s);

/* Makes `want` bytes available, or as many as there are. LIMIT above `most`, and above source_worth(); SYNTAX when
 * the zstd stream is broken; its end too early is not an error here (size stays below want). */
NUMEL_MUST bool source_grow(struct source *s, uint64_t want, uint64_t most, numel_error *);

/* What is compressed may say that it is a million times as long: 28 KB of zstd are 900 MB of blanks. So of
 * a compressed file SOURCE_FREE bytes are decompressed into memory, SOURCE_TIMES as many as it has on disk, and
 * SOURCE_EACH for each tensor that was really found in them. Headers of 100,000 tensors compress 20 to 40
 * times, and stay far below; a vocabulary compresses 4 times. UINT64_MAX for what is not compressed, and where
 * `earned` is, as when the user has said how long a header may be. */
enum { SOURCE_FREE = 7 << 20, SOURCE_LEAST = 16 << 10, SOURCE_TIMES = 6, SOURCE_EACH = 112 };
uint64_t source_worth(const struct source *s);
/* Of one text in it, which is copied and shown: SOURCE_TEXT, and SOURCE_TIMES what is on disk; 0 where
 * there is no such limit. */
enum { SOURCE_TEXT = 1 << 20 };
uint64_t source_longest(const struct source *s);
/* SOURCE_FREE is for all files of a checkpoint together, SOURCE_LEAST for each: *spent grows by what this one needed of it. */
void source_spend(const struct source *s, uint64_t *spent);
/* No more of it will be asked for: what only growing needs is given back. */
void source_enough(struct source *s);
/* Settles `total` of a compressed file whose first frame does not account for `expected` bytes, by
 * walking all frames. */
void source_settle(struct source *s, uint64_t expected);

#endif
