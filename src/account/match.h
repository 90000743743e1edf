/*
 * match.h -- each tensor of a checkpoint against what its architecture expects, and each expected
 * tensor against the checkpoint.
 *
 * Every tensor gets exactly one cause, every expected tensor that is not there a gap; the statement
 * of statement.h is sums over these, so that nothing can be left out of it. A cause is harmless when
 * the checkpoint holds what it should beside it (a tied copy, a buffer), else it disagrees.
 */
#ifndef NUMEL_ACCOUNT_MATCH_H
#define NUMEL_ACCOUNT_MATCH_H

#include "account/understand.h"

/* name, text, harmless. The order is that of the statement. */
#define CAUSES(X)                                                                  \
    X(EXPECTED, "formula", true)                                                   \
    X(BUFFER, "buffers", true)                                                     \
    X(TIED_COPY, "tied copy stored", true)                                         \
    X(EXTRA, "stored but not loaded", true)                                        \
    X(SIDECAR, "quantization scales and their kin", true)                          \
    X(ROPE, "rotary factors", true)                                                \
    X(LEFTOVER, "leftovers of old writers", true)                                  \
    X(LORA, "LoRA adapters", true)                                                 \
    X(TOWER, "another tower", true)                                                \
    X(HEAD, "task head", true)                                                     \
    X(QUANT_BIAS, "biases that a quantizer wrote", true)                           \
    X(FUSED_TWICE, "stored fused and split", false)                                \
    X(EXTRA_LAYER, "layers beyond the configuration's", false)                     \
    X(EXTRA_EXPERT, "experts beyond the configuration's", false)                   \
    X(REPEATED, "in two files", false)                                             \
    X(UNKNOWN, "unknown", false)

enum cause {
#define X(name, text, harmless) CAUSE_##name,
    CAUSES(X)
#undef X
        CAUSE_COUNT
};

const char *cause_text(enum cause c);
bool cause_harmless(enum cause c);

enum fit {
    FIT_ABSENT, /* no such tensor */
    FIT_SAME,
    FIT_PACKED, /* quantized: fewer stored elements stand for the expected ones */
    FIT_VOCABULARY, /* more or fewer rows than the vocabulary */
    FIT_WRONG
};

struct tensor_match {
    uint32_t row; /* of the expansion, or NAMES_ABSENT */
    uint8_t cause, fit;
};

struct row_match {
    uint32_t tensor; /* of the registry, or NAMES_ABSENT */
    uint8_t fit;
    bool excused; /* absent, and nothing is missed: a tied copy, another alternative is there */
};

struct match {
    struct understanding *u;
    struct tensor_match *tensors; /* by number of the registry; of the arena */
    struct row_match *rows;       /* by number of the expansion */
    int64_t layers;               /* largest layer of the expansion + 1 */
    bool quantized;               /* a weight of at most 8 bits a value, or a configuration that says so */
};

/* Needs u->x. */
bool match_make(struct match *m, struct understanding *u, numel_error *e);

/* The cause of a tensor that no spec expects, by its name; UNKNOWN when it says nothing. */
enum cause leftover_cause(struct match *m, const numel_tensor *t);
/* The packed form of an expected weight, "P.qweight" for "P.weight"; NAMES_ABSENT when none. `even`:
 * each value takes the same whole number of bits in it. */
uint32_t leftover_packed(struct match *m, numel_str expected, bool *even);

#endif
