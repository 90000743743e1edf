/*
 * decode.c -- bits to numbers. No branches and no tables, so that compilers vectorise the loops. A shift and
 * a power of two turn a narrower float into one of 32 bits.
 */
#include "content/decode.h"

#include <string.h>

/* Vectorise loops of any length: gcc's -O2 alone leaves most of them as they are. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("vect-cost-model=dynamic")
#endif

#include "content/load.h" /* after the pragma: code compiled without it may not be inlined into the loops */

static inline float of_bits(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* ---- floats ------------------------------------------------------------------------------- */

/* v is without its sign: `fraction` bits of fraction below an exponent that is smaller than a float's by the
 * exponent of `scale`; `special` and above are infinity and NaN. The product is exact, also for subnormal
 * numbers. */
static inline float widen(uint32_t sign, uint32_t v, unsigned fraction, float scale, uint32_t special)
{
    uint32_t odd = v >= special ? 0x7F800000u : 0;
    return of_bits(bits_of(of_bits(v << (23 - fraction)) * scale) | odd | sign);
}

#define SINGLE(name, size, expression)                                     \
    static void name(const uint8_t *p, size_t n, float *out)               \
    {                                                                      \
        for (size_t i = 0; i < n; i++, p += (size)) out[i] = (expression); \
    }

static inline float f16_value(uint32_t v)
{
    return widen((v & 0x8000u) << 16, v & 0x7FFFu, 10, 0x1p112F, 0x7C00u);
}
static inline float e5m2_value(uint32_t v) { return widen((v & 0x80u) << 24, v & 0x7Fu, 2, 0x1p112F, 0x7Cu); }
/* No infinities: all bits set is NaN, anything below is a number. */
static inline float e4m3_value(uint32_t v) { return widen((v & 0x80u) << 24, v & 0x7Fu, 3, 0x1p120F, 0x7Fu); }
/* No infinities and no negative zero: its bits are the NaN. */
static inline float fnuz_value(uint32_t v, unsigned fraction, float scale)
{
    float f = widen((v & 0x80u) << 24, v & 0x7Fu, fraction, scale, 0x80u);
    return of_bits(v == 0x80u ? 0x7FC00000u : bits_of(f));
}
/* A power of two; exponent 0 is a subnormal float. */
static inline float e8m0_value(uint32_t v)
{
    return of_bits(v == 0xFFu ? 0x7FC00000u : v == 0 ? 0x00400000u : v << 23);
}

SINGLE(f32, 4, of_bits(load32(p)))
SINGLE(bf16, 2, of_bits((uint32_t)load16(p) << 16))
SINGLE(f16, 2, f16_value(load16(p)))
SINGLE(f8_e5m2, 1, e5m2_value(*p))
SINGLE(f8_e4m3, 1, e4m3_value(*p))
SINGLE(f8_e5m2fnuz, 1, fnuz_value(*p, 2, 0x1p111F))
SINGLE(f8_e4m3fnuz, 1, fnuz_value(*p, 3, 0x1p119F))
SINGLE(f8_e8m0, 1, e8m0_value(*p))

/* ---- integers ----------------------------------------------------------------------------- */

#define WHOLE(name, size, expression)                                               \
    static void name(const uint8_t *p, size_t n, int64_t *out)                      \
    {                                                                               \
        for (size_t i = 0; i < n; i++, p += (size)) out[i] = (int64_t)(expression); \
    }

WHOLE(i8, 1, (int8_t)*p)
WHOLE(u8, 1, *p)
WHOLE(i16, 2, (int16_t)load16(p))
WHOLE(u16, 2, load16(p))
WHOLE(i32, 4, (int32_t)load32(p))
WHOLE(u32, 4, load32(p))
WHOLE(i64, 8, load64(p))

/* ---- the table ---------------------------------------------------------------------------- */

/* clang-format off */
static const struct decoder table[] = {
    { "F32", 4, DECODE_SINGLE, f32, NULL, 0, NULL }, { "BF16", 2, DECODE_SINGLE, bf16, NULL, 0, NULL },
    { "F16", 2, DECODE_SINGLE, f16, NULL, 0, NULL }, { "F64", 8, DECODE_DOUBLE, NULL, NULL, 0, NULL },
    { "F8_E4M3", 1, DECODE_SINGLE, f8_e4m3, NULL, 0, NULL }, { "F8_E5M2", 1, DECODE_SINGLE, f8_e5m2, NULL, 0, NULL },
    { "F8_E4M3FNUZ", 1, DECODE_SINGLE, f8_e4m3fnuz, NULL, 0, NULL },
    { "F8_E5M2FNUZ", 1, DECODE_SINGLE, f8_e5m2fnuz, NULL, 0, NULL }, { "F8_E8M0", 1, DECODE_SINGLE, f8_e8m0, NULL, 0, NULL },
    { "I8", 1, DECODE_SIGNED, NULL, i8, 0, NULL }, { "I16", 2, DECODE_SIGNED, NULL, i16, 0, NULL },
    { "I32", 4, DECODE_SIGNED, NULL, i32, 0, NULL }, { "I64", 8, DECODE_SIGNED, NULL, i64, 0, NULL },
    { "BOOL", 1, DECODE_UNSIGNED, NULL, u8, 0, NULL }, { "U8", 1, DECODE_UNSIGNED, NULL, u8, 0, NULL },
    { "U16", 2, DECODE_UNSIGNED, NULL, u16, 0, NULL }, { "U32", 4, DECODE_UNSIGNED, NULL, u32, 0, NULL },
    { "U64", 8, DECODE_UNSIGNED, NULL, i64, 0, NULL },
};
/* clang-format on */

static void floats(const uint8_t *p, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++, p += sizeof *out) {
        float v;
        memcpy(&v, p, sizeof v);
        out[i] = v;
    }
}
const struct decoder decode_floats = { "", sizeof(float), DECODE_SINGLE, floats, NULL, 0, NULL };

const struct decoder *decode_find(const numel_dtype *type)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].type, type->name) == 0) return &table[i];
    return NULL;
}

float decode_half(uint32_t bits) { return f16_value(bits); }
float decode_bits(uint32_t bits) { return of_bits(bits); }

void decode_single(const struct decoder *how, const uint8_t *p, size_t n, float *out)
{
    if (!how->block) {
        how->single(p, n, out);
        return;
    }
    for (size_t i = 0; i < n; i += how->elements, p += how->bytes) how->block(p, out + i);
}

void decode_double(const struct decoder *how, const uint8_t *p, size_t n, double *out)
{
    float part[DECODE_STEP];
    if (how->is == DECODE_DOUBLE) {
        for (size_t i = 0; i < n; i++) {
            uint64_t bits = load64(p + i * 8);
            memcpy(&out[i], &bits, sizeof bits);
        }
        return;
    }
    for (size_t at = 0; at < n; at += DECODE_STEP) {
        size_t step = n - at < DECODE_STEP ? n - at : DECODE_STEP;
        decode_single(how, p + decode_bytes(how, at), step, part);
        for (size_t i = 0; i < step; i++) out[at + i] = (double)part[i];
    }
}

void decode_turn(uint8_t *p, size_t n, size_t width)
{
    for (size_t i = 0; i + width <= n; i += width)
        for (size_t k = 0; k < width / 2; k++) {
            uint8_t b = p[i + k];
            p[i + k] = p[i + width - 1 - k];
            p[i + width - 1 - k] = b;
        }
}
