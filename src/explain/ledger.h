/*
 * ledger.h -- a model as a short list of entries that a count may include or leave out.
 *
 * An entry consists of all tensors of one line of the spec that count alike: the q projections of all 32
 * layers, the final norm, the scales that a quantizer wrote. It has traits, a number of elements for each way
 * of counting, and its growth if a size of the model grows by one. Wrong counts usually include some entries
 * and leave out others, or use another size; explain.h finds out which.
 *
 * Layers with the same entries are of one kind. Entries inside layers belong to a kind, so "one layer" means
 * the entries of a kind divided by its number of layers. For a checkpoint, an entry has the stored tensors,
 * at the size that the model gives them; for a configuration, the expected ones. Apart from the parameters,
 * there are entries that only some people count: tied copies (stored or not), buffers, prediction layers,
 * scales.
 */
#ifndef NUMEL_EXPLAIN_LEDGER_H
#define NUMEL_EXPLAIN_LEDGER_H

#include "model/meaning.h"
#include "statement/handle.h"

/* Sizes that may be mistaken for another. ledger.c has their symbols. */
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
    numel_str name; /* of the first tensor; {NULL, 0} if there is none */
    uint32_t traits;
    uint32_t line, kind; /* a line of the spec; a kind of layers, or NO_KIND */
    uint32_t before;     /* the previous entry for that line, plus 1 */
    uint64_t tensors;
    uint64_t elements; /* as the model counts them */
    uint64_t full;     /* with as many key and value heads as query heads */
    uint64_t raw;      /* as stored, with packed values not expanded */
    uint64_t grows[DIMENSIONS];
    uint64_t stack;        /* number of routed experts; else 1 */
    uint32_t next;         /* the next entry with its role; UINT32_MAX: none */
    bool leads;            /* the first entry with its role */
    const char *described; /* for a buffer that only some files have: number, name, shape; else NULL */
};

#define NO_KIND UINT32_MAX
enum { LEDGER_KINDS = 64 };

struct layer_kind {
    uint64_t hash;
    uint64_t layers; /* how many are of this kind */
    int64_t first;   /* number of the first layer */
    uint32_t line;   /* that of the loop */
    uint32_t traits; /* those that all its entries have */
};

struct dimension_value {
    const char *symbol; /* "V", "vocab_size"; NULL: not in the model */
    int64_t value;
};

struct ledger {
    struct model *model;
    struct handle *c;          /* NULL: a configuration alone */
    const struct expansion *x; /* perhaps folded, without a checkpoint; NULL: a checkpoint without a
                                * formula */
    struct arena *arena;       /* the model's */
    struct entry *entries;
    size_t count, cap;
    uint32_t *of_line;       /* by line of the spec: its latest entry, plus 1 */
    uint64_t heads, stacked; /* the values of H and N; 0 if there are none */
    struct layer_kind kinds[LEDGER_KINDS];
    uint32_t kind_count; /* any more kinds share the last one */
    struct dimension_value dimensions[DIMENSIONS];
    uint64_t used;                   /* number of experts that a token uses; 0: unknown */
    uint64_t experts;                /* the largest stack */
    uint64_t positions;              /* as many as the configuration allows; 0: unknown */
    uint64_t data_bytes, file_bytes; /* for a checkpoint; else 0 */
    uint64_t stored;
    bool all_tower; /* an image or audio model alone, whose layers are those of its tower */
};

/* For a checkpoint, or for a configuration alone, which then needs a formula. The entries for a checkpoint
 * without one come from names (ledger_names.c). OVERFLOW, NOMEM. */
NUMEL_MUST bool ledger_make(struct ledger *l, struct handle *c, numel_error *e);
void ledger_done(struct ledger *l);
/* The value of a symbol in the spec, "E"; 0 if there is none, or if it is not a plain number. */
int64_t ledger_symbol(const struct ledger *l, const char *name);

#endif
