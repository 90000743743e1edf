/* dequant_internal.h -- shared by the files of dequant.h: functions that write a block's numbers. */
#ifndef NUMEL_CONTENT_DEQUANT_INTERNAL_H
#define NUMEL_CONTENT_DEQUANT_INTERNAL_H

#include "content/dequant.h"

#include "content/load.h"

/* Products and sums are rounded one by one, as ggml's builds without fused operations do. gcc does so with
 * -std=c11. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static inline float dequant_half(const uint8_t *p) { return decode_half(load16(p)); }
static inline float dequant_low(uint8_t v) { return (float)(v & 15); }
static inline float dequant_high(uint8_t v) { return (float)(v >> 4); }

/* The entries of a grid are 4 or 8 small numbers, the first in the lowest bits. */
extern const uint16_t dequant_iq2_xxs[256], dequant_iq2_xs[512], dequant_iq2_s[1024], dequant_iq1_s[2048],
    dequant_iq3_xxs[256], dequant_iq3_s[512];

/* dequant_k.c */
void dequant_q2_k(const uint8_t *p, float *out);
void dequant_q3_k(const uint8_t *p, float *out);
void dequant_q4_k(const uint8_t *p, float *out);
void dequant_q5_k(const uint8_t *p, float *out);
void dequant_q6_k(const uint8_t *p, float *out);
void dequant_q8_k(const uint8_t *p, float *out);

/* dequant_iq.c */
void dequant_iq2xxs(const uint8_t *p, float *out);
void dequant_iq2xs(const uint8_t *p, float *out);
void dequant_iq2s(const uint8_t *p, float *out);
void dequant_iq3xxs(const uint8_t *p, float *out);
void dequant_iq3s(const uint8_t *p, float *out);
void dequant_iq1s(const uint8_t *p, float *out);
void dequant_iq1m(const uint8_t *p, float *out);
void dequant_iq4nl(const uint8_t *p, float *out);
void dequant_iq4xs(const uint8_t *p, float *out);

#endif
