/*
 * dequant.h -- the numbers that blocks of GGUF types represent, as ggml computes them: one row per type, one
 * function for a block.
 *
 * Arithmetic is that of ggml's dequantize_row functions, in float and in their order, so results are equal to
 * the last bit. The names in comments are those of ggml-common.h: d is a scale, dmin the scale of what is
 * subtracted, qs the low bits of the values, qh their high bits.
 *
 * Forks' types have no row, nor do removed ones.
 */
#ifndef NUMEL_CONTENT_DEQUANT_H
#define NUMEL_CONTENT_DEQUANT_H

#include "content/decode.h"

/* The row of a block type, or NULL. Blocks are little-endian. */
const struct decoder *dequant_find(const numel_dtype *type);
size_t dequant_count(void);
const struct decoder *dequant_at(size_t i);

#endif
