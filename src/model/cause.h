/*
 * cause.h -- a tensor's role in the model, how it fits what is expected, and the evidence for that.
 *
 * Every tensor has exactly one cause. The statement (statement.h) sums over causes, so it cannot leave a
 * tensor out. A cause is harmless if a checkpoint may store such a tensor in addition to its weights (a tied
 * copy, a buffer); otherwise it is a disagreement.
 *
 * Every tensor also has a ground, the evidence for its cause:
 *
 *   shape  a line of a spec or layout expects or allows this name with exactly this shape and a fitting type
 *   name   the name was recognised, but the shape, the number and the module were not checked
 *   none   unknown
 *
 * Only ground `shape` proves anything.
 */
#ifndef NUMEL_MODEL_CAUSE_H
#define NUMEL_MODEL_CAUSE_H

#include <stdbool.h>

/* name, code, text, harmless; in the order of the statement. The code is part of the contract and never
 * changes; the text is for people. */
#define CAUSES(X)                                                                \
    X(EXPECTED, "formula", "formula", true)                                      \
    X(BUFFER, "buffers", "buffers", true)                                        \
    X(TIED_COPY, "tied", "tied copy stored", true)                               \
    X(EXTRA, "extra", "stored but not loaded", true)                             \
    X(SIDECAR, "quant", "quantization scales and zero points", true)             \
    X(ROPE, "rope", "rotary factors", true)                                      \
    X(LEFTOVER, "leftover", "leftovers of old writers", true)                    \
    X(LORA, "lora", "LoRA adapters", true)                                       \
    X(TOWER, "tower", "another tower", true)                                     \
    X(HEAD, "head", "task head", true)                                           \
    X(OPTIMIZER, "optimizer", "optimizer states", true)                          \
    X(EMA, "ema", "averaged copy (EMA)", true)                                   \
    X(STEPS, "steps", "steps and rates of training", true)                       \
    X(STRAY_STATE, "optimizer-off", "states that fit no weight", false)          \
    X(QUANT_BIAS, "quant-bias", "biases that a quantizer wrote", true)           \
    X(FUSED_TWICE, "fused-twice", "stored fused and split", false)               \
    X(EXTRA_LAYER, "extra-layer", "layers beyond the configuration's", false)    \
    X(EXTRA_EXPERT, "extra-expert", "experts beyond the configuration's", false) \
    X(REPEATED, "repeated", "in two files", false)                               \
    X(UNKNOWN, "unknown", "unknown", false)

enum cause {
#define X(name, code, text, harmless) CAUSE_##name,
    CAUSES(X)
#undef X
        CAUSE_COUNT
};

enum ground { GROUND_NONE, GROUND_NAME, GROUND_SHAPE, GROUND_COUNT }; /* weakest first */
const char *ground_text(enum ground g);

const char *cause_code(enum cause c);
const char *cause_text(enum cause c);
bool cause_harmless(enum cause c);
/* True if the tensor's class is "buffer". */
static inline bool cause_is_buffer(enum cause c)
{
    return c == CAUSE_BUFFER || c == CAUSE_ROPE || c == CAUSE_LEFTOVER;
}

enum fit {
    FIT_ABSENT, /* no such tensor */
    FIT_SAME,
    FIT_BARE,       /* the right shape, but floats of 8 bits or fewer without a scale */
    FIT_PACKED,     /* quantized: fewer stored elements represent the expected ones */
    FIT_PADDED,     /* has extra rows at the end, which the class cuts off */
    FIT_VOCABULARY, /* more or fewer rows than the vocabulary */
    FIT_TYPE,       /* the right shape, in a type that weights never have */
    FIT_WRONG
};
/* True if the tensor represents the expected elements, however they are stored. */
static inline bool fit_stands_for(enum fit f) { return f == FIT_PACKED || f == FIT_PADDED; }
/* True if the shape or type is not the expected one: a mismatch, whatever the cause. */
bool fit_is_off(enum fit f);

#endif
