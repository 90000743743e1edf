/*
 * dequant_k.c -- K-quants: 256 values in groups of 16 or 32, each with a scale (and a minimum) of a few bits;
 * d and dmin turn these into numbers.
 */
#include "content/dequant_internal.h"

/* scales[16], qs[64], d, dmin. Byte k of a half has values k, k + 32, k + 64 and k + 96. */
void dequant_q2_k(const uint8_t *p, float *out)
{
    float d = dequant_half(p + 80), dmin = dequant_half(p + 82);
    for (unsigned g = 0; g < 16; g++) {
        float dl = d * dequant_low(p[g]), ml = dmin * dequant_high(p[g]);
        const uint8_t *qs = p + 16 + g / 8 * 32 + g % 2 * 16;
        unsigned shift = g / 2 % 4 * 2;
        for (unsigned i = 0; i < 16; i++) out[16 * g + i] = dl * (float)(qs[i] >> shift & 3) - ml;
    }
}

/* hmask[32], qs[64], scales[12], d. Scales have 6 bits: 4 in the first 8 bytes, 2 in the others. */
void dequant_q3_k(const uint8_t *p, float *out)
{
    float d = dequant_half(p + 108);
    const uint8_t *scales = p + 96;
    for (unsigned g = 0; g < 16; g++) {
        int low = scales[g % 8] >> g / 8 * 4 & 15, high = scales[8 + g % 4] >> g / 4 * 2 & 3;
        float dl = d * (float)((low | high << 4) - 32);
        const uint8_t *qs = p + 32 + g / 8 * 32 + g % 2 * 16, *mask = p + g % 2 * 16;
        for (unsigned i = 0; i < 16; i++) {
            int set = mask[i] >> g / 2 & 1, q = qs[i] >> g / 2 % 4 * 2 & 3;
            out[16 * g + i] = dl * (float)(q - (set ? 0 : 4));
        }
    }
}

/* 8 scales and 8 minima of 6 bits in 12 bytes; the last four of each are in two pieces. */
static void scale_min(const uint8_t *s, unsigned g, float *scale, float *min)
{
    uint8_t both = s[g % 4 + 8];
    if (g < 4) {
        *scale = (float)(s[g] & 63);
        *min = (float)(s[g + 4] & 63);
        return;
    }
    *scale = (float)((both & 15) | s[g - 4] >> 6 << 4);
    *min = (float)(both >> 4 | s[g] >> 6 << 4);
}

/* d, dmin, scales[12], qs[128]; Q5_K: qh[32] before qs. Two groups share 32 bytes. */
static void groups_of_32(const uint8_t *p, const uint8_t *qh, const uint8_t *qs, float *out)
{
    float d = dequant_half(p), dmin = dequant_half(p + 2), scale, min;
    for (unsigned g = 0; g < 8; g++) {
        scale_min(p + 4, g, &scale, &min);
        float d1 = d * scale, m1 = dmin * min;
        for (unsigned i = 0; i < 32; i++) {
            unsigned q = qs[g / 2 * 32 + i] >> g % 2 * 4 & 15, high = qh ? qh[i] >> g & 1u : 0;
            out[32 * g + i] = d1 * (float)(q | high << 4) - m1;
        }
    }
}

void dequant_q4_k(const uint8_t *p, float *out) { groups_of_32(p, NULL, p + 16, out); }
void dequant_q5_k(const uint8_t *p, float *out) { groups_of_32(p, p + 16, p + 48, out); }

/* ql[128], qh[64], scales[16], d. Each half: 64 bytes of ql, 32 of qh, 8 scales. */
void dequant_q6_k(const uint8_t *p, float *out)
{
    float d = dequant_half(p + 208);
    for (unsigned g = 0; g < 16; g++) {
        unsigned part = g / 2 % 4, at = g % 2 * 16;
        const uint8_t *ql = p + g / 8 * 64 + part % 2 * 32 + at, *qh = p + 128 + g / 8 * 32 + at;
        float dl = d * (float)(int8_t)p[192 + g];
        for (unsigned i = 0; i < 16; i++) {
            int q = (ql[i] >> part / 2 * 4 & 15) | (qh[i] >> part * 2 & 3) << 4;
            out[16 * g + i] = dl * (float)(q - 32);
        }
    }
}
