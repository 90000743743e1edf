/* load.h -- numbers of a little-endian file at any address: one instruction each, so that loops vectorise.
 * base/num.h has loads of any size and order, byte by byte. */
#ifndef NUMEL_CONTENT_LOAD_H
#define NUMEL_CONTENT_LOAD_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOAD_LITTLE(bits, v) __builtin_bswap##bits(v)
#else
#define LOAD_LITTLE(bits, v) (v)
#endif

static inline uint16_t load16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return LOAD_LITTLE(16, v);
}

static inline uint32_t load32(const uint8_t *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return LOAD_LITTLE(32, v);
}

static inline uint64_t load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return LOAD_LITTLE(64, v);
}

#endif
