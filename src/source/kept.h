/*
 * kept.h -- the bytes of small tensors that a header-only copy keeps.
 *
 * A quantizer's description of its weights (bitsandbytes' state, a shape) is in tensors of a few bytes; a
 * copy keeps those that are needed, so that it answers as the file does. They are in a skippable frame after
 * the copy's mark: "NUMELKP1", their size as u64 LE, and a zstd frame. The frame has the offset in the file,
 * u64 LE, the size, u32 LE, and the bytes of each tensor, by offset.
 */
#ifndef NUMEL_SOURCE_KEPT_H
#define NUMEL_SOURCE_KEPT_H

#include "base/buffer.h"

struct kept {
    const uint8_t *p; /* in the arena */
    size_t n;         /* 0: none */
};

/* Appends one tensor's bytes; offsets must increase. */
void kept_add(struct buffer *out, uint64_t offset, const void *p, uint32_t n);
/* Loads the bytes that a copy keeps; none if it has none, or they are damaged or unreadable. NOMEM. */
NUMEL_MUST bool kept_load(struct kept *k, const char *path, struct arena *a, numel_error *e);
/* Copies the n bytes at that offset of the file; false unless exactly these are kept. */
bool kept_find(const struct kept *k, uint64_t offset, size_t n, void *out);

#endif
