/*
 * dequant.c -- blocks with one scale or two, blocks of ternary numbers and of 4-bit floats; and the table of
 * all block types.
 */
#include "content/dequant_internal.h"

#include <string.h>

/* ---- 32 values: d, or d and a minimum ------------------------------------------------------- */

/* Values are nibbles, the first half of the block in the low ones; bit i of `high` is the fifth of value i. */
static void nibbles(const uint8_t *qs, uint32_t high, float d, float off, float min, float *out)
{
    for (unsigned i = 0; i < 16; i++) {
        uint32_t low = (qs[i] & 15u) | (high >> i & 1) << 4, top = qs[i] >> 4 | (high >> (i + 16) & 1) << 4;
        out[i] = ((float)low - off) * d + min;
        out[i + 16] = ((float)top - off) * d + min;
    }
}

/* -0 + 0 is 0, but ggml adds nothing where a block has no minimum: -0 keeps its sign. */
static void q4_0(const uint8_t *p, float *out) { nibbles(p + 2, 0, dequant_half(p), 8, -0.0F, out); }
static void q4_1(const uint8_t *p, float *out)
{
    nibbles(p + 4, 0, dequant_half(p), 0, dequant_half(p + 2), out);
}
static void q5_0(const uint8_t *p, float *out)
{
    nibbles(p + 6, load32(p + 2), dequant_half(p), 16, -0.0F, out);
}
static void q5_1(const uint8_t *p, float *out)
{
    nibbles(p + 8, load32(p + 4), dequant_half(p), 0, dequant_half(p + 2), out);
}

static void bytes(const uint8_t *qs, float d, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) out[i] = (float)(int8_t)qs[i] * d;
}
static void q8_0(const uint8_t *p, float *out) { bytes(p + 2, dequant_half(p), 32, out); }
static void q8_1(const uint8_t *p, float *out) { bytes(p + 4, dequant_half(p), 32, out); }
void dequant_q8_k(const uint8_t *p, float *out) { bytes(p + 4, decode_bits(load32(p)), 256, out); }

/* ---- one and two bits, three values a digit -------------------------------------------------- */

static void q1_0(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    for (unsigned i = 0; i < 128; i++) out[i] = p[2 + i / 8] >> i % 8 & 1 ? d : -d;
}

static void q2_0(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    for (unsigned i = 0; i < 64; i++) out[i] = (float)((p[2 + i / 4] >> i % 4 * 2 & 3) - 1) * d;
}

/* A byte holds `digits` ternary digits as a fraction of 256: multiplying by 3 shifts the next one out. */
static float *ternary(const uint8_t *qs, unsigned n, unsigned digits, float d, float *out)
{
    static const uint8_t power[] = { 1, 3, 9, 27, 81 };
    for (unsigned k = 0; k < digits; k++)
        for (unsigned i = 0; i < n; i++) {
            uint8_t rest = (uint8_t)(qs[i] * power[k]);
            *out++ = (float)((rest * 3 >> 8) - 1) * d;
        }
    return out;
}

static void tq1_0(const uint8_t *p, float *out)
{
    float d = dequant_half(p + 52);
    out = ternary(p, 32, 5, d, out);
    out = ternary(p + 32, 16, 5, d, out);
    (void)ternary(p + 48, 4, 4, d, out);
}

static void tq2_0(const uint8_t *p, float *out)
{
    float d = dequant_half(p + 64);
    for (unsigned i = 0; i < 256; i++)
        out[i] = (float)((p[i / 128 * 32 + i % 32] >> i / 32 % 4 * 2 & 3) - 1) * d;
}

/* ---- floats of 4 bits ------------------------------------------------------------------------ */

/* E2M1, doubled: scales are halved. */
static const float doubled[16] = { 0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12 };

static void fp4(const uint8_t *qs, unsigned n, float d, float *out)
{
    for (unsigned i = 0; i < n; i++) {
        out[i] = doubled[qs[i] & 15] * d;
        out[i + n] = doubled[qs[i] >> 4] * d;
    }
}

/* ggml has no NaN here: 255 is a power of two like the others. */
static void mxfp4(const uint8_t *p, float *out)
{
    uint32_t e = *p;
    fp4(p + 1, 16, decode_bits(e < 2 ? 0x00200000u << e : (e - 1) << 23), out);
}

/* E4M3 without a sign, halved; 127 is 0. */
static float ue4m3_half(uint8_t v)
{
    uint32_t e = v >> 3 & 15, m = v & 7;
    if (v == 0x7F) return 0;
    return e ? decode_bits((e + 119) << 23 | m << 20) : (float)m * 0x1p-10F;
}

static void nvfp4(const uint8_t *p, float *out)
{
    for (unsigned k = 0; k < 4; k++) fp4(p + 4 + 8 * k, 8, ue4m3_half(p[k]), out + 16 * k);
}

/* ---- the table ------------------------------------------------------------------------------- */

#define ROW(type, elements, bytes, block)                        \
    {                                                            \
        type, bytes, DECODE_SINGLE, NULL, NULL, elements, block, \
    }

/* clang-format off */
static const struct decoder table[] = {
    ROW("Q4_0", 32, 18, q4_0), ROW("Q4_1", 32, 20, q4_1), ROW("Q5_0", 32, 22, q5_0), ROW("Q5_1", 32, 24, q5_1),
    ROW("Q8_0", 32, 34, q8_0), ROW("Q8_1", 32, 36, q8_1), ROW("Q2_K", 256, 84, dequant_q2_k),
    ROW("Q3_K", 256, 110, dequant_q3_k), ROW("Q4_K", 256, 144, dequant_q4_k),
    ROW("Q5_K", 256, 176, dequant_q5_k), ROW("Q6_K", 256, 210, dequant_q6_k),
    ROW("Q8_K", 256, 292, dequant_q8_k), ROW("IQ2_XXS", 256, 66, dequant_iq2xxs),
    ROW("IQ2_XS", 256, 74, dequant_iq2xs), ROW("IQ2_S", 256, 82, dequant_iq2s),
    ROW("IQ3_XXS", 256, 98, dequant_iq3xxs), ROW("IQ3_S", 256, 110, dequant_iq3s),
    ROW("IQ1_S", 256, 50, dequant_iq1s), ROW("IQ1_M", 256, 56, dequant_iq1m),
    ROW("IQ4_NL", 32, 18, dequant_iq4nl), ROW("IQ4_XS", 256, 136, dequant_iq4xs),
    ROW("TQ1_0", 256, 54, tq1_0), ROW("TQ2_0", 256, 66, tq2_0), ROW("MXFP4", 32, 17, mxfp4),
    ROW("NVFP4", 64, 36, nvfp4), ROW("Q1_0", 128, 18, q1_0), ROW("Q2_0", 64, 18, q2_0),
};
/* clang-format on */

enum { ROWS = sizeof table / sizeof *table };

size_t dequant_count(void) { return ROWS; }
const struct decoder *dequant_at(size_t i) { return i < ROWS ? &table[i] : NULL; }

const struct decoder *dequant_find(const numel_dtype *type)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(table[i].type, type->name) == 0) return &table[i];
    return NULL;
}
