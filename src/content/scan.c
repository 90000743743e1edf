/*
 * scan.c -- counts values that are not proper numbers: the loops, one per type.
 *
 * The loops over plain types are written so that compilers vectorise them for any processor: no branches, a
 * fixed number of rounds, and sums as narrow as the elements, which a tile is too short to overflow. Loads go
 * through memcpy: no alignment is needed.
 *
 * Block layouts are those of ggml-common.h; the table of types and its test pin the block sizes, this file's
 * test pins the places of the scales.
 */
#include "content/scan.h"

#include "content/load.h"

#include <string.h>

/* ---- floats ------------------------------------------------------------------------------- */

/* One tile: without its sign, an IEEE float is a larger integer the larger it is; infinity has all exponent
 * bits and no others, and anything above is NaN. */
#define FLOAT_TILE(name, type, load, size, sign, infinity)                     \
    static void name##_tile(const uint8_t *p, size_t n, struct scan_counts *c) \
    {                                                                          \
        type nan = 0, infinite = 0, zero = 0;                                  \
        for (size_t i = 0; i < n; i++) {                                       \
            type v = (type)(load(p + i * (size)) & (type) ~(sign));            \
            nan = (type)(nan + (v > (infinity)));                              \
            infinite = (type)(infinite + (v == (infinity)));                   \
            zero = (type)(zero + (v == 0));                                    \
        }                                                                      \
        c->nan += nan;                                                         \
        c->infinite += infinite;                                               \
        c->zero += zero;                                                       \
    }

/* Tiles of constant length, then the rest. */
#define TILES(name, size, tile)                                                                  \
    static void name(const struct scanner *s, const uint8_t *p, size_t n, struct scan_counts *c) \
    {                                                                                            \
        (void)s;                                                                                 \
        for (; n >= (tile); n -= (tile), p += (size_t)(tile) * (size)) name##_tile(p, tile, c);  \
        name##_tile(p, n, c);                                                                    \
    }

static inline uint8_t load8(const uint8_t *p) { return *p; }

enum { TILE8 = 240, TILE16 = 8192, TILE32 = 4096, TILE64 = 2048 };

FLOAT_TILE(f16, uint16_t, load16, 2, 0x8000u, 0x7C00u)
FLOAT_TILE(bf16, uint16_t, load16, 2, 0x8000u, 0x7F80u)
FLOAT_TILE(f32, uint32_t, load32, 4, 0x80000000u, 0x7F800000u)
FLOAT_TILE(f64, uint64_t, load64, 8, 0x8000000000000000u, 0x7FF0000000000000u)
FLOAT_TILE(f8_e5m2, uint8_t, load8, 1, 0x80u, 0x7Cu)
TILES(f16, 2, TILE16)
TILES(bf16, 2, TILE16)
TILES(f32, 4, TILE32)
TILES(f64, 8, TILE64)
TILES(f8_e5m2, 1, TILE8)

/* Types with one NaN pattern, one zero pattern, and no infinity. */
#define BYTE_TILE(name, mask, is_nan, is_zero)                                 \
    static void name##_tile(const uint8_t *p, size_t n, struct scan_counts *c) \
    {                                                                          \
        uint8_t nan = 0, zero = 0;                                             \
        for (size_t i = 0; i < n; i++) {                                       \
            uint8_t v = p[i] & (mask);                                         \
            nan = (uint8_t)(nan + (is_nan));                                   \
            zero = (uint8_t)(zero + (is_zero));                                \
        }                                                                      \
        c->nan += nan;                                                         \
        c->zero += zero;                                                       \
    }

BYTE_TILE(f8_e4m3, 0x7F, v == 0x7F, v == 0)
BYTE_TILE(f8_fnuz, 0xFF, v == 0x80, v == 0)
BYTE_TILE(f8_e8m0, 0xFF, v == 0xFF, false)
TILES(f8_e4m3, 1, TILE8)
TILES(f8_fnuz, 1, TILE8)
TILES(f8_e8m0, 1, TILE8)

/* ---- integers, and floats too small for anything but zero --------------------------------- */

#define ZERO_TILE(name, type, load, size)                                                 \
    static void name##_tile(const uint8_t *p, size_t n, struct scan_counts *c)            \
    {                                                                                     \
        type zero = 0;                                                                    \
        for (size_t i = 0; i < n; i++) zero = (type)(zero + (load(p + i * (size)) == 0)); \
        c->zero += zero;                                                                  \
    }

ZERO_TILE(i8, uint8_t, load8, 1)
ZERO_TILE(i16, uint16_t, load16, 2)
ZERO_TILE(i32, uint32_t, load32, 4)
ZERO_TILE(i64, uint64_t, load64, 8)
TILES(i8, 1, TILE8)
TILES(i16, 2, TILE16)
TILES(i32, 4, TILE32)
TILES(i64, 8, TILE64)

/* Two in a byte, each with its sign on top. */
static void f4_tile(const uint8_t *p, size_t n, struct scan_counts *c)
{
    uint8_t low = 0, high = 0;
    for (size_t i = 0; i < n; i++) {
        low = (uint8_t)(low + ((p[i] & 0x07) == 0));
        high = (uint8_t)(high + ((p[i] & 0x70) == 0));
    }
    c->zero += (uint64_t)low + high;
}
TILES(f4, 1, TILE8)

/* Four in three bytes, each of six bits with its sign on top. */
static void f6(const struct scanner *s, const uint8_t *p, size_t n, struct scan_counts *c)
{
    (void)s;
    for (size_t i = 0; i < n; i++, p += 3) {
        uint32_t four = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
        for (unsigned k = 0; k < 4; k++) c->zero += (four >> 6 * k & 0x1F) == 0;
    }
}

static uint64_t part(const uint8_t *p, unsigned bytes)
{
    return bytes == 2 ? load16(p) : bytes == 4 ? load32(p) : load64(p);
}

/* A pair of floats of s->swaps bytes: NaN if either part is, else infinite if either part is. */
static void pair(const struct scanner *s, const uint8_t *p, size_t n, struct scan_counts *c)
{
    const uint64_t infinity = s->swaps == 2   ? 0x7C00u
                              : s->swaps == 4 ? 0x7F800000u
                                              : UINT64_C(0x7FF0000000000000);
    const uint64_t sign = UINT64_C(1) << (8 * s->swaps - 1);
    for (size_t i = 0; i < n; i++, p += 2 * s->swaps) {
        uint64_t re = part(p, s->swaps) & ~sign, im = part(p + s->swaps, s->swaps) & ~sign;
        bool nan = re > infinity || im > infinity;
        c->nan += nan;
        c->infinite += !nan && (re == infinity || im == infinity);
        c->zero += (re | im) == 0;
    }
}

/* ---- blocks ------------------------------------------------------------------------------- */

enum { SCALE_F16, SCALE_F32, SCALE_IQ1_M, SCALE_E8M0, SCALE_UE4M3 };

static void count_scale(uint32_t v, uint32_t infinity, struct scan_counts *c)
{
    c->scale_nan += v > infinity;
    c->scale_infinite += v == infinity;
}

/* scale_count halves in a row from scale_at. */
static void blocks_f16(const struct scanner *s, const uint8_t *p, size_t n, struct scan_counts *c)
{
    for (size_t i = 0; i < n; i++, p += s->bytes) {
        uint32_t any = 0;
        for (unsigned k = 0; k < s->scale_count; k++) {
            uint32_t v = load16(p + s->scale_at + 2 * k) & 0x7FFFu;
            count_scale(v, 0x7C00u, c);
            any |= v;
        }
        c->zero += any ? 0 : s->elements;
    }
}

/* Four bits in the top of each of four words: one half. */
static uint32_t iq1_m_scale(const uint8_t *p)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < 4; k++) v |= (uint32_t)(load16(p + 2 * k) >> 12) << 4 * k;
    return v;
}

static void blocks_other(const struct scanner *s, const uint8_t *p, size_t n, struct scan_counts *c)
{
    bool whole = s->scale_form == SCALE_F32;
    for (size_t i = 0; i < n; i++, p += s->bytes) {
        const uint8_t *at = p + s->scale_at;
        uint32_t v = whole ? load32(at) & 0x7FFFFFFFu : iq1_m_scale(at) & 0x7FFFu;
        count_scale(v, whole ? 0x7F800000u : 0x7C00u, c);
        c->zero += v ? 0 : s->elements;
    }
}

/* MXFP4 and NVFP4: one-byte scales, no infinity, then nibbles, equally many per scale. E8M0 has no zero;
 * elements under a NaN scale are not zeros. */
static void blocks_fp4(const struct scanner *s, const uint8_t *p, size_t n, struct scan_counts *c)
{
    size_t each = (s->bytes - s->scale_count) / s->scale_count;
    bool mx = s->scale_form == SCALE_E8M0;
    for (size_t i = 0; i < n; i++, p += s->bytes)
        for (unsigned k = 0; k < s->scale_count; k++) {
            bool nan = mx ? p[k] == 0xFF : (p[k] & 0x7F) == 0x7F;
            c->scale_nan += nan;
            if (!mx && (p[k] & 0x7F) == 0) c->zero += 2 * each;
            else if (!nan) f4_tile(p + s->scale_count + k * each, each, c);
        }
}

/* ---- the table ---------------------------------------------------------------------------- */

#define PLAIN(type, bytes, scan)                    \
    {                                               \
        type, bytes, 1, false, bytes, scan, 0, 0, 0 \
    }
#define SMALL(type, bytes, elements, scan)             \
    {                                                  \
        type, bytes, elements, false, 1, scan, 0, 0, 0 \
    }
#define HALVES(type, bytes, elements, at, count)                         \
    {                                                                    \
        type, bytes, elements, true, 0, blocks_f16, SCALE_F16, count, at \
    }
#define OTHER(type, bytes, elements, scan, form, at, count)   \
    {                                                         \
        type, bytes, elements, true, 0, scan, form, count, at \
    }

/* clang-format off */
static const struct scanner table[] = {
    PLAIN("F64", 8, f64), PLAIN("F32", 4, f32), PLAIN("F16", 2, f16), PLAIN("BF16", 2, bf16),
    PLAIN("F8_E4M3", 1, f8_e4m3), PLAIN("F8_E5M2", 1, f8_e5m2), PLAIN("F8_E8M0", 1, f8_e8m0),
    PLAIN("F8_E4M3FNUZ", 1, f8_fnuz), PLAIN("F8_E5M2FNUZ", 1, f8_fnuz),
    PLAIN("BOOL", 1, i8), PLAIN("I8", 1, i8), PLAIN("U8", 1, i8), PLAIN("I16", 2, i16),
    PLAIN("U16", 2, i16), PLAIN("I32", 4, i32), PLAIN("U32", 4, i32), PLAIN("I64", 8, i64),
    PLAIN("U64", 8, i64), SMALL("F4", 1, 2, f4), SMALL("F6_E2M3", 3, 4, f6),
    SMALL("F6_E3M2", 3, 4, f6), { "C64", 8, 1, false, 4, pair, 0, 0, 0 },
    { "C32", 4, 1, false, 2, pair, 0, 0, 0 }, { "C128", 16, 1, false, 8, pair, 0, 0, 0 },

    /* type, bytes and elements of a block, offset of its scales (d; d and m; d and dmin) and how many */
    HALVES("Q4_0", 18, 32, 0, 1), HALVES("Q4_1", 20, 32, 0, 2), HALVES("Q5_0", 22, 32, 0, 1),
    HALVES("Q5_1", 24, 32, 0, 2), HALVES("Q8_0", 34, 32, 0, 1), HALVES("Q8_1", 36, 32, 0, 2),
    HALVES("Q2_K", 84, 256, 80, 2), HALVES("Q3_K", 110, 256, 108, 1), HALVES("Q4_K", 144, 256, 0, 2),
    HALVES("Q5_K", 176, 256, 0, 2), HALVES("Q6_K", 210, 256, 208, 1),
    HALVES("IQ2_XXS", 66, 256, 0, 1), HALVES("IQ2_XS", 74, 256, 0, 1), HALVES("IQ2_S", 82, 256, 0, 1),
    HALVES("IQ3_XXS", 98, 256, 0, 1), HALVES("IQ3_S", 110, 256, 0, 1), HALVES("IQ1_S", 50, 256, 0, 1),
    HALVES("IQ4_NL", 18, 32, 0, 1), HALVES("IQ4_XS", 136, 256, 0, 1), HALVES("TQ1_0", 54, 256, 52, 1),
    HALVES("TQ2_0", 66, 256, 64, 1), HALVES("Q1_0", 18, 128, 0, 1), HALVES("Q2_0", 18, 64, 0, 1),
    OTHER("Q8_K", 292, 256, blocks_other, SCALE_F32, 0, 1),
    OTHER("IQ1_M", 56, 256, blocks_other, SCALE_IQ1_M, 48, 1), /* 4 bits in each of four words */
    OTHER("MXFP4", 17, 32, blocks_fp4, SCALE_E8M0, 0, 1),
    OTHER("NVFP4", 36, 64, blocks_fp4, SCALE_UE4M3, 0, 4),
};
/* clang-format on */

enum { ROWS = sizeof table / sizeof *table };

size_t scan_count(void) { return ROWS; }
const struct scanner *scan_at(size_t i) { return i < ROWS ? &table[i] : NULL; }

const struct scanner *scan_find(const numel_dtype *type)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(table[i].type, type->name) == 0) return &table[i];
    return NULL;
}
