/*
 * zstd.c -- libzstd for three needs: the front of a compressed file, grown as the header needs more; a stream
 * of all of it; a header written as one frame after our mark. Sizes stated in frames are added with care and
 * used only to reserve memory.
 */
#include "source/zstd.h"

#include "base/num.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

static const uint8_t mark[16] = {
    0x50, 0x2A, 0x4D, 0x18, 16, 0, 0, 0, 'N', 'U', 'M', 'E', 'L', 'H', 'D', '1'
};
enum { MARK_BYTES = 24 };

bool zstd_is(const uint8_t *p, uint64_t n)
{
    uint64_t magic = n >= 4 ? num_load(p, 4, false) : 0;
    return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

bool zstd_mark(const uint8_t *p, uint64_t n, uint64_t *original)
{
    if (n < MARK_BYTES || memcmp(p, mark, sizeof mark) != 0) return false;
    *original = num_load(p + sizeof mark, 8, false);
    return true;
}

/* Where the first frame with content begins; skips skippable ones. */
static uint64_t first_frame(const uint8_t *p, uint64_t n)
{
    uint64_t at = 0;
    while (n - at >= 8 &&
           (num_load(p + at, 4, false) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START) {
        uint64_t bytes = num_load(p + at + 4, 4, false);
        if (bytes > n - at - 8) return n;
        at += 8 + bytes;
    }
    return at;
}

bool zstd_content(const uint8_t *p, uint64_t n, uint64_t *bytes)
{
    uint64_t at = first_frame(p, n);
    unsigned long long size = ZSTD_getFrameContentSize(p + at, (size_t)(n - at));
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return false;
    *bytes = size;
    return true;
}

bool zstd_content_all(const uint8_t *p, uint64_t n, uint64_t *bytes)
{
    uint64_t at = 0, one = 0;
    *bytes = 0;
    while (at < n) {
        size_t frame = ZSTD_findFrameCompressedSize(p + at, (size_t)(n - at));
        if (ZSTD_isError(frame)) return false;
        bool skippable =
            (num_load(p + at, 4, false) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
        if (!skippable && (!zstd_content(p + at, n - at, &one) || !num_add(bytes, *bytes, one))) return false;
        at += frame;
    }
    return true;
}

/* ---- reading ------------------------------------------------------------------------------ */

struct zstd_reader {
    const numel_allocator *memory;
    ZSTD_DStream *stream;
    ZSTD_inBuffer in;
    uint8_t *out;
    size_t size, cap;
};

struct zstd_reader *zstd_open(const uint8_t *p, uint64_t n, const numel_allocator *memory)
{
    struct zstd_reader *z = memory_resize(memory, NULL, sizeof *z);
    if (!z) return NULL;
    *z = (struct zstd_reader){ .memory = memory, .in = { p, (size_t)n, 0 } };
    z->stream = ZSTD_createDStream();
    if (z->stream) return z;
    zstd_close(z);
    return NULL;
}

void zstd_close(struct zstd_reader *z)
{
    if (!z) return;
    ZSTD_freeDStream(z->stream);
    memory_release(z->memory, z->out);
    memory_release(z->memory, z);
}

void zstd_enough(struct zstd_reader *z)
{
    if (!z) return;
    ZSTD_freeDStream(z->stream);
    z->stream = NULL;
}

/* Room for one more step, at most twice what is wanted. */
NUMEL_MUST static bool step_room(struct zstd_reader *z, uint64_t want, numel_error *e)
{
    size_t step = (size_t)num_max(num_min(want, 1 << 20), 4096);
    if (!memory_grow(z->memory, &z->out, &z->cap, z->size + step, 1, e)) return false;
    return true;
}

bool zstd_need(struct zstd_reader *z, uint64_t want, const uint8_t **out, uint64_t *size, bool *ended,
               numel_error *e)
{
    *ended = false;
    while (z->stream && z->size < want && !*ended) {
        if (!step_room(z, want - z->size, e)) return false;
        ZSTD_outBuffer to = { z->out, (size_t)num_min(z->cap, want), z->size };
        size_t before = z->in.pos, hint = ZSTD_decompressStream(z->stream, &to, &z->in);
        if (ZSTD_isError(hint))
            return error_set(e, NUMEL_E_SYNTAX, z->in.pos, "zstd: %s", ZSTD_getErrorName(hint));
        *ended = to.pos == z->size && z->in.pos == before && z->in.pos == z->in.size;
        z->size = to.pos;
    }
    *out = z->out;
    *size = z->size;
    return true;
}

/* ---- streaming ---------------------------------------------------------------------------- */

enum { WINDOW_LOG = 25 };

bool zstd_flow_open(struct zstd_flow *f, zstd_supply_fn *supply, void *ctx, uint8_t *in, size_t room,
                    numel_error *e)
{
    *f = (struct zstd_flow){ .supply = supply, .ctx = ctx, .in = in, .room = room, .whole = true };
    f->stream = ZSTD_createDStream();
    if (!f->stream) return error_nomem(e);
    ZSTD_DCtx_setParameter(f->stream, ZSTD_d_windowLogMax, WINDOW_LOG);
    return true;
}

void zstd_flow_close(struct zstd_flow *f)
{
    ZSTD_freeDStream(f->stream);
    f->stream = NULL;
}

NUMEL_MUST static bool flow_fails(size_t code, numel_error *e)
{
    if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
        return error_set(e, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "zstd: the frame needs a window of more than %u MiB: unpack the file first",
                         1u << (WINDOW_LOG - 20));
    return error_set(e, NUMEL_E_SYNTAX, NUMEL_NOWHERE, "zstd: %s", ZSTD_getErrorName(code));
}

bool zstd_flow_read(struct zstd_flow *f, void *p, size_t room, size_t *got, numel_error *e)
{
    ZSTD_outBuffer out = { p, room, 0 };
    while (out.pos == 0) {
        if (f->at == f->size && !f->pending) {
            f->at = 0;
            if (!f->supply(f->ctx, f->in, f->room, &f->size, e)) return false;
            if (f->size == 0 && f->whole) break;
            if (f->size == 0)
                return error_set(e, NUMEL_E_TRUNCATED, NUMEL_NOWHERE,
                                 "zstd: the file ends in the middle of a frame");
        }
        ZSTD_inBuffer in = { f->in, f->size, f->at };
        size_t hint = ZSTD_decompressStream(f->stream, &out, &in);
        if (ZSTD_isError(hint)) return flow_fails(hint, e);
        f->at = in.pos;
        f->whole = hint == 0;
        f->pending = !f->whole && out.pos == out.size;
    }
    *got = out.pos;
    return true;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Level 19 needs 100 MB of tables for a header of 12 MB. A header's lines repeat nearby ones: a window of 512
 * KiB and tables of 2 MiB find nearly all of it. Up to 256 KiB these are the level's own. */
enum { LEVEL = 19, QUICK = 1 };

static size_t compress(void *to, size_t room, const void *p, size_t n)
{
    enum { SMALL = 256 << 10, LOG = 19 };
    ZSTD_CCtx *c = ZSTD_createCCtx();
    if (!c) return ZSTD_compress(to, 0, p, n, LEVEL); /* no room: an error */
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, LEVEL);
    if (n > SMALL) {
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, LOG);
        ZSTD_CCtx_setParameter(c, ZSTD_c_hashLog, LOG);
        ZSTD_CCtx_setParameter(c, ZSTD_c_chainLog, LOG);
    }
    size_t bytes = ZSTD_compress2(c, to, room, p, n);
    ZSTD_freeCCtx(c);
    return bytes;
}

/* Appends the frame; if `kept`, after the front of a skippable frame. */
NUMEL_MUST static bool write_frame(struct buffer *out, const void *p, size_t n, bool kept, int level,
                                   numel_error *e)
{
    uint8_t front[24] = { 0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0, 'N', 'U', 'M', 'E', 'L', 'K', 'P', '1' },
            size[8];
    size_t room = ZSTD_compressBound(n);
    if (out->failed) return error_nomem(e);
    void *frame = memory_resize(out->memory, NULL, room);
    if (!frame) return error_nomem(e);
    size_t bytes = level == LEVEL ? compress(frame, room, p, n) : ZSTD_compress(frame, room, p, n, level);
    bool ok = !ZSTD_isError(bytes) && (!kept || bytes < UINT32_MAX - 16);
    num_store_le64(size, ok ? bytes + 16 : 0);
    for (size_t i = 0; i < 4; i++) front[4 + i] = size[i];
    num_store_le64(front + 16, n);
    if (ok && kept) buffer_add(out, front, sizeof front);
    if (ok) buffer_add(out, frame, bytes);
    memory_release(out->memory, frame);
    if (!ok)
        return error_set(e, NUMEL_E_IO, NUMEL_NOWHERE, "zstd: %s",
                         ZSTD_isError(bytes) ? ZSTD_getErrorName(bytes) : "too large");
    return !out->failed || error_nomem(e);
}

static void write_mark(struct buffer *out, uint64_t original)
{
    uint8_t size[8];
    num_store_le64(size, original);
    buffer_add(out, mark, sizeof mark);
    buffer_add(out, size, sizeof size);
}

bool zstd_write_head(struct buffer *out, const void *p, size_t n, uint64_t original, const void *kept,
                     size_t kept_bytes, numel_error *e)
{
    write_mark(out, original);
    return (!kept_bytes || write_frame(out, kept, kept_bytes, true, LEVEL, e)) &&
           write_frame(out, p, n, false, LEVEL, e);
}

bool zstd_write_quick(struct buffer *out, const void *p, size_t n, uint64_t original, numel_error *e)
{
    write_mark(out, original);
    return write_frame(out, p, n, false, QUICK, e);
}

bool zstd_kept(const uint8_t *p, uint64_t *packed, uint64_t *whole)
{
    uint64_t bytes = num_load(p + 4, 4, false);
    if (num_load(p, 4, false) != 0x184D2A50 || memcmp(p + 8, "NUMELKP1", 8) != 0 || bytes < 16) return false;
    *packed = bytes - 16;
    *whole = num_load(p + 16, 8, false);
    return true;
}

bool zstd_whole(void *out, size_t n, const void *p, size_t packed)
{
    return ZSTD_decompress(out, n, p, packed) == n;
}
