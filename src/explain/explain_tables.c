/*
 * explain_tables.c -- what people count, leave out, add or mistake. To add a cause, add a row. Costs are in
 * bits, and reflect how often a cause occurred among figures that are already explained.
 */
#include "explain/explain.h"

#define LAYER TRAIT_LAYER
#define BESIDE TRAIT_BESIDE

/* The first scope is the whole model; without steps, it equals num_parameters(). */
/* clang-format off */
const struct scope scopes[] = {
    { { "parameters", "parameters", true }, 0, 0, 0, false, false, false, 0 },
    { { "all-layers", "all layers", true }, LAYER, 0, 0, false, false, false, 2 },
    { { "matrices-of-layers", "matrices of the layers", true },
      LAYER, 0, TRAIT_FLAT, false, false, false, 3 },
    { { "one-layer", "one layer", true }, LAYER, 0, 0, true, false, true, 2 },
    { { "matrices-of-layer", "matrices of one layer", true }, LAYER, 0, TRAIT_FLAT, true, false, true, 3 },
    { { "attention-of-layer", "attention of one layer", true },
      LAYER | TRAIT_ATTENTION, 0, TRAIT_NORM, true, false, false, 3 },
    { { "qkv-of-layer", "q, k and v of one layer", true },
      LAYER | TRAIT_QKV, 0, TRAIT_NORM, true, false, false, 3 },
    { { "feed-forward-of-layer", "feed-forward of one layer", true },
      LAYER | TRAIT_FFN, 0, TRAIT_NORM, true, false, false, 3 },
    { { "gate-up-of-layer", "gate and up of one layer", true },
      LAYER | TRAIT_FFN | TRAIT_GATE_UP, 0, 0, true, false, false, 4 },
    { { "routed-experts-of-layer", "routed experts of one layer", true },
      LAYER | TRAIT_EXPERT, 0, 0, true, false, false, 3 },
    { { "norms-of-layer", "norms of one layer", true }, LAYER | TRAIT_NORM, 0, 0, true, true, false, 3 },
    { { "attention-of-layers", "attention of all layers", true },
      LAYER | TRAIT_ATTENTION, 0, TRAIT_NORM, false, false, false, 3 },
    { { "qkv-of-layers", "q, k and v of all layers", true },
      LAYER | TRAIT_QKV, 0, TRAIT_NORM, false, false, false, 4 },
    { { "feed-forward-of-layers", "feed-forward of all layers", true },
      LAYER | TRAIT_FFN, 0, TRAIT_NORM, false, false, false, 3 },
    { { "feed-forward-routers-of-layers", "feed-forward and routers of all layers", true },
      LAYER, TRAIT_FFN | TRAIT_ROUTER, TRAIT_NORM, false, false, false, 4 },
    { { "routed-experts-of-layers", "routed experts of all layers", true },
      LAYER | TRAIT_EXPERT, 0, 0, false, false, false, 3 },
    { { "norms-of-layers", "norms of all layers", true }, LAYER | TRAIT_NORM, 0, 0, false, true, false, 3 },
    { { "all-norms", "all norms", true }, TRAIT_NORM, 0, 0, false, true, false, 3 },
    { { "all-biases", "all biases", true }, TRAIT_BIAS, 0, TRAIT_BUFFER, false, true, false, 3 },
    { { "vectors", "1-D tensors alone", true }, TRAIT_FLAT, 0, TRAIT_TOWER, false, true, false, 4 },
    { { "all-vectors", "all 1-D tensors", true }, TRAIT_FLAT, 0, 0, false, true, false, 3 },
    { { "token-embeddings", "token embeddings", true }, TRAIT_TOKENS, 0, 0, false, false, false, 3 },
    { { "embedding-tables", "all embedding tables", true }, TRAIT_TABLE, 0, 0, false, true, false, 3 },
    { { "output-head", "output head", true }, TRAIT_HEAD, 0, 0, false, false, false, 3 },
    { { "embeddings-and-head", "token embeddings and output head", true },
      0, TRAIT_TOKENS | TRAIT_HEAD, 0, false, false, false, 3 },
    { { "outside-layers", "everything outside the layers", true }, 0, 0, LAYER, false, false, false, 4 },
    { { "towers-projectors", "towers and projectors", true },
      0, TRAIT_TOWER | TRAIT_PROJECTOR, 0, false, false, false, 3 },
    { { "towers", "towers alone", true }, TRAIT_TOWER, 0, TRAIT_PROJECTOR, false, false, false, 3 },
    { { "buffers", "buffers", true }, TRAIT_BUFFER, 0, TRAIT_MTP | TRAIT_EXTRA, false, true, false, 3 },
    { { "masks", "causal masks of old files", true },
      TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_MASK, 0, 0, false, true, false, 4 },
    { { "rope-frequencies", "rotary frequencies of old files", true },
      TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_ROPE, 0, 0, false, true, false, 4 },
    { { "mtp", "multi-token prediction", true }, TRAIT_MTP, 0, 0, false, false, false, 3 },
    { { "quant", "quantization scales", true }, TRAIT_SCALE, 0, 0, false, true, false, 5 },
    { { "packed-weights", "packed weights", true }, TRAIT_PACKED, 0, TRAIT_BESIDE, false, false, false, 3 },
    { { "lora", "LoRA adapters", true }, TRAIT_LORA, 0, 0, false, true, false, 2 },
};
/* clang-format on */
const size_t scope_rows = sizeof scopes / sizeof *scopes;

/* In the order of a statement: added, resized, left out. */
/* clang-format off */
const struct step steps[] = {
    { { "tied-twice", "tied tensor counted twice", true },
      STEP_WITH, TRAIT_TIED, 0, TRAIT_MTP, 1, "a second name of the embeddings" },
    { { "with-buffers", "with buffers", true }, STEP_WITH, TRAIT_BUFFER, 0, TRAIT_EXTRA, 2, NULL },
    { { "with-masks", "with causal masks", true },
      STEP_WITH, TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_MASK, 0, 0, 2, "of old files" },
    { { "with-rope", "with rotary frequencies", true },
      STEP_WITH, TRAIT_BUFFER | TRAIT_EXTRA | TRAIT_ROPE, 0, 0, 2, "of old files" },
    { { "with-other-buffers", "with other buffers of old files", true },
      STEP_WITH, TRAIT_BUFFER | TRAIT_EXTRA, 0, TRAIT_MASK | TRAIT_ROPE, 3, NULL },
    { { "with-mtp", "with multi-token prediction", true }, STEP_WITH, TRAIT_MTP, 0, 0, 2, NULL },
    { { "with-quant", "with quantization scales", true }, STEP_WITH, TRAIT_SCALE, 0, 0, 2, NULL },
    { { "with-lora", "with LoRA adapters", true }, STEP_WITH, TRAIT_LORA, 0, 0, 2, NULL },
    { { "with-not-loaded", "with tensors stored but not loaded", true },
      STEP_WITH, TRAIT_EXTRA, 0, TRAIT_BUFFER, 3, NULL },
    { { "with-unknown", "with unknown tensors", true }, STEP_WITH, TRAIT_OTHER, 0, 0, 3, NULL },
    { { "packed-raw", "packed values counted raw", true },
      STEP_RAW, 0, 0, 0, 2, "several values in one stored element" },
    { { "full-heads", "K and V at full heads", true },
      STEP_FULL, 0, 0, 0, 2, "grouped-query attention ignored" },
    { { "active-experts", "only the experts used", true },
      STEP_USED, TRAIT_EXPERT, 0, 0, 1, "active parameters" },
    { { "one-expert", "only one expert per layer", true }, STEP_ONE, TRAIT_EXPERT, 0, 0, 3, NULL },
    { { "without-mtp-copies", "without copies in the prediction layers", true },
      STEP_WITHOUT, TRAIT_MTP | TRAIT_TIED, 0, 0, 2, NULL },
    { { "without-head", "without output head", true },
      STEP_WITHOUT, TRAIT_HEAD, 0, TRAIT_TIED, 1, "a base model, or counted as tied" },
    { { "without-task-heads", "without task heads", true },
      STEP_WITHOUT, TRAIT_TASK, 0, TRAIT_TIED, 2, NULL },
    { { "without-pooler", "without pooler", true }, STEP_WITHOUT, TRAIT_POOL, 0, 0, 2, NULL },
    { { "without-embedding-tables", "without embedding tables", true },
      STEP_WITHOUT, TRAIT_TABLE, 0, TRAIT_MTP, 1, NULL },
    { { "without-token-embeddings", "without token embeddings", true },
      STEP_WITHOUT, TRAIT_TOKENS, 0, 0, 2, NULL },
    { { "without-position-embeddings", "without position embeddings", true },
      STEP_WITHOUT, TRAIT_POSITIONS, 0, 0, 2, NULL },
    { { "without-token-types", "without token types", true },
      STEP_WITHOUT, TRAIT_TYPES | TRAIT_TABLE, 0, 0, 3, NULL },
    { { "without-final-norm", "without final norm", true }, STEP_WITHOUT, TRAIT_FINAL, 0, 0, 2, NULL },
    { { "without-layer-norms", "without the norms of the layers", true },
      STEP_WITHOUT, TRAIT_NORM | LAYER, 0, 0, 3, NULL },
    { { "without-norms", "without norms", true }, STEP_WITHOUT, TRAIT_NORM, 0, 0, 2, NULL },
    { { "without-biases", "without biases", true }, STEP_WITHOUT, TRAIT_BIAS, 0, TRAIT_BUFFER, 2, NULL },
    { { "matrices-only", "matrices only", true }, STEP_WITHOUT, TRAIT_FLAT, 0, 0, 2, NULL },
    { { "without-routers", "without routers", true }, STEP_WITHOUT, TRAIT_ROUTER, 0, TRAIT_BUFFER, 3, NULL },
    { { "without-shared-experts", "without shared experts", true },
      STEP_WITHOUT, TRAIT_SHARED, 0, 0, 4, NULL },
    { { "without-routed-experts", "without routed experts", true },
      STEP_WITHOUT, TRAIT_EXPERT, 0, 0, 3, NULL },
    { { "without-towers-projectors", "without towers and projectors", true },
      STEP_WITHOUT, 0, TRAIT_TOWER | TRAIT_PROJECTOR, 0, 1, NULL },
    { { "without-towers", "without towers", true }, STEP_WITHOUT, TRAIT_TOWER, 0, TRAIT_PROJECTOR, 3, NULL },
    { { "without-packed-weights", "without packed weights", true },
      STEP_WITHOUT, TRAIT_PACKED, 0, 0, 3, NULL },
    { { "without-attention", "without attention", true }, STEP_WITHOUT, TRAIT_ATTENTION, 0, 0, 5, NULL },
    { { "without-feed-forward", "without feed-forward", true }, STEP_WITHOUT, TRAIT_FFN, 0, 0, 5, NULL },
};
/* clang-format on */
const unsigned step_rows = sizeof steps / sizeof *steps;
_Static_assert(sizeof steps / sizeof *steps <= STEPS_MOST, "a bit set of 64 holds the steps");

const struct line_code explain_codes[EXPLAIN_CODE_COUNT] = {
#define X(name, code, text) { code, text, true },
    EXPLAIN_CODES(X)
#undef X
};

#define MEBI UINT64_C(1048576)
#define GIBI UINT64_C(1073741824)

/* The first row means "no error". */
/* clang-format off */
const struct unit_error unit_errors[] = {
    { { "", "", true }, "", 1, 1, true, false, false, 0 },
    { { "two-bytes-each", "bytes", true }, "2 for each parameter (F16, BF16)", 2, 1, true, false, true, 4 },
    { { "four-bytes-each", "bytes", true }, "4 for each parameter (F32)", 4, 1, true, false, true, 5 },
    { { "factor-1000-too-much", "off by a factor of 1000", true },
      "too much", 1000, 1, true, true, false, 6 },
    { { "factor-1000-too-little", "off by a factor of 1000", true },
      "too little", 1, 1000, false, true, false, 6 },
    { { "factor-10-too-much", "off by a factor of 10", true }, "too much", 10, 1, true, true, false, 7 },
    { { "factor-10-too-little", "off by a factor of 10", true }, "too little", 1, 10, false, true, false, 7 },
    { { "binary-millions", "millions of 2^20", true },
      "1,048,576 taken for a million", 1000000, MEBI, false, true, false, 6 },
    { { "binary-billions", "billions of 2^30", true },
      "1,073,741,824 taken for a billion", 1000000000, GIBI, false, true, false, 6 },
    { { "gib", "GiB", true },
      "2 bytes for each parameter, in 2^30 bytes", 2000000000, GIBI, false, false, true, 6 },
};
/* clang-format on */
const unsigned unit_error_rows = sizeof unit_errors / sizeof *unit_errors;

/* clang-format off */
const struct dimension_row dimension_rows[DIMENSIONS] = {
    [DIMENSION_VOCABULARY] = { { "another-vocabulary", "another vocabulary", true }, 3 },
    [DIMENSION_WIDTH] = { { "another-width", "another feed-forward width", true }, 4 },
    [DIMENSION_EXPERT_WIDTH] = { { "another-expert-width", "another expert width", true }, 4 },
    [DIMENSION_POSITIONS] = { { "another-positions", "another number of positions", true }, 4 },
    [DIMENSION_LAYERS] = { { "another-layers", "another number of layers", true }, 4 },
};
/* clang-format on */
