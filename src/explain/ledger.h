/*
 * ledger.h -- a model as a short list of entries that a count may take in or leave out.
 *
 * An entry is all tensors of one line of the spec that have the same standing: the q projections of
 * all 32 layers, the final norm, the scales that a quantizer wrote. It knows what it is (traits), how
 * many elements it has under each way of counting, and by how many it grows when a size of the model
 * grows by one. Whoever counts a model wrongly mostly counts some entries and not others, or counts
 * them with another size; explain.h tries which.
 *
 * Layers that hold the same entries are of one kind; entries inside layers belong to a kind, so that
 * "one layer" is a kind's entries divided by its number of layers. From a checkpoint, an entry holds
 * what is stored, at the size that the model gives it; from a configuration, what is expected. Beside
 * the parameters stand those entries that some count and others do not: tied copies (stored or not),
 * buffers, prediction layers, scales.
 */
#ifndef NUMEL_EXPLAIN_LEDGER_H
#define NUMEL_EXPLAIN_LEDGER_H

#include "statement/handle.h"

enum trait {
    TRAIT_LAYER = 1 << 0, /* in a layer of the model itself, not of a tower */
    TRAIT_FLAT = 1 << 1,  /* of one dimension, or none */
    TRAIT_BIAS = 1 << 2,
    TRAIT_NORM = 1 << 3,
    TRAIT_FINAL = 1 << 4,  /* the norm behind the layers */
    TRAIT_TOKENS = 1 << 5, /* the table of tokens */
    TRAIT_POSITIONS = 1 << 6,
    TRAIT_TYPES = 1 << 7, /* token types, languages, ... */
    TRAIT_TABLE = 1 << 8, /* any lookup table: what exclude_embeddings takes out */
    TRAIT_HEAD = 1 << 9,  /* from states to tokens */
    TRAIT_TASK = 1 << 10, /* another head: classes, spans, masked words */
    TRAIT_POOL = 1 << 11,
    TRAIT_ATTENTION = 1 << 12,
    TRAIT_QKV = 1 << 13,
    TRAIT_FFN = 1 << 14,     /* dense, routed or shared */
    TRAIT_GATE_UP = 1 << 15, /* its first projections */
    TRAIT_EXPERT = 1 << 16,  /* routed */
    TRAIT_SHARED = 1 << 17,
    TRAIT_ROUTER = 1 << 18,
    TRAIT_TOWER = 1 << 19, /* images, sound */
    TRAIT_PROJECTOR = 1 << 20,
    TRAIT_PACKED = 1 << 28, /* several values in one stored element */
    TRAIT_MASK = 1 << 29,   /* buffers: of causal attention */
    TRAIT_ROPE = 1 << 30,   /* of rotary frequencies */
    /* beside the parameters */
    TRAIT_TIED = 1 << 21, /* a second name of a tensor that is counted */
    TRAIT_BUFFER = 1 << 22,
    TRAIT_MTP = 1 << 23,   /* multi-token prediction */
    TRAIT_EXTRA = 1 << 24, /* what else some files hold */
    TRAIT_SCALE = 1 << 25, /* what a quantizer wrote beside the values */
    TRAIT_LORA = 1 << 26,
    TRAIT_OTHER = 1 << 27, /* stored, and none of these */
    TRAIT_BESIDE =
        TRAIT_TIED | TRAIT_BUFFER | TRAIT_MTP | TRAIT_EXTRA | TRAIT_SCALE | TRAIT_LORA | TRAIT_OTHER
};

/* Sizes that somebody may have taken for another: tables of sizes, see ledger.c. */
enum dimension {
    DIMENSION_VOCABULARY,
    DIMENSION_WIDTH,
    DIMENSION_EXPERT_WIDTH,
    DIMENSION_POSITIONS,
    DIMENSION_LAYERS,
    DIMENSIONS
};

struct entry {
    numel_str role;
    numel_str name; /* of its first tensor; {NULL, 0} for what has none */
    uint32_t traits;
    uint32_t line, kind; /* of the spec; of layers, or NO_KIND */
    uint64_t tensors;
    uint64_t elements; /* as the model counts them */
    uint64_t full;     /* with as many key and value heads as query heads */
    uint64_t raw;      /* as they are stored, packed values not expanded */
    uint64_t grows[DIMENSIONS];
    uint64_t stack;        /* routed experts: how many; else 1 */
    const char *described; /* of a buffer that only some files hold: number, name, shape; else NULL */
};

#define NO_KIND UINT32_MAX
enum { LEDGER_KINDS = 64 };

struct layer_kind {
    uint64_t hash;
    uint64_t layers; /* of this kind */
    int64_t first;   /* number of the first one */
    uint32_t line;   /* of the loop */
    uint32_t traits; /* that all its entries have */
};

struct dimension_value {
    const char *symbol; /* "V", "vocab_size"; NULL: the model has no such size */
    int64_t value;
};

struct ledger {
    struct model *model;
    struct numel_model *c; /* NULL: a configuration alone */
    struct arena *arena;   /* the understanding's */
    struct entry *entries;
    size_t count, cap;
    struct layer_kind kinds[LEDGER_KINDS];
    uint32_t kind_count; /* further kinds share the last */
    struct dimension_value dimensions[DIMENSIONS];
    uint64_t used;                   /* experts that a token passes; 0: not known */
    uint64_t experts;                /* the largest stack */
    uint64_t positions;              /* that the configuration allows; 0: not known */
    uint64_t data_bytes, file_bytes; /* of a checkpoint; else 0 */
    uint64_t stored;
    bool all_tower; /* a model of images or sound alone: its layers are the model's */
};

/* Of a checkpoint, or of a configuration alone, for which model->x is needed: without one, a
 * checkpoint's entries are told by names (ledger_names.c). OVERFLOW, NOMEM. */
bool ledger_make(struct ledger *l, struct numel_model *c, numel_error *e);
void ledger_done(struct ledger *l);
/* What a symbol of the spec is worth ("E"); 0 when it is none or no plain number. */
int64_t ledger_symbol(const struct ledger *l, const char *name);

#endif
