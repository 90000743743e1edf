/*
 * zstd.h -- zstd frames in memory, read from the front and written whole. The only user of <zstd.h>.
 *
 * A header-only copy begins with a skippable frame (RFC 8878, section 3.1.2) of 16 bytes: "NUMELHD1", then
 * the size of the original file as u64 LE. One with "NUMELKP1" may follow (kept.h). zstd's own tools skip
 * them.
 */
#ifndef NUMEL_SOURCE_ZSTD_H
#define NUMEL_SOURCE_ZSTD_H

#include "base/buffer.h"

struct zstd_reader;

bool zstd_is(const uint8_t *p, uint64_t n);
/* True if it has our mark; sets *original. */
bool zstd_mark(const uint8_t *p, uint64_t n, uint64_t *original);
/* Content size of the first frame; false if not stated. */
bool zstd_content(const uint8_t *p, uint64_t n, uint64_t *bytes);
/* The sum over all frames; false if one lacks its size or is cut off. */
bool zstd_content_all(const uint8_t *p, uint64_t n, uint64_t *bytes);

/* Borrows p. NULL: out of memory. */
struct zstd_reader *zstd_open(const uint8_t *p, uint64_t n, const numel_allocator *);
void zstd_close(struct zstd_reader *);
/* Decompresses until `want` bytes are available or the input ends (*ended). *out and *size are the reader's
 * buffer, which may move. guard_run() may leave it. */
NUMEL_MUST bool zstd_need(struct zstd_reader *, uint64_t want, const uint8_t **out, uint64_t *size,
                          bool *ended, numel_error *);

/* Call when no more is needed: frees the window, which may be as large as the buffer. zstd_need() then adds
 * nothing. */
void zstd_enough(struct zstd_reader *);

/* ---- the whole content, piece by piece, in bounded memory ---- */

/* Fills [p, p+room) from the input; *got 0 at its end. */
typedef bool zstd_supply_fn(void *ctx, void *p, size_t room, size_t *got, numel_error *);

struct zstd_flow {
    zstd_supply_fn *supply;
    void *ctx, *stream;
    uint8_t *in; /* the caller's, of `room` bytes */
    size_t room, at, size;
    bool whole;   /* the current frame is complete */
    bool pending; /* there was no room for all of the input's content */
};

/* Reading a frame with a window above 32 MiB (made with --long or --ultra) is LIMIT. */
NUMEL_MUST bool zstd_flow_open(struct zstd_flow *f, zstd_supply_fn *supply, void *ctx, uint8_t *in,
                               size_t room, numel_error *);
/* Up to `room` bytes of content, as many as available; *got 0 at the end. SYNTAX, TRUNCATED. */
NUMEL_MUST bool zstd_flow_read(struct zstd_flow *f, void *p, size_t room, size_t *got, numel_error *);
void zstd_flow_close(struct zstd_flow *f);

/* Appends to out the mark, the kept bytes (kept.h; none if kept_bytes is 0) and one frame that states its
 * content size. */
NUMEL_MUST bool zstd_write_head(struct buffer *out, const void *p, size_t n, uint64_t original,
                                const void *kept, size_t kept_bytes, numel_error *);
/* The same for a copy that is soon removed: without kept bytes, larger, 50 times faster. */
NUMEL_MUST bool zstd_write_quick(struct buffer *out, const void *p, size_t n, uint64_t original,
                                 numel_error *);
/* Do the bytes after the mark, at least 24, begin the frame of kept bytes? *packed: bytes of the zstd frame
 * that follows, *whole: of its content. */
bool zstd_kept(const uint8_t *p, uint64_t *packed, uint64_t *whole);
/* Decompresses one frame of exactly n bytes. */
bool zstd_whole(void *out, size_t n, const void *p, size_t packed);

#endif
