/*
 * diff.h -- compares two checkpoints: which tensors correspond, and why the counts differ.
 *
 *   link     tensors of A with the same contents as tensors of B: one and one, several and one (experts
 *            that a converter stacks, q, k and v that it merges), or one and none
 *   change   how the two ends of a link differ, from names, shapes and types alone
 *   cause    why: an effect of a converter (cause.c), else the change itself
 *
 * Every tensor of either side is in exactly one link, so the elements of A, plus the differences
 * of all links, are the elements of B: the statement closes by construction, which is checked again
 * (statement/line.h).
 * Pairs are found in this order: by the name that a spec gives a tensor in the other format, or, in one
 * format, by the same name; by role and layer, if a spec fits either side; by the whole that a role is
 * a part of (qkv for q, k and v); by names with different prefixes.
 *
 * In one format the checkpoints are equal if names, shapes and types are, or if one is the other
 * quantized, in GGUF (requantize.c). Between PyTorch and safetensors names, shapes and types stay, too, but
 * the writer may leave out copies, buffers and training states. Across formats, GGUF and another, nothing is
 * identical: there they are equal if a conversion explains each difference. Data is not read.
 */
#ifndef NUMEL_DIFF_DIFF_H
#define NUMEL_DIFF_DIFF_H

#include "statement/handle.h"

enum { A, B };

/* name, code, text; from the smallest change to the largest. */
#define CHANGES(X)                            \
    X(SAME, "same", "same")                   \
    X(RENAMED, "renamed", "renamed")          \
    X(RETYPED, "retyped", "dtype changed")    \
    X(QUANTIZED, "quantized", "quantized")    \
    X(REARRANGED, "rearranged", "rearranged") \
    X(RESHAPED, "reshaped", "reshaped")       \
    X(REMOVED, "removed", "removed")          \
    X(ADDED, "added", "added")

enum change {
#define X(name, code, text) CHANGE_##name,
    CHANGES(X)
#undef X
        CHANGE_COUNT
};

const char *change_code(enum change c);
const char *change_text(enum change c);

/* name, code, text, explains: effects of a converter, and other causes; `explains` counts only across
 * formats. */
#define DIFF_CODES(X)                                                \
    X(REPEATED, "repeated", "in two files", false)                   \
    X(ROPE, "rope", "rotary factors", true)                          \
    X(TIED, "tied", "tied copy", true)                               \
    X(STATES, "training", "training states", true)                   \
    X(SCALES, "quant", "quantization scales", true)                  \
    X(LORA, "lora", "LoRA adapters", false)                          \
    X(SCALARS, "metadata-scalars", "scalars kept as metadata", true) \
    X(LEFTOVER, "leftover", "leftovers of old writers", true)        \
    X(MTP, "mtp", "prediction layers (MTP)", true)                   \
    X(TOWER, "tower", "towers (GGUF: mmproj)", true)                 \
    X(HEAD, "head", "pooler and task heads", true)                   \
    X(BUFFERS, "buffers", "buffers", true)                           \
    X(EXTRA, "extra", "stored but not loaded", true)                 \
    X(NO_PLACE, "no-place", "no place in GGUF", true)                \
    X(CONVERTER, "converter", "made by the converter", true)         \
    X(PADDED, "vocabulary-rows", "rows of the vocabulary", true)     \
    X(VOCABULARY, "vocabulary", "vocabulary", false)                 \
    X(POSITIONS, "positions", "positions of the padding", true)      \
    X(STACKED, "stacked", "experts stacked", true)                   \
    X(REGROUPED, "regrouped", "merged or split", true)               \
    X(SQUEEZED, "squeezed", "dimensions of 1", true)                 \
    X(TRANSPOSED, "transposed", "transposed", true)                  \
    X(SHAPED, "gguf-shape", "shapes that GGUF has", true)            \
    X(DECLARED, "bytes-declared", "bytes declared", false)           \
    X(PACKED, "packed", "packed values", true)                       \
    X(LAYERS, "layers", "layers", false)                             \
    X(EXPERTS, "experts", "experts", false)                          \
    X(RENUMBERED, "layers-renumbered", "layers renumbered", false)   \
    X(PREFIX, "prefix", "prefix", false)

enum {
#define X(name, code, text, explains) DIFF_##name,
    DIFF_CODES(X)
#undef X
        DIFF_CHANGES, /* DIFF_CHANGES + CHANGE_ADDED, ...: links without a cause, named by their change */
    DIFF_CODE_COUNT = DIFF_CHANGES + CHANGE_COUNT
};
extern const struct line_code diff_codes[DIFF_CODE_COUNT];

struct link {
    uint32_t first[2], count[2];    /* a range of each side's members */
    uint64_t elements[2], bytes[2]; /* of all members, as stored */
    uint8_t change;
    const struct line_code *cause; /* NULL: only the change */
};

#define NO_LINK UINT32_MAX

struct diff_side {
    const numel_checkpoint *ck;
    const struct registry *r;
    struct handle *model; /* the caller's; made only if names do not suffice */
    struct handle *c;     /* the same once it is made, else NULL */
    uint32_t *link;       /* by tensor */
    uint32_t *foreign;    /* by tensor: the row of the other side's expansion that names it, or
                             NAMES_ABSENT */
    uint32_t *members;    /* tensors in the order of links */
    bool names_other;     /* its spec has names for the other format */
};

struct diff_layers {  /* layers or experts that only one side has */
    const char *kind; /* "layers" */
    const char *stem; /* "model.layers" */
    uint64_t count[2];
    const char *only[2]; /* "[28-31]", or "" */
    bool renumbered;     /* the others have new numbers */
    const char *note;    /* the same in words: filled by the report */
};

struct renumbered { /* a stem whose layers have different numbers in the two checkpoints */
    numel_str stem; /* "model.layers." */
    uint64_t (*pairs)[2];
    size_t count;
    const struct renumbered *next;
};

struct diff_fact { /* a key of metadata or configuration */
    numel_str key;
    const char *text[2]; /* short; NULL: that side has none */
};

struct diff_types { /* tensors with another type in B */
    const char *from, *to;
    uint64_t tensors, elements;
};

struct diff {
    const numel_allocator *memory;
    struct arena *arena; /* of the report */
    struct diff_side side[2];
    bool cross;                          /* one is GGUF, the other is not */
    bool rewritten;                      /* one is PyTorch, the other safetensors */
    bool by_role;                        /* a spec helped to pair */
    const struct renumbered *renumbered; /* a list; NULL: equal numbers are equal layers */
    struct link *links;
    size_t count;
    struct diff_fact *facts;
    size_t fact_count;
    struct diff_layers *layers;
    size_t layer_count;
    struct tally tally;            /* B minus A; the largest line first */
    size_t changes[CHANGE_COUNT];  /* links */
    size_t same;                   /* tensors of A */
    size_t moved;                  /* links of one tensor each, in a file of another name */
    bool requantized;              /* B is A, with the types of matrices changed */
    const char *no_requantization; /* only types differ, but why B is not A requantized; or NULL */
    struct diff_types *types;      /* if requantized: the most elements first */
    size_t type_count;
    const char *lost;     /* a loss of the conversion that no tensor shows; NULL: none */
    uint64_t unexplained; /* elements, the absolute differences summed */
    size_t unexplained_links;
    bool equal;
    numel_error *error;
};

/* Everything is in the arena, except the models, which must outlive it. NOMEM; OVERFLOW if elements or bytes
 * do not fit in 63 bits; errors of making the models. */
NUMEL_MUST bool diff_make(struct diff *d, struct handle *a, struct handle *b, struct arena *arena,
                          numel_error *e);

static inline const numel_tensor *diff_tensor(const struct diff *d, const struct link *l, int side,
                                              uint32_t i)
{
    const struct diff_side *s = &d->side[side];
    return &s->r->tensors[s->members[l->first[side] + i]];
}

/* The site of a tensor, by its own side's spec or by the other's names for this side; NULL if none has it.
 * *index (may be NULL) gets its position in its stack. */
const struct site *diff_site(const struct diff *d, int side, uint32_t tensor, uint32_t *index);

/* pair.c: gives tensors that correspond the same number, below *count, in side[].link; NO_LINK: unpaired.
 * Makes the sides' models if names do not suffice. */
bool diff_pair(struct diff *d, uint32_t *count);
/* The models of both sides, where they are not made yet. */
NUMEL_MUST bool diff_make_models(struct diff *d);
/* The whole that the role is a part of, "qkv", and the stem before it, "attn."; NULL: none. */
const char *diff_whole_of(numel_str role, numel_str *stem);

/* prefix.c: pairs names of one format with different prefixes; the cause of such links. */
bool diff_pair_prefixes(struct diff *d, uint32_t *count);
NUMEL_MUST bool diff_find_prefixes(struct diff *d);

/* renumber.c: diff.renumbered. */
bool diff_find_renumbered(struct diff *d);
/* The entry for a name's first number, with the number and its start; NULL if it keeps its number. */
const struct renumbered *diff_renumbered(const struct diff *d, numel_str name, uint64_t *number,
                                         size_t *start);
/* The number of a side's layer on the other side; false if it is not there. */
bool diff_other_number(const struct renumbered *r, int side, uint64_t number, uint64_t *other);

/* change.c. The values of a tensor are logical: more than its elements if it is packed. */
enum change diff_change_of(const struct diff *d, const struct link *l);
uint64_t diff_values(const struct diff *d, int side, uint32_t tensor);
bool diff_same_dims(const numel_tensor *a, const numel_tensor *b);
/* The same dimensions, except the first, the number of rows. */
bool diff_same_rows(const numel_tensor *a, const numel_tensor *b);

/* cause.c: why the ends of a link differ; NULL if the cause is unknown. */
const struct line_code *diff_cause_of(const struct diff *d, const struct link *l);

/* shared.c: the cause of tensors of a PyTorch file that are others' bytes. */
NUMEL_MUST bool diff_find_shared(struct diff *d);

/* layers.c: sets the cause of links in layers that only one side has, and diff.layers. */
bool diff_find_layers(struct diff *d);

/* facts.c: diff.facts, of metadata and config.json. */
bool diff_find_facts(struct diff *d);

/* requantize.c: diff.requantized and its reasons, from links and facts. */
NUMEL_MUST bool diff_find_requantized(struct diff *d);

/* ---- folded for display: fold.c ------------------------------------------------------ */

struct diff_row {            /* links that differ only in the numbers in their names */
    const char *name;        /* "model.layers.[0-31].mlp.up_proj.weight" */
    const char *what;        /* "[11008 -> 14336, 4096]", "BF16 -> Q4_K" */
    const struct link *link; /* the first of them */
    uint64_t times;
    int64_t elements, bytes;
};

/* The links that differ, or all; the largest change first. */
NUMEL_MUST bool diff_fold(const struct diff *d, bool all, struct diff_row **rows, size_t *count);

/* table.c: the rows under headings; without `all`, omits rows that the statement shows. */
struct diff_entry {
    const char *name;           /* below a heading, the rest of it */
    const struct diff_row *row; /* NULL: a heading */
    unsigned depth;
};
NUMEL_MUST bool diff_table(const struct diff *d, const struct diff_row *rows, size_t count, bool all,
                           struct diff_entry **out, size_t *out_count);

#endif
