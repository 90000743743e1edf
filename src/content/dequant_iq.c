/*
 * dequant_iq.c -- IQ types: 256 values, 4 or 8 at a time an entry of a grid, with signs; IQ4 types have a
 * table of 16 numbers instead.
 */
#include "content/dequant_internal.h"

/* ---- 8 values: an entry with signs ------------------------------------------------------------ */

/* Signs of 8 values in 7 bits: their number is even. */
static unsigned even_signs(unsigned v) { return v | ((0x6996u >> ((v ^ v >> 4) & 15) & 1) << 7); }

/* An entry of 8 values of 2 bits. */
static void eight(unsigned entry, unsigned signs, float scale, float *out)
{
    static const float of[4] = { 0x08, 0x19, 0x2B, 0 };
    for (unsigned i = 0; i < 8; i++)
        out[i] = scale * of[entry >> 2 * i & 3] * (signs >> i & 1 ? -1.0F : 1.0F);
}

/* Four values of 4 bits; the numbers are `of`. */
static void four(unsigned entry, unsigned signs, float scale, const float of[8], float *out)
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = scale * of[entry >> 4 * i & 7] * (signs >> i & 1 ? -1.0F : 1.0F);
}

static float quarter(float d, unsigned scale) { return d * (0.5F + (float)scale) * 0.25F; }

/* d, qs: for 32 values four indices, then signs and a scale in one word. */
void dequant_iq2xxs(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    const uint8_t *qs = p + 2;
    for (unsigned g = 0; g < 8; g++, qs += 8) {
        uint32_t word = load32(qs + 4);
        float scale = quarter(d, word >> 28);
        for (unsigned k = 0; k < 4; k++, out += 8)
            eight(dequant_iq2_xxs[qs[k]], even_signs(word >> 7 * k & 127), scale, out);
    }
}

/* d, qs[32] of 16 bits: an index of 9 and signs, scales[8]. */
void dequant_iq2xs(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    for (unsigned k = 0; k < 32; k++, out += 8) {
        unsigned q = load16(p + 2 + 2 * k), scale = p[66 + k / 4] >> k / 2 % 2 * 4 & 15;
        eight(dequant_iq2_xs[q & 511], even_signs(q >> 9), quarter(d, scale), out);
    }
}

/* d, qs[32], signs[32], qh[8], scales[8]. */
void dequant_iq2s(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    for (unsigned k = 0; k < 32; k++, out += 8) {
        unsigned high = (unsigned)p[66 + k / 4] >> k % 4 * 2 & 3u,
                 scale = (unsigned)p[74 + k / 4] >> k / 2 % 2 * 4 & 15;
        eight(dequant_iq2_s[p[2 + k] | high << 8], p[34 + k], quarter(d, scale), out);
    }
}

/* d, qs[64], a word of signs and a scale for 32 values. */
void dequant_iq3xxs(const uint8_t *p, float *out)
{
    static const float of[8] = { 0x04, 0x0C, 0x14, 0x1C, 0x24, 0x2C, 0x34, 0x3E };
    float d = dequant_half(p);
    for (unsigned k = 0; k < 64; k++, out += 4) {
        uint32_t word = load32(p + 66 + k / 8 * 4);
        float scale = d * (0.5F + (float)(word >> 28)) * 0.5F;
        unsigned signs = even_signs(word >> k / 2 % 4 * 7 & 127);
        four(dequant_iq3_xxs[p[2 + k]], signs >> k % 2 * 4, scale, of, out);
    }
}

/* d, qs[64], qh[8], signs[32], scales[4]. */
void dequant_iq3s(const uint8_t *p, float *out)
{
    static const float of[8] = { 1, 3, 5, 7, 9, 11, 13, 15 };
    float d = dequant_half(p);
    for (unsigned k = 0; k < 64; k++, out += 4) {
        unsigned high = (unsigned)p[66 + k / 8] >> k % 8 & 1u,
                 scale = (unsigned)p[106 + k / 16] >> k / 8 % 2 * 4 & 15;
        four(dequant_iq3_s[p[2 + k] | high << 8], (unsigned)p[74 + k / 2] >> k % 2 * 4,
             d * (float)(1 + 2 * scale), of, out);
    }
}

/* ---- 8 values of -1, 0 and 1, and a shift ------------------------------------------------------ */

static void shifted(unsigned entry, bool less, float scale, float *out)
{
    float delta = less ? -0.125F : 0.125F;
    for (unsigned i = 0; i < 8; i++) out[i] = scale * ((float)((int)(entry >> 2 * i & 3) - 1) + delta);
}

/* d, qs[32], qh[8] of 16 bits: high bits of four indices, a scale, the sign of the shift. */
void dequant_iq1s(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    for (unsigned k = 0; k < 32; k++, out += 8) {
        unsigned qh = load16(p + 34 + k / 4 * 2), high = qh >> k % 4 * 3 & 7;
        shifted(dequant_iq1_s[p[2 + k] | high << 8], qh >> 15, d * (float)(2 * (qh >> 12 & 7) + 1), out);
    }
}

/* qs[32], qh[16], scales[4] of 16 bits: four scales of 3 bits, and 4 bits of d at the top. */
void dequant_iq1m(const uint8_t *p, float *out)
{
    uint32_t half = 0;
    for (unsigned k = 0; k < 4; k++) half |= (uint32_t)(load16(p + 48 + 2 * k) >> 12) << 4 * k;
    float d = decode_half(half);
    for (unsigned k = 0; k < 32; k++, out += 8) {
        unsigned high = (unsigned)p[32 + k / 2] >> k % 2 * 4 & 15u;
        unsigned scale = (unsigned)load16(p + 48 + k / 8 * 2) >> k / 2 % 4 * 3 & 7u;
        shifted(dequant_iq1_s[p[k] | (high & 7) << 8], high >> 3, d * (float)(2 * scale + 1), out);
    }
}

/* ---- 16 numbers, not evenly spaced -------------------------------------------------------------- */

static void uneven(const uint8_t *qs, float scale, float *out)
{
    static const float of[16] = { -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113 };
    for (unsigned i = 0; i < 16; i++) {
        out[i] = scale * of[qs[i] & 15];
        out[i + 16] = scale * of[qs[i] >> 4];
    }
}

void dequant_iq4nl(const uint8_t *p, float *out) { uneven(p + 2, dequant_half(p), out); }

/* d, scales_h of 16 bits, scales_l[4], qs[128]. */
void dequant_iq4xs(const uint8_t *p, float *out)
{
    float d = dequant_half(p);
    unsigned top = load16(p + 2);
    for (unsigned g = 0; g < 8; g++) {
        int scale = (p[4 + g / 2] >> g % 2 * 4 & 15) | (int)(top >> 2 * g & 3) << 4;
        uneven(p + 8 + 16 * g, d * (float)(scale - 32), out + 32 * g);
    }
}
