/*
 * match.h -- each tensor of a checkpoint against what its architecture expects, and each expected
 * tensor against the checkpoint.
 *
 * Every tensor gets exactly one cause, every expected tensor that is not there a gap; the statement
 * of statement.h is sums over these, so that nothing can be left out of it. A cause is harmless when
 * the checkpoint holds what it should beside it (a tied copy, a buffer), else it disagrees.
 *
 * Every tensor has a ground beside its cause, that is what the cause rests on: `shape`, a line of a
 * spec (or a layout) says that this name with exactly this shape and a fitting type should or may be
 * there; `name`, its name was recognised, and nobody checked its shape, its number, or that what it
 * belongs to is there; `none`, it is unknown. Only what is on `shape` proves anything.
 */
#ifndef NUMEL_MODEL_MATCH_H
#define NUMEL_MODEL_MATCH_H

#include "model/packed.h"

struct model;

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

enum fit {
    FIT_ABSENT, /* no such tensor */
    FIT_SAME,
    FIT_BARE,       /* the shape, in floats of 8 bits or fewer, and no scale anywhere */
    FIT_PACKED,     /* quantized: fewer stored elements stand for the expected ones */
    FIT_VOCABULARY, /* more or fewer rows than the vocabulary */
    FIT_TYPE,       /* the shape, in a type that no weight has */
    FIT_WRONG
};
/* Of another shape or type than expected: a mismatch, whatever the cause. */
bool fit_is_off(enum fit f);

struct tensor_match {
    uint32_t row; /* of the expansion, or NAMES_ABSENT */
    uint8_t cause, fit, ground;
};

struct row_match {
    uint32_t tensor; /* of the registry, or NAMES_ABSENT */
    uint8_t fit;
    bool excused; /* absent, and nothing is missed: a tied copy, another alternative is there */
};

struct match {
    struct model *model;
    struct tensor_match *tensors; /* by number of the registry; of the arena */
    struct row_match *rows;       /* by number of the expansion */
    int64_t layers;               /* largest layer of the expansion + 1 */
    bool quantized;               /* a weight of at most 8 bits a value, or a configuration that says so */
    bool declared_quantized;      /* the configuration says so */
    bool named;                   /* a weight is taken for packed by its name alone */
    struct packed packed;         /* what layouts say of it; owned */
};

/* Needs model->x. Freed with match_done(), also after a failure. */
bool match_make(struct match *m, struct model *model, numel_error *e);
void match_done(struct match *m);

/* What a tensor of a row is to the whole: EXPECTED, BUFFER, TIED_COPY or EXTRA. */
enum cause match_cause_of(const struct site *s);

/* match_packed.c: the rows that a layout stores, and the tensors beside them. `own`: by tensor, the row
 * that has it by its own name; `tensor`: by row, the same the other way round. */
bool match_packed(struct match *m, const uint32_t *own, const uint32_t *tensor, numel_error *e);
/* Has a layout claimed the tensor? */
bool match_claimed(const struct match *m, uint32_t tensor);

/* The cause of a tensor that no spec expects, mostly by its name alone, and what that rests on; UNKNOWN
 * when nothing says. */
enum cause leftover_cause(struct match *m, const numel_tensor *t, enum ground *ground);
/* The packed form of an expected weight, "P.qweight" for "P.weight"; NAMES_ABSENT when none. `even`:
 * each value takes the same whole number of bits in it. */
uint32_t leftover_packed(struct match *m, numel_str expected, bool *even);
/* Is there a scale, or another of a quantizer's tensors, for the one of that name? */
bool leftover_has_sidecar(struct match *m, numel_str name);

/* The class of a tensor for lists: "weight", "buffer", "quant", "tied" or "unknown". */
const char *match_class(const struct match *m, uint32_t tensor);

#endif
