/*
 * layout.h -- how a quantizer stores one logical weight, as data: layouts/NAME.layout.
 *
 * A spec states that a model has a weight W with O outputs and I inputs. A layout states which tensors a file
 * has instead: their names, types and dims, in the expressions of the spec language (docs/spec.md,
 * "Layouts"). What varies (bits, group size, word) is a symbol with a list of values; the configuration may
 * state which one applies.
 *
 *     layout --(configuration, O, I)--> forms: for each choice of the symbols, the stored tensors
 *
 * A form is exact: every tensor in it has one name, a set of types, and dims. Nothing here reads a file;
 * model/packed.h compares forms with one. Without a configuration there are many forms, and the file decides:
 * its result then counts as inferred from the file itself.
 *
 * Names in a form have marks for the parts of the module's name, so that one form serves all modules of the
 * same size. layout_name() replaces the marks.
 */
#ifndef NUMEL_FORMULA_LAYOUT_H
#define NUMEL_FORMULA_LAYOUT_H

#include "formula/eval.h"
#include "formula/library.h"

enum {
    LAYOUT_LINES = 32,
    LAYOUT_STEPS = 32,
    LAYOUT_VALUES = 128, /* of one symbol */
    LAYOUT_FORMS = 4096, /* of one size */
    LAYOUT_WORDS = 8     /* lines of each kind: match, when, only, plain, over, skip, witness */
};

/* Symbols that every layout has, in this order, after those of the spec language: the weight's name, its
 * module's, its parent's, its last part, its list of experts, its outer module, and the character that joins
 * a suffix to the module ('.' or '_'); outputs, inputs, all elements; the role in the spec; the number of
 * experts in the stack. */
enum layout_given {
    GIVEN_W,
    GIVEN_M,
    GIVEN_P,
    GIVEN_L,
    GIVEN_X,
    GIVEN_U,
    GIVEN_JOIN,
    GIVEN_O,
    GIVEN_I,
    GIVEN_N,
    GIVEN_ROLE,
    GIVEN_STACK,
    LAYOUT_GIVEN
};

/* The role of a stored tensor: name, word, text for people. Only `value` stands for elements of the weight.
 * The others have a line of the statement each, `quant-WORD` (statement/statement.h). */
#define LAYOUT_BESIDE(X)                   \
    X(SCALE, "scale", "scales")            \
    X(ZERO, "zero", "zero points")         \
    X(INDEX, "index", "group indices")     \
    X(CODEBOOK, "codebook", "codebooks")   \
    X(ROTATION, "rotation", "rotations")   \
    X(SHAPE, "shape", "shapes")            \
    X(ACT, "act", "scales of activations") \
    X(MARKER, "marker", "markers")
#define LAYOUT_ROLES(X)                \
    X(VALUE, "value", "packed values") \
    LAYOUT_BESIDE(X)                   \
    X(BIAS, "bias", "biases written by a quantizer")

enum layout_role {
#define X(name, word, text) LAYOUT_##name,
    LAYOUT_ROLES(X)
#undef X
        LAYOUT_ROLE_COUNT
};

const char *layout_role_text(enum layout_role r);

enum layout_need {
    NEED_ALWAYS,
    NEED_ROLE,   /* opt: all modules of one role have it, or none */
    NEED_LAYOUT, /* opt=all: all modules of the layout, or none */
    NEED_FREE    /* opt=any: each module may have it */
};

struct layout_line {
    enum layout_role role;
    enum layout_need need;
    uint32_t name, types; /* templates */
    uint32_t dims[SPEC_DIMS];
    uint8_t ndim, any; /* bit i of any: dim i is `*` */
    bool flat;         /* no number of experts before the dims, in a stack stored as one */
    uint32_t when;     /* 0: always */
    uint32_t shared;   /* one tensor for this many weights, experts of a stack; 0: for one */
    uint32_t number;   /* in the file, for messages */
};

enum layout_step_kind { STEP_LET, STEP_SYM };

struct layout_choice {
    struct value value;
    uint32_t expr; /* replaces the value unless 0 */
};

struct layout_step {
    enum layout_step_kind kind;
    uint32_t symbol;
    uint32_t expr;                       /* LET */
    const struct layout_choice *choices; /* SYM: in order of preference */
    unsigned choice_count;
    bool open;     /* sources may give other values */
    bool quiet;    /* a spelling: not shown */
    uint32_t when; /* if false, the symbol is null; 0: always */
    uint32_t sources[4], source_count;
};

/* witness S = EXPR: another source for a symbol, or for `O` and `I`, read after all symbols have a value. */
struct layout_witness {
    uint32_t symbol, expr;
};

/* The ways in which a list in the configuration names modules. */
#define LAYOUT_HOWS(X)                                                                       \
    X(RE, "re")         /* over: keys are patterns, `-:` before one leaves plain */          \
    X(SEARCH, "search") /* over: keys are patterns, anywhere in the name */                  \
    X(PATH, "path")     /* over: keys are names of modules */                                \
    X(GROUPS, "groups") /* over: the first group whose `targets` match; none: plain */       \
    X(NAME, "name")     /* skip: a name, a parent, an ending, or a pattern */                \
    X(CT, "ct")         /* skip: as in compressed-tensors: a name, a class, or re:PATTERN */ \
    X(GLOB, "glob")     /* skip: a glob over the name, or a parent's name */                 \
    X(PART, "part")     /* skip: any part of the name */

enum layout_how {
#define X(name, word) HOW_##name,
    LAYOUT_HOWS(X)
#undef X
        HOW_COUNT
};

struct layout_list {
    const char *path; /* in the configuration; ".": all of it */
    enum layout_how how;
    bool soft; /* skip: its writer is known to ignore it */
};

/* packs: what a loader expects to be packed unless a list names it. */
enum layout_packs {
    PACKS_LINEARS, /* every linear layer */
    PACKS_BLOCKS   /* those of attention and feed-forward networks in blocks */
};

struct layout_rule_of_loader {
    enum layout_packs packs;
    const char *list; /* path of the list that names modules left plain */
    uint32_t when;    /* 0: always */
};

/* unpack METHOD EXPR... [if=EXPR]: how the weight's numbers follow from what is stored
 * (content/unpack.h has the methods). */
enum { LAYOUT_ARGS = 3 };
struct layout_unpack {
    const char *method;
    uint32_t args[LAYOUT_ARGS]; /* numbers for the method; 0: none */
    uint32_t when;              /* 0: always */
};

struct layout {
    struct spec *base;         /* nodes, symbols, files; no lines */
    const char *name, *called; /* called: the template of its usual name, see below; NULL: `name` */
    struct rule rules[LAYOUT_WORDS];
    uint32_t whens[LAYOUT_WORDS], onlys[LAYOUT_WORDS], plains[LAYOUT_WORDS];
    struct layout_list overs[LAYOUT_WORDS], skips[LAYOUT_WORDS];
    struct layout_witness witnesses[LAYOUT_WORDS];
    struct layout_rule_of_loader loaders[LAYOUT_WORDS];
    struct layout_unpack unpacks[LAYOUT_WORDS]; /* the first whose condition holds */
    unsigned loader_count, unpack_count;
    unsigned rule_count, when_count, only_count, plain_count, over_count, skip_count, witness_count;
    struct layout_step steps[LAYOUT_STEPS];
    unsigned step_count;
    struct layout_line lines[LAYOUT_LINES];
    struct layout_line extras[LAYOUT_WORDS]; /* optional, next to any module; `name` is a glob */
    unsigned line_count, extra_count;
    bool embeddings, stacks, linears;    /* rows: kinds of weights it can store */
    bool opaque;                         /* known only by names: the meaning of the tensors is not stated */
    bool turned;                         /* rows: the model's plain weight is [in, out] */
    bool plain_values;                   /* may keep a weight as it is and add tensors next to it */
    numel_str keep;                      /* roles that stay plain without being listed */
    uint32_t bits, group;                /* expressions; 0 if none */
    uint32_t mean, mean_said, mean_when; /* mean over all weights, by elements; its stated value; a condition,
                                          * 0: all */
};

/* ---- names people use --------------------------------------------------------------------------
 *
 * `called GPTQ[ {bits}-bit][ ({maker})][, {group}]`: a word in braces is replaced by its value. A bracket is
 * dropped if a word in it has no value; if a word outside of brackets has none, the layout has no such name.
 */
#define LAYOUT_CALLED(X)                                                                \
    X(BITS, "bits")     /* of a weight */                                               \
    X(GROUP, "group")   /* "group 128", "one scale per row" */                          \
    X(MAKER, "maker")   /* the configured method, unless the template begins with it */ \
    X(METHOD, "METHOD") /* ... in capitals */                                           \
    X(TYPE, "TYPE")     /* the chosen type or mode, in capitals: NF4 */                 \
    X(NUMBER, "number") /* FP8 or INT8, by that type */                                 \
    X(TENSOR, "tensor") /* the chosen tensor class, as a word: int4 */
enum layout_called {
#define X(name, word) CALLED_##name,
    LAYOUT_CALLED(X)
#undef X
        CALLED_COUNT
};
/* The word as a number; CALLED_COUNT if it is unknown. */
enum layout_called layout_called(numel_str word);

/* ---- names that identify a layout --------------------------------------------------------------- */

/* Tensors that a quantizer stored and that can be recognised by name: the lines of built-in layouts with
 * `clear` or `vague`, as a table made in the build (data/derive). `end`: the last parts of a name or, after a
 * `*`, its ending. */
struct embedded_sidecar {
    char end[32], layout[20];
    uint8_t role; /* enum layout_role */
    bool vague;   /* needs more evidence than the name */
    bool even;    /* all values take the same whole number of bits */
};
extern const struct embedded_sidecar
    embedded_sidecars[]; /* values first; in each half, whole parts before endings */
extern const uint32_t embedded_sidecar_count;

/* ---- layout_parse.c: parsing ------------------------------------------------------------------ */

NUMEL_MUST bool layout_parse(struct layout **out, const struct library_entry *entry, const numel_allocator *m,
                             struct complaints *all, numel_error *e);
void layout_free(struct layout *l); /* accepts NULL */
/* Checks that are not needed at run time: unused symbols, a layout without a value. */
void layout_lint(const struct layout *l, struct complaints *all);

/* ---- layout_config.c: the configuration ------------------------------------------------------- */

/* ---- layout_lists.c: lists of modules ---------------------------------------------------------- */

struct compiled;
struct layout_table {
    const struct compiled *compiled;
    const json_value *object; /* of `over`; NULL: of `skip` */
};

/* Compiled lists, shared by layouts that read a list in the same way. */
struct layout_shelf {
    struct compiled *first;
};

/* The lists of a layout; NULL where the configuration has none. */
struct layout_lists {
    const struct layout_table *overs[LAYOUT_WORDS], *skips[LAYOUT_WORDS];
};
/* Allocates from the arena, as for `shelf`; the configuration must outlive both. NOMEM, LIMIT. */
NUMEL_MUST bool layout_lists(const struct layout *l, struct config *c, struct layout_shelf *shelf,
                             struct layout_lists *out, struct arena *a, numel_error *e);

/* True if a list may treat modules differently whose names differ only in a number. */
bool layout_lists_number(const struct layout_shelf *shelf);

/* Sets *yes if the configuration's quantization means this layout, for all modules or in some of its lists.
 * False also if there is none. */
NUMEL_MUST bool layout_declared(const struct layout *l, const struct layout_lists *lists, struct config *c,
                                bool *yes, struct arena *a, numel_error *e);

/* The rule of the loader for what it packs; *rule is NULL if unknown. */
NUMEL_MUST bool layout_loader(const struct layout *l, struct config *c,
                              const struct layout_rule_of_loader **rule, struct arena *a, numel_error *e);

struct layout_word {        /* what the configuration states for a module */
    const json_value *over; /* its own values, or NULL */
    bool plain;             /* it stays plain */
    bool soft;              /* ... in a list that may be ignored */
    bool outside;           /* in no group: it stays plain too */
    bool unkeyed;           /* missing from an object whose keys are modules */
    const char *list;       /* path of the list that makes it plain, or else outside */
};
/* `module`: its name without ".weight"; `class`: its class, such as "Linear" or "Embedding". */
struct layout_word layout_word_of(const struct layout *l, const struct layout_lists *lists, numel_str module,
                                  const char *class);
/* True if a list leaves the module plain under another prefix before its blocks: "model.visual.blocks.0.fc1"
 * for "visual.blocks.0.fc1". Lists have the names that modules had in memory. */
bool layout_names_alike(const struct layout *l, const struct layout_lists *lists, numel_str module);

/* ---- layout_solve.c: forms ------------------------------------------------------------------- */

struct layout_module {
    numel_str role;
    int64_t out, in;
    const uint64_t *lead; /* [experts] before them */
    uint32_t lead_count;
    int64_t stack; /* number of experts: as many tensors, or the first of lead */
    const json_value *over;
    const struct nearby *nearby; /* other tensors of the file next to it; NULL if none */
};

struct stored {
    enum layout_role role;
    enum layout_need need;
    uint16_t line;   /* of the layout */
    bool unknown;    /* any type and dims */
    bool any_size;   /* some dim is `*`: dims[i] is then UINT64_MAX */
    int64_t shared;  /* number of weights sharing it; 0: not shared */
    numel_str name;  /* with marks */
    numel_str types; /* "I32", "F16|BF16": "float" is any of F64 F32 F16 BF16 */
    const uint64_t *dims;
    uint32_t ndim;
};

/* A symbol to which the configuration gives a value; value.by and value.key state where. */
struct layout_said {
    numel_str symbol;
    struct value value;
};

struct layout_form {
    const struct layout *layout;
    const struct stored *stored;
    unsigned count;
    uint64_t absent;                /* bit k: stored[k] is known to be in no file; set by the caller */
    const char *contradiction;      /* two sources that disagree, or NULL */
    const char *choice;             /* "b 4, g 128": the symbols that are not quiet */
    const char *spelling;           /* the same, with quiet symbols */
    int64_t bits, group;            /* 0 if unknown */
    bool whole;                     /* one group a row */
    const char *method;             /* of `unpack`; NULL: none */
    int64_t args[LAYOUT_ARGS];      /* 0: unknown */
    const struct layout_said *said; /* only for a declared form */
    unsigned said_count;
    double mean, mean_said; /* of this weight, and the stated mean of all; 0 if not stated */
    const char *mean_by;    /* "config.json (bits)" */
};

struct layout_forms {
    struct layout_form *items;
    size_t count, cap;
    bool plain;           /* a `plain` line leaves weights of this size as they are */
    struct asking asking; /* the file's answers for the module; equal answers give equal forms */
};

/* Appends all forms of a module of this size; `declared`: with the configuration's values, where stated. A
 * choice that leaves a remainder, or gives an impossible size, has no form. Allocates from the arena, except
 * items, which the caller owns (arena->memory). LIMIT, NOMEM, SPEC. */
NUMEL_MUST bool layout_solve(struct layout_forms *out, const struct layout *l, struct config *c,
                             bool declared, const struct layout_module *m, struct arena *a, numel_error *e);

/* The marked names that every form has, for any choice: if one is missing, no form need be tried. At most
 * LAYOUT_LINES. NOMEM. */
NUMEL_MUST bool layout_required(const struct layout *l, struct config *c, struct arena *a, numel_str *names,
                                unsigned *count, numel_error *e);

/* ---- layout_invert.c: sizes from tensors ------------------------------------------------------- */

/* A module in a file: the tensors next to each other. Looks names up with marks. */
struct layout_seen {
    numel_str weight;                                         /* its name */
    struct layout_module module;                              /* lead only; sizes and role are unknown */
    const numel_tensor *(*find)(void *ctx, numel_str marked); /* NULL if missing */
    void *ctx;
    struct asking *asking; /* for module.nearby: records what was read */
};

struct layout_solution {
    const struct layout *layout;
    numel_str weight; /* the weight it was found for */
    int64_t out, in;
    int64_t bits, group; /* 0 if unknown */
    unsigned against;    /* number of witnesses with another value */
    uint32_t lead_count;
    const numel_tensor
        *tensors[LAYOUT_LINES]; /* stored for the weight, in the order of lines; without biases */
    unsigned count;
};

/* The solutions that explain most tensors; no two have the same layout, size, bits and group. */
enum { LAYOUT_SOLUTIONS = 24 };
struct layout_solutions {
    struct layout_solution items[LAYOUT_SOLUTIONS];
    unsigned count;
};

/* Finds the outputs and inputs that give every stored tensor its exact dims, for each choice of the symbols.
 * Adds them to *found, or replaces solutions that explain fewer tensors. NOMEM. */
NUMEL_MUST bool layout_invert(struct layout_solutions *found, const struct layout *l, struct config *c,
                              const struct layout_seen *seen, struct arena *a, numel_error *e);

/* ---- names and types --------------------------------------------------------------------------- */

/* Evaluates the `extra` lines of a layout: extra_count items. */
NUMEL_MUST bool layout_extras(const struct layout *l, struct config *c, bool declared, struct arena *a,
                              const struct stored **out, numel_error *e);

/* Writes the name of a stored tensor to `out`; W is the weight's own name. False if it is too long. */
enum { LAYOUT_NAME = 1024 };
bool layout_name(numel_str marked, numel_str weight, char out[LAYOUT_NAME], numel_str *name);
/* The next expression after node *at (first: 0) that reads a tensor's data: the name as a pattern, with `*`
 * for each of its symbols. False if there are no more, or with *e set if out of memory. */
NUMEL_MUST bool layout_reads(const struct layout *l, uint32_t *at, struct arena *a, const char **glob,
                             numel_error *e);
/* "model.layers.0.mlp.up_proj" for "model.layers.0.mlp.up_proj.weight" */
numel_str layout_module_name(numel_str weight);
/* True if the marked name begins with the module's own. */
bool layout_is_beside(numel_str marked);
/* True for F64, F32, F16 or BF16. */
bool layout_is_float(const char *type);
/* True if the type is in "F16|BF16", or is a float for "float". */
bool layout_type_fits(numel_str types, const char *type);

#endif
