/*
 * others_codes.h -- codes of the counters' lines: why another counter's number differs from ours.
 *
 * Codes for a tensor's role in the model (a tied copy, scales) are those of statement.h. The codes here are
 * for everything else that a counter does with a tensor, and for the meaning of declared totals.
 */
#ifndef NUMEL_COUNTERS_OTHERS_CODES_H
#define NUMEL_COUNTERS_OTHERS_CODES_H

#include "statement/line.h"

/* name, code, text */
#define OTHERS_CODES(X)                                                               \
    X(OTHERWISE, "counted-otherwise", "counted otherwise")                            \
    X(AS_STORED, "packed-as-stored", "packed values, as stored")                      \
    X(RATIO, "packed-ratio", "packed values, by another ratio")                       \
    X(UNPACKED, "unpacked", "packed values unpacked")                                 \
    X(EXPONENTS, "exponents", "types of bare exponents left out")                     \
    X(SCALES_BY_NAME, "scales-by-name", "left out as scales, by name")                \
    X(SCALARS, "scalars", "scalars left out")                                         \
    X(SHOWN_INSTEAD, "declared-instead", "total_parameters is shown instead")         \
    X(EQUALS_STORED, "equals-stored", "all stored elements")                          \
    X(EQUALS_VECTORS, "equals-vectors", "only the 1-D tensors: written under ZeRO-3") \
    X(EQUALS_UNIQUE, "equals-unique", "all stored elements, copies once")             \
    X(EQUALS_FORMULA, "equals-formula", "the formula, with what is missing here")     \
    X(EQUALS_LOADED, "equals-loaded", "num_parameters() of the quantized model")      \
    X(EQUALS_MLX, "equals-mlx", "MLX's own count")                                    \
    X(EQUALS_HUB, "equals-hub", "the Hub's sum")                                      \
    X(EQUALS_NOTHING, "equals-nothing", "no sum of the tensors gives it")             \
    X(FILE_SIZES, "file-sizes", "sizes of the files, with their headers")             \
    X(FOUR_BYTES, "four-bytes", "4 bytes per element: before a cast")                 \
    X(TWO_BYTES, "two-bytes", "2 bytes per element: before a cast")                   \
    X(BEFORE_PACKING, "before-packing", "2 bytes per parameter: before packing")      \
    X(SHARDS_ABSENT, "shards-absent", "shards that are not here")                     \
    X(GPTQ_BUFFERS, "gptq-buffers", "buffers of GPTQ and AWQ layers")                 \
    X(LOADED_SCALES, "loaded-scales", "scales, parameters in PyTorch")                \
    X(TABLES, "embedding-tables", "embedding tables")                                 \
    X(MADE_ANEW, "made-anew", "missing here, newly initialized")                      \
    X(NOT_TRAINED, "not-trained", "not trained")                                      \
    X(BASE, "base", "the base model")                                                 \
    X(RANKS, "adalora-ranks", "rank counts of each module, not saved")                \
    X(OTHER_TYPES, "not-16-bits", "dtypes other than 16 bits")                        \
    X(HEADERS, "headers", "header, padding, halves")

enum {
#define X(name, code, text) OTHERS_##name,
    OTHERS_CODES(X)
#undef X
        OTHERS_CODE_COUNT
};
extern const struct line_code others_codes[OTHERS_CODE_COUNT];

#endif
