/*
 * ledger.h -- a model as a short list of entries that a count may include or leave out.
 *
 * An entry is all tensors of one line of the spec that count alike: the q projections of all 32 layers,
 * the final norm, the scales that a quantizer wrote. It has traits, a number of elements for each way of
 * counting, and its growth when a size of the model grows by one. Wrong counts mostly include some entries
 * and not others, or use another size; explain.h finds which.
 *
 * Layers that hold the same entries are of one kind; entries inside layers belong to a kind, so that
 * "one layer" is a kind's entries divided by its number of layers. From a checkpoint, an entry holds the
 * stored tensors, at the size that the model gives them; from a configuration, the expected ones. Besides
 * the parameters there are entries that some count and others do not: tied copies (stored or not),
 * buffers, prediction layers, scales.
 */
#ifndef NUMEL_EXPLAIN_LEDGER_H
#define NUMEL_EXPLAIN_LEDGER_H

#include "model/meaning.h"
#include "statement/handle.h"

/* Sizes that may be mistaken for another; their symbols are in ledger.c. */
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
    numel_str name; /* of its first tensor; {NULL, 0} if it has none */
    uint32_t traits;
    uint32_t line, kind; /* of the spec; of layers, or NO_KIND */
    uint32_t before;     /* the previous entry of that line + 1 */
    uint64_t tensors;
    uint64_t elements; /* as the model counts them */
    uint64_t full;     /* with as many key and value heads as query heads */
    uint64_t raw;      /* as stored, packed values not expanded */
    uint64_t grows[DIMENSIONS];
    uint64_t stack;        /* routed experts: how many; else 1 */
    uint32_t next;         /* the next entry of its role; UINT32_MAX: none */
    bool leads;            /* it is the first of its role */
    const char *described; /* a buffer that only some files hold: number, name, shape; else NULL */
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
    const char *symbol; /* "V", "vocab_size"; NULL: not in the model */
    int64_t value;
};

struct ledger {
    struct model *model;
    struct handle *c; /* NULL: a configuration alone */
    const struct expansion
        *x;              /* may be folded for a configuration alone; NULL: a checkpoint without a formula */
    struct arena *arena; /* the model's */
    struct entry *entries;
    size_t count, cap;
    uint32_t *of_line;       /* by line of the spec: its latest entry + 1 */
    uint64_t heads, stacked; /* the values of H and N; 0: none */
    struct layer_kind kinds[LEDGER_KINDS];
    uint32_t kind_count; /* further kinds share the last */
    struct dimension_value dimensions[DIMENSIONS];
    uint64_t used;                   /* experts that a token uses; 0: unknown */
    uint64_t experts;                /* the largest stack */
    uint64_t positions;              /* that the configuration allows; 0: unknown */
    uint64_t data_bytes, file_bytes; /* of a checkpoint; else 0 */
    uint64_t stored;
    bool all_tower; /* an image or audio model alone: its tower's layers are the model's */
};

/* From a checkpoint, or from a configuration alone, which needs a formula; a checkpoint without one gets its
 * entries from names (ledger_names.c). OVERFLOW, NOMEM. */
NUMEL_MUST bool ledger_make(struct ledger *l, struct handle *c, numel_error *e);
void ledger_done(struct ledger *l);
/* The value of a symbol of the spec ("E"); 0 if there is none, or it is not a plain number. */
int64_t ledger_symbol(const struct ledger *l, const char *name);

#endif
