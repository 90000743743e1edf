/* unpack_internal.h -- shared by the files of unpack.h: reading the tensors of a packed weight. */
#ifndef NUMEL_CONTENT_UNPACK_INTERNAL_H
#define NUMEL_CONTENT_UNPACK_INTERNAL_H

#include "content/unpack.h"

#include "base/num.h"
#include "content/load.h"

/* Products and sums are rounded one by one. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

struct reading {
    const struct unpack *u;
    struct stream *stream;             /* NULL: measures */
    uint64_t row, rows, expert, first; /* row: in all; first: in the expert */
    uint8_t *scratch;
    uint64_t used;
    float *out;
    numel_error *error;
};

struct unpack_method {
    const char *word;
    bool (*compute)(struct reading *r);
    bool (*fits)(const struct unpack *u);
};

/* As many of `each` as hold n. */
static inline uint64_t unpack_parts(uint64_t n, uint64_t each) { return n / each + (n % each != 0); }
static inline unsigned unpack_mask(unsigned bits) { return (1u << bits) - 1; }

/* A code of up to 8 bits in a run of bytes, the first in the lowest bits. */
static inline unsigned unpack_code(const uint8_t *p, uint64_t bit, unsigned bits)
{
    const uint8_t *at = p + bit / 8;
    return ((unsigned)at[0] | (unsigned)at[1] << 8) >> bit % 8 & unpack_mask(bits);
}

/* Scratch memory, aligned for floats; NULL when measuring. */
uint8_t *unpack_take(struct reading *r, uint64_t bytes);
/* `rows` runs of `bytes`, each `width` after the last, from `at` on. */
NUMEL_MUST bool unpack_load(struct reading *r, const numel_tensor *t, uint64_t at, uint64_t width,
                            uint64_t rows, uint64_t bytes, const uint8_t **out);
/* The same of numbers, as floats; `at`, `width` and `n` in elements. */
NUMEL_MUST bool unpack_floats(struct reading *r, const numel_tensor *t, uint64_t at, uint64_t width,
                              uint64_t rows, uint64_t n, const float **out);

bool unpack_is(const numel_tensor *t, const char *type);
bool unpack_has_floats(const numel_tensor *t);

/* unpack_scaled.c, unpack_words.c, unpack_flat.c: NULL if the word is another file's. */
extern const struct unpack_method unpack_scaled_methods[], unpack_words_methods[], unpack_flat_methods[];

#endif
