/*
 * unpack.h -- the numbers of a weight that a quantizer stored as several tensors: rows of the plain matrix,
 * [out, in], computed from codes, scales and zero points.
 *
 *     scaled   w = v * s          v: FP8, INT8; s: one for a block of rows and columns (FP8 blocks: scale_inv)
 *              INT8 may have zero points: (v - z) * s
 *     mxfp8    the same, s an exponent (E8M0); v in bytes, or in words of them
 *     mxfp4    the same, v of 4 bits (E2M1), the first in the low bits of a byte
 *     nvfp4    w = v * (s * t)    v as mxfp4, s: E4M3, t: one scale of all scales. nvfp4_less: s / t
 *     int8     w = v * s / 127    bitsandbytes: s is a row's largest
 *     gptq     w = (q - z - 1) * s    q packed along the inputs, [in * bits / 32, out]; z along the outputs; the
 *              group of an input by g_idx, or in order. z + 1 wraps (unpack_words.c). gptq_v2: without the 1
 *     awq      the same without the 1; q packed along the outputs, in the order 0 2 4 6 1 3 5 7
 *     bnb4     w = code[q] * s    a block of values has one s; of double quantization s = code[q] * t + offset
 *     hqq      w = (q - z) * s    planes of groups: unpack_flat.c
 *     quanto   w = q * s - z      the same
 *     mlx      w = q * s + b      q packed along the inputs, [out, in * bits / 32]
 *     pack     w = (q - z) * s    compressed-tensors: as mlx, z packed along the outputs; 2^(bits-1) if none
 *
 * Arithmetic is in float. q - z is exact, so each number is rounded once, with b twice; libraries compute in
 * the type of the scales or of the model, and so may round once more.
 *
 * The caller proves the dims (model/packed.h); here types are checked. Shards may part a weight from its scales.
 */
#ifndef NUMEL_CONTENT_UNPACK_H
#define NUMEL_CONTENT_UNPACK_H

#include "content/decode.h"
#include "source/stream.h"

/* Rows that are computed at once, if there are as many: whole words of codes of any number of bits. Of short rows
 * more, because methods that pack along the outputs read a piece of each input's row. */
static inline uint64_t unpack_band(uint64_t in) { return in <= 8192 ? 128 : in <= 16384 ? 64 : 32; }

struct unpack_method;
struct unpack {
    const struct unpack_method *method;
    uint64_t stack, out, in; /* stack: experts in one tensor, else 1 */
    uint64_t bits, group;    /* group 0: a row */
    uint64_t block[2];       /* scaled and like methods: rows and columns of a scale */
    bool tiled;              /* scales are in tiles */
    const numel_file *files; /* of the checkpoint */
    const numel_tensor *value, *scale, *nested, *zero, *index, *code, *nested_code; /* NULL: none */
    float offset;                                                                   /* of nested scales */
    size_t scratch; /* set by unpack_ready(): bytes for unpack_rows() */
};

/* NULL if the word is unknown. */
const struct unpack_method *unpack_method(const char *word);
/* Can it be computed? Sets `scratch`. */
bool unpack_ready(struct unpack *u);
/* Its tensors, i below UNPACK_PARTS; NULL: it has none of that kind. */
enum { UNPACK_PARTS = 7 };
const numel_tensor *unpack_part(const struct unpack *u, unsigned i);
/* Do equal tensors have equal numbers? */
bool unpack_alike(const struct unpack *a, const struct unpack *b);
static inline uint64_t unpack_elements(const struct unpack *u) { return u->stack * u->out * u->in; }
/* How many rows can be computed from that row on: up to a band, of one expert. */
uint64_t unpack_step(const struct unpack *u, uint64_t row);
/* Writes `rows` rows from a multiple of the band in its expert on. `s`: the file of the value; others are
 * opened. LIMIT: a
 * group index is too large; errors of the stream. */
NUMEL_MUST bool unpack_rows(const struct unpack *u, struct stream *s, uint64_t row, uint64_t rows,
                            uint8_t *scratch, float *out, numel_error *e);

#endif
