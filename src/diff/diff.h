/*
 * diff.h -- two checkpoints beside each other: what stands for what, and why the counts differ.
 *
 *   link     tensors of A that hold what some tensors of B hold: one and one, several and one (experts
 *            that a converter stacks, q, k and v that it merges), or one and none
 *   change   how the two ends of a link differ, read off names, shapes and types alone
 *   cause    why: what a converter does (causes of cause.c), else the change itself
 *
 * Every tensor of either side is in exactly one link, so that the elements of A, plus the differences
 * of all links, are the elements of B: the statement closes by construction, which is proven again
 * (statement/line.h).
 * Pairs are found in this order: by the name that a spec gives a tensor in the other format, or, in one
 * format, by the name as it stands; by role and layer, where a spec fits either side; by what roles
 * are parts of (q, k and v of qkv); by names that differ in their beginning.
 *
 * In one format the checkpoints are equal when names, shapes and types are, or when one is the other
 * quantized, in GGUF (requantize.c). Across formats nothing could ever be: there they are equal when a
 * conversion explains each difference. Data is not read.
 */
#ifndef NUMEL_DIFF_DIFF_H
#define NUMEL_DIFF_DIFF_H

#include "statement/handle.h"

enum { A, B };

/* name, code, text; from the least to the most. */
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

/* name, code, text, explains: what a converter does, and other causes; `explains` a difference across
 * formats. */
#define DIFF_CODES(X)                                                \
    X(REPEATED, "repeated", "in two files", false)                   \
    X(ROPE, "rope", "rotary factors", true)                          \
    X(TIED, "tied", "tied copy", true)                               \
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
        DIFF_CHANGES, /* DIFF_CHANGES + CHANGE_ADDED: links without a cause, which say how they differ */
    DIFF_CODE_COUNT = DIFF_CHANGES + CHANGE_COUNT
};
extern const struct line_code diff_codes[DIFF_CODE_COUNT];

struct link {
    uint32_t first[2], count[2];    /* a range of each side's members */
    uint64_t elements[2], bytes[2]; /* of all members, as stored */
    uint8_t change;
    const struct line_code *cause; /* NULL: the change says all */
};

#define NO_LINK UINT32_MAX

struct diff_side {
    const numel_checkpoint *ck;
    const struct registry *r;
    struct handle *model; /* as it was given; made when names do not do */
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
    bool renumbered;     /* the others do not have the numbers they had */
};

struct renumbered { /* a stem whose layers have other numbers in the other checkpoint */
    numel_str stem; /* "model.layers." */
    uint64_t (*pairs)[2];
    size_t count;
    const struct renumbered *next;
};

struct diff_fact { /* a key of metadata or configuration */
    numel_str key;
    const char *text[2]; /* short; NULL: that side has none */
};

struct diff_types { /* of tensors that have another type in B */
    const char *from, *to;
    uint64_t tensors, elements;
};

struct diff {
    const numel_allocator *memory;
    struct arena *arena; /* of the report */
    struct diff_side side[2];
    bool cross;                          /* the formats differ */
    bool by_role;                        /* a spec helped to pair */
    const struct renumbered *renumbered; /* a list; NULL: equal numbers are equal layers */
    struct link *links;
    size_t count;
    struct diff_fact *facts;
    size_t fact_count;
    struct diff_layers *layers;
    size_t layer_count;
    struct tally tally;            /* b less a; the largest line first */
    size_t changes[CHANGE_COUNT];  /* links */
    size_t same;                   /* tensors of A */
    size_t moved;                  /* links of one tensor each, in a file of another name */
    bool requantized;              /* B is A, with the types of matrices changed */
    const char *no_requantization; /* why that is all that differs, and yet it is not so; or NULL */
    struct diff_types *types;      /* if requantized: the most elements first */
    size_t type_count;
    const char *lost;     /* that the conversion should have kept, and no tensor shows; NULL: nothing */
    uint64_t unexplained; /* elements, each difference taken positive */
    size_t unexplained_links;
    bool equal;
    numel_error *error;
};

/* All lives in the arena but the models, which outlive it. NOMEM; OVERFLOW when elements or bytes do not fit
 * in 63 bits; what the user asked for and cannot be had. */
NUMEL_MUST bool diff_make(struct diff *d, struct handle *a, struct handle *b, struct arena *arena,
                          numel_error *e);

static inline const numel_tensor *diff_tensor(const struct diff *d, const struct link *l, int side,
                                              uint32_t i)
{
    const struct diff_side *s = &d->side[side];
    return &s->r->tensors[s->members[l->first[side] + i]];
}

/* The site of a tensor, by its own side's spec or by the other's names for this side; NULL: none has it.
 * *index (or NULL) gets its place in its stack. */
const struct site *diff_site(const struct diff *d, int side, uint32_t tensor, uint32_t *index);

/* pair.c: gives tensors that belong together one number, below *count, in side[].link; what stays
 * NO_LINK stands alone. Makes the sides' models when names do not do. */
bool diff_pair(struct diff *d, uint32_t *count);
/* What the role is a part of, "qkv", and what stands before that, "attn."; NULL: of nothing. */
const char *diff_whole_of(numel_str role, numel_str *stem);

/* prefix.c: pairs of one format whose names differ in their beginning; the cause of such links. */
bool diff_pair_prefixes(struct diff *d, uint32_t *count);
NUMEL_MUST bool diff_find_prefixes(struct diff *d);

/* renumber.c: diff.renumbered. */
bool diff_find_renumbered(struct diff *d);
/* The entry for a name's first number, which and where it is; NULL: it keeps its number. */
const struct renumbered *diff_renumbered(const struct diff *d, numel_str name, uint64_t *number,
                                         size_t *start);
/* What a side's layer is on the other; false when it is not there. */
bool diff_other_number(const struct renumbered *r, int side, uint64_t number, uint64_t *other);

/* change.c. The values of a tensor are those it stands for: more than its elements when packed. */
enum change diff_change_of(const struct diff *d, const struct link *l);
uint64_t diff_values(const struct diff *d, int side, uint32_t tensor);
bool diff_same_dims(const numel_tensor *a, const numel_tensor *b);
/* But for the first of them: how many rows there are. */
bool diff_same_rows(const numel_tensor *a, const numel_tensor *b);

/* cause.c: why the ends of a link differ; NULL when nothing is known to do that. */
const struct line_code *diff_cause_of(const struct diff *d, const struct link *l);

/* layers.c: the cause of links without one that stand alone in such a layer, and diff.layers. */
bool diff_find_layers(struct diff *d);

/* facts.c: diff.facts, of metadata and config.json. */
bool diff_find_facts(struct diff *d);

/* requantize.c: diff.requantized and its reasons, from links and facts. */
NUMEL_MUST bool diff_find_requantized(struct diff *d);

/* ---- folded for people: fold.c ------------------------------------------------------- */

struct diff_row {            /* links that are alike but for the numbers in their names */
    const char *name;        /* "model.layers.[0-31].mlp.up_proj.weight" */
    const char *what;        /* "[11008 -> 14336, 4096]", "BF16 -> Q4_K" */
    const struct link *link; /* the first of them */
    uint64_t times;
    int64_t elements, bytes;
};

/* The links that differ, or all; the largest change first. */
NUMEL_MUST bool diff_fold(const struct diff *d, bool all, struct diff_row **rows, size_t *count);

/* table.c: the rows under headings; without `all`, no row that the statement has. */
struct diff_entry {
    const char *name;           /* below a heading, the rest of it */
    const struct diff_row *row; /* NULL: a heading */
    unsigned depth;
};
NUMEL_MUST bool diff_table(const struct diff *d, const struct diff_row *rows, size_t count, bool all,
                           struct diff_entry **out, size_t *out_count);

#endif
