/*
 * cause.h -- what a tensor is to the model, how it fits what is expected, and what that rests on.
 *
 * Every tensor gets exactly one cause; the statement of statement.h is sums over these, so that nothing can be
 * left out of it. A cause is harmless when the checkpoint holds what it should beside it (a tied copy, a
 * buffer), else it disagrees.
 *
 * Every tensor has a ground beside its cause, that is what the cause rests on: `shape`, a line of a
 * spec (or a layout) says that this name with exactly this shape and a fitting type should or may be
 * there; `name`, its name was recognised, and nobody checked its shape, its number, or that what it
 * belongs to is there; `none`, it is unknown. Only what is on `shape` proves anything.
 */
#ifndef NUMEL_MODEL_CAUSE_H
#define NUMEL_MODEL_CAUSE_H

#include <stdbool.h>

/* name, code, text, harmless. The code is the contract's and never changes; the text is for people.
 * The order is that of the statement. */
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

enum ground { GROUND_NONE, GROUND_NAME, GROUND_SHAPE, GROUND_COUNT }; /* the weakest first */
const char *ground_text(enum ground g);

const char *cause_code(enum cause c);
const char *cause_text(enum cause c);
bool cause_harmless(enum cause c);
/* Is it of the class "buffer"? */
static inline bool cause_is_buffer(enum cause c)
{
    return c == CAUSE_BUFFER || c == CAUSE_ROPE || c == CAUSE_LEFTOVER;
}

enum fit {
    FIT_ABSENT, /* no such tensor */
    FIT_SAME,
    FIT_BARE,       /* the shape, in floats of 8 bits or fewer, and no scale anywhere */
    FIT_PACKED,     /* quantized: fewer stored elements stand for the expected ones */
    FIT_PADDED,     /* with rows behind the expected ones that the class cuts off */
    FIT_VOCABULARY, /* more or fewer rows than the vocabulary */
    FIT_TYPE,       /* the shape, in a type that no weight has */
    FIT_WRONG
};
/* Does it stand for the expected elements, whatever it stores? */
static inline bool fit_stands_for(enum fit f) { return f == FIT_PACKED || f == FIT_PADDED; }
/* Of another shape or type than expected: a mismatch, whatever the cause. */
bool fit_is_off(enum fit f);

#endif
