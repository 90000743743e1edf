/*
 * explain_tables.c -- what explain knows that people count, leave out, add or mistake: adding a cause is adding
 * a row. The costs are in bits, as often as a cause was met among figures of which the account is known.
 */
#include "explain/explain.h"

#define LAYER TRAIT_LAYER
#define BESIDE TRAIT_BESIDE

/* The first is what a model has; without steps it is num_parameters(). */
const struct scope scopes[] = {
    { "parameters", 0, 0, 0, false, false, false, 0 },
    { "all layers", LAYER, 0, 0, false, false, false, 2 },
    { "matrices of the layers", LAYER, 0, TRAIT_FLAT, false, false, false, 3 },
    { "one layer", LAYER, 0, 0, true, false, true, 2 },
    { "matrices of one layer", LAYER, 0, TRAIT_FLAT, true, false, true, 3 },
    { "attention of one layer", LAYER | TRAIT_ATTENTION, 0, TRAIT_NORM, true, false, false, 3 },
    { "q, k and v of one layer", LAYER | TRAIT_QKV, 0, TRAIT_NORM, true, false, false, 3 },
    { "feed-forward of one layer", LAYER | TRAIT_FFN, 0, TRAIT_NORM, true, false, false, 3 },
    { "gate and up of one layer", LAYER | TRAIT_FFN | TRAIT_GATE_UP, 0, 0, true, false, false, 4 },
    { "routed experts of one layer", LAYER | TRAIT_EXPERT, 0, 0, true, false, false, 3 },
    { "norms of one layer", LAYER | TRAIT_NORM, 0, 0, true, true, false, 3 },
    { "attention of all layers", LAYER | TRAIT_ATTENTION, 0, TRAIT_NORM, false, false, false, 3 },
    { "q, k and v of all layers", LAYER | TRAIT_QKV, 0, TRAIT_NORM, false, false, false, 4 },
    { "feed-forward of all layers", LAYER | TRAIT_FFN, 0, TRAIT_NORM, false, false, false, 3 },
    { "feed-forward and routers of all layers", LAYER, TRAIT_FFN | TRAIT_ROUTER, TRAIT_NORM, false, false,
      false, 4 },
    { "routed experts of all layers", LAYER | TRAIT_EXPERT, 0, 0, false, false, false, 3 },
    { "norms of all layers", LAYER | TRAIT_NORM, 0, 0, false, true, false, 3 },
    { "all norms", TRAIT_NORM, 0, 0, false, true, false, 3 },
    { "all biases", TRAIT_BIAS, 0, TRAIT_BUFFER, false, true, false, 3 },
    { "1-D tensors alone", TRAIT_FLAT, 0, TRAIT_TOWER, false, true, false, 4 },
    { "all 1-D tensors", TRAIT_FLAT, 0, 0, false, true, false, 3 },
    { "token embeddings", TRAIT_TOKENS, 0, 0, false, false, false, 3 },
    { "all embedding tables", TRAIT_TABLE, 0, 0, false, true, false, 3 },
    { "output head", TRAIT_HEAD, 0, 0, false, false, false, 3 },
    { "token embeddings and output head", 0, TRAIT_TOKENS | TRAIT_HEAD, 0, false, false, false, 3 },
    { "what is outside of the layers", 0, 0, LAYER, false, false, false, 4 },
    { "towers and projectors", 0, TRAIT_TOWER | TRAIT_PROJECTOR, 0, false, false, false, 3 },
    { "towers alone", TRAIT_TOWER, 0, TRAIT_PROJECTOR, false, false, false, 3 },
    { "buffers", TRAIT_BUFFER, 0, TRAIT_MTP | TRAIT_EXTRA, false, true, false, 3 },
    { "causal masks of old files", TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_MASK, 0, 0, false, true, false, 4 },
    { "rotary frequencies of old files", TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_ROPE, 0, 0, false, true, false,
      4 },
    { "multi-token prediction", TRAIT_MTP, 0, 0, false, false, false, 3 },
    { "quantization scales", TRAIT_SCALE, 0, 0, false, true, false, 3 },
    { "packed weights", TRAIT_PACKED, 0, TRAIT_BESIDE, false, false, false, 3 },
    { "LoRA adapters", TRAIT_LORA, 0, 0, false, true, false, 2 },
};
const size_t scope_rows = sizeof scopes / sizeof *scopes;

/* In the order of a statement: what is added, what is resized, what is left out. */
const struct step steps[] = {
    { "tied tensor counted twice", STEP_WITH, TRAIT_TIED, 0, TRAIT_MTP, 1,
      "a second name of the embeddings" },
    { "with buffers", STEP_WITH, TRAIT_BUFFER, 0, TRAIT_EXTRA, 2, NULL },
    { "with causal masks", STEP_WITH, TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_MASK, 0, 0, 2, "of old files" },
    { "with rotary frequencies", STEP_WITH, TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_ROPE, 0, 0, 2,
      "of old files" },
    { "with other buffers of old files", STEP_WITH, TRAIT_BUFFER | TRAIT_EXTRA, 0, TRAIT_MASK | TRAIT_ROPE, 3,
      NULL },
    { "with multi-token prediction", STEP_WITH, TRAIT_MTP, 0, 0, 2, NULL },
    { "with quantization scales", STEP_WITH, TRAIT_SCALE, 0, 0, 2, NULL },
    { "with LoRA adapters", STEP_WITH, TRAIT_LORA, 0, 0, 2, NULL },
    { "with what is stored and not loaded", STEP_WITH, TRAIT_EXTRA, 0, TRAIT_BUFFER, 3, NULL },
    { "with unknown tensors", STEP_WITH, TRAIT_OTHER, 0, 0, 3, NULL },
    { "packed values counted raw", STEP_RAW, 0, 0, 0, 2, "several values in one stored element" },
    { "K and V at full heads", STEP_FULL, 0, 0, 0, 2, "grouped-query attention ignored" },
    { "only the experts used", STEP_USED, TRAIT_EXPERT, 0, 0, 1, "active parameters" },
    { "only one expert a layer", STEP_ONE, TRAIT_EXPERT, 0, 0, 3, NULL },
    { "without copies in the prediction layers", STEP_WITHOUT, TRAIT_MTP | TRAIT_TIED, 0, 0, 2, NULL },
    { "without output head", STEP_WITHOUT, TRAIT_HEAD, 0, TRAIT_TIED, 1, "a base model, or counted as tied" },
    { "without task heads", STEP_WITHOUT, TRAIT_TASK, 0, TRAIT_TIED, 2, NULL },
    { "without pooler", STEP_WITHOUT, TRAIT_POOL, 0, 0, 2, NULL },
    { "without embedding tables", STEP_WITHOUT, TRAIT_TABLE, 0, TRAIT_MTP, 1, NULL },
    { "without token embeddings", STEP_WITHOUT, TRAIT_TOKENS, 0, 0, 2, NULL },
    { "without position embeddings", STEP_WITHOUT, TRAIT_POSITIONS, 0, 0, 2, NULL },
    { "without token types", STEP_WITHOUT, TRAIT_TYPES | TRAIT_TABLE, 0, 0, 3, NULL },
    { "without final norm", STEP_WITHOUT, TRAIT_FINAL, 0, 0, 2, NULL },
    { "without the norms of the layers", STEP_WITHOUT, TRAIT_NORM | LAYER, 0, 0, 3, NULL },
    { "without norms", STEP_WITHOUT, TRAIT_NORM, 0, 0, 2, NULL },
    { "without biases", STEP_WITHOUT, TRAIT_BIAS, 0, TRAIT_BUFFER, 2, NULL },
    { "matrices only", STEP_WITHOUT, TRAIT_FLAT, 0, 0, 2, NULL },
    { "without routers", STEP_WITHOUT, TRAIT_ROUTER, 0, TRAIT_BUFFER, 3, NULL },
    { "without shared experts", STEP_WITHOUT, TRAIT_SHARED, 0, 0, 4, NULL },
    { "without routed experts", STEP_WITHOUT, TRAIT_EXPERT, 0, 0, 3, NULL },
    { "without towers and projectors", STEP_WITHOUT, 0, TRAIT_TOWER | TRAIT_PROJECTOR, 0, 1, NULL },
    { "without towers", STEP_WITHOUT, TRAIT_TOWER, 0, TRAIT_PROJECTOR, 3, NULL },
    { "without packed weights", STEP_WITHOUT, TRAIT_PACKED, 0, 0, 3, NULL },
    { "without attention", STEP_WITHOUT, TRAIT_ATTENTION, 0, 0, 5, NULL },
    { "without feed-forward", STEP_WITHOUT, TRAIT_FFN, 0, 0, 5, NULL },
};
const unsigned step_rows = sizeof steps / sizeof *steps;
_Static_assert(sizeof steps / sizeof *steps <= STEPS_MOST, "a bit set of 64 holds the steps");

#define MEBI UINT64_C(1048576)
#define GIBI UINT64_C(1073741824)

/* The first is none. */
const struct unit_error unit_errors[] = {
    { "", "", 1, 1, true, false, false, 0 },
    { "bytes", "2 for each parameter (F16, BF16)", 2, 1, true, false, true, 4 },
    { "bytes", "4 for each parameter (F32)", 4, 1, true, false, true, 5 },
    { "off by a factor of 1000", "too much", 1000, 1, true, true, false, 6 },
    { "off by a factor of 1000", "too little", 1, 1000, false, true, false, 6 },
    { "off by a factor of 10", "too much", 10, 1, true, true, false, 7 },
    { "off by a factor of 10", "too little", 1, 10, false, true, false, 7 },
    { "millions of 2^20", "1,048,576 taken for a million", 1000000, MEBI, false, true, false, 6 },
    { "billions of 2^30", "1,073,741,824 taken for a billion", 1000000000, GIBI, false, true, false, 6 },
    { "GiB", "2 bytes for each parameter, in 2^30 bytes", 2000000000, GIBI, false, false, true, 6 },
};
const unsigned unit_error_rows = sizeof unit_errors / sizeof *unit_errors;

const struct dimension_row dimension_rows[DIMENSIONS] = {
    [DIMENSION_VOCABULARY] = { "another vocabulary", 3 },
    [DIMENSION_WIDTH] = { "another feed-forward width", 4 },
    [DIMENSION_EXPERT_WIDTH] = { "another expert width", 4 },
    [DIMENSION_POSITIONS] = { "another number of positions", 4 },
    [DIMENSION_LAYERS] = { "another number of layers", 4 },
};

const uint32_t vocabularies[] = { 21128,  28996,  30000,  30522,  31002,  32000,  32001,  32002,  32016,
                                  32064,  32100,  32128,  32768,  49152,  49408,  50000,  50254,  50257,
                                  50265,  50272,  50280,  50288,  50304,  50368,  50400,  51200,  51865,
                                  51866,  64000,  65024,  65536,  100256, 100277, 100352, 119547, 128000,
                                  128256, 129280, 131072, 151643, 151646, 151669, 151936, 152064, 163840,
                                  200019, 200064, 201088, 202048, 248320, 250002, 250112, 250880, 255000,
                                  256000, 256128, 262144, 262208, 262400, 0 };
