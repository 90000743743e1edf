/* kept.c -- see kept.h. Sizes stated in a copy are checked against its bytes before memory is reserved. */
#include "source/kept.h"

#include "base/num.h"
#include "source/stream.h"
#include "source/zstd.h"

#include <string.h>

enum { ENTRY = 12, FRONT = 24 + 24, MOST = 64 << 20, SMALL = 8 << 20, TIMES = 4 };

/* Is the stated size plausible: no more than a real copy's small tensors pack to? */
static bool is_kept(const struct stream *s, uint64_t packed, uint64_t whole)
{
    uint64_t there = s->was.bytes > FRONT ? s->was.bytes - FRONT : 0;
    return packed <= num_min(there, MOST) && whole && whole <= num_min(SMALL + TIMES * packed, MOST);
}

void kept_add(struct buffer *out, uint64_t offset, const void *p, uint32_t n)
{
    uint8_t bytes[16];
    num_store_le64(bytes, offset);
    num_store_le64(bytes + 8, n);
    buffer_add(out, bytes, ENTRY);
    buffer_add(out, p, n);
}

/* Decompresses the frame, `packed` bytes at offset FRONT of the file. */
NUMEL_MUST static bool unpack(struct kept *k, struct stream *s, uint64_t packed, uint64_t whole,
                              struct arena *a, numel_error *e)
{
    uint8_t *from = memory_resize(a->memory, NULL, (size_t)packed),
            *to = from ? arena_alloc(a, (size_t)whole) : NULL;
    numel_error why = { 0 };
    if (from && to && stream_read(s, FRONT, from, (size_t)packed, &why) &&
        zstd_whole(to, (size_t)whole, from, (size_t)packed))
        *k = (struct kept){ to, (size_t)whole };
    memory_release(a->memory, from);
    return (from && to) || error_nomem(e);
}

bool kept_load(struct kept *k, const char *path, struct arena *a, numel_error *e)
{
    uint8_t front[FRONT];
    uint64_t original, packed, whole;
    struct stream s;
    numel_error why = { 0 };
    *k = (struct kept){ NULL, 0 };
    if (!stream_open(&s, path, &why)) return true;
    bool there = stream_read(&s, 0, front, sizeof front, &why) && zstd_mark(front, sizeof front, &original) &&
                 zstd_kept(front + 24, &packed, &whole) && is_kept(&s, packed, whole);
    bool ok = !there || unpack(k, &s, packed, whole, a, e);
    error_clear(&why);
    return stream_close(&s, &why) ? ok : (*k = (struct kept){ NULL, 0 }, ok);
}

bool kept_find(const struct kept *k, uint64_t offset, size_t n, void *out)
{
    for (uint64_t at = 0; num_inside(at, ENTRY, k->n);) {
        uint64_t here = num_load(k->p + at, 8, false), bytes = num_load(k->p + at + 8, 4, false);
        at += ENTRY;
        if (!num_inside(at, bytes, k->n) || here > offset) return false;
        if (here == offset) return bytes == n && (memcpy(out, k->p + at, n), true);
        at += bytes;
    }
    return false;
}
