/*
 * layout.h -- how a quantizer stores one logical weight, as data: layouts/NAME.layout.
 *
 * A spec says that a model has a weight W of out O by in I. A layout says which tensors a file holds in
 * its place: their names, types and dims, in the expressions of the spec language (docs/spec.md,
 * "Layouts"). What is not fixed (bits, group size, word) is a symbol with a list of values; the
 * configuration may say which one it is.
 *
 *     layout --(configuration, O, I)--> forms: for each choice of the symbols, the stored tensors
 *
 * A form is exact: every tensor in it has one name, a set of types and dims. Nothing here has seen a
 * file; model/packed.h holds forms against one. Where the configuration says nothing there are
 * many forms, and the file says which: that is evidence from the file itself, and called so.
 *
 * Names in a form hold marks for the parts of the module's name, so that one form serves all modules of
 * the same size: layout_name() puts them in.
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
    LAYOUT_WORDS = 8     /* match, when, only, plain, over, skip, witness lines, each */
};

/* Symbols that every layout has, in this order behind those of the spec language: the weight's name, its
 * module's, parent's and last part, the list of experts that it belongs to, what the module lies in, what joins a suffix to the module
 * ('.' or '_'); out, in, all elements; the role in the spec; how many experts its stack has. */
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

/* What a stored tensor is to its weight. name, word, text for people; only `value` stands for elements.
 * What lies beside the values has a line of the statement each, `quant-WORD` (statement/statement.h). */
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
    NEED_FREE    /* opt=any: each as it likes */
};

struct layout_line {
    enum layout_role role;
    enum layout_need need;
    uint32_t name, types; /* templates */
    uint32_t dims[SPEC_DIMS];
    uint8_t ndim, any; /* bit i of any: dim i is `*` */
    bool flat;         /* of a stack in one: the number of experts does not stand before the dims */
    uint32_t when;     /* 0: always */
    uint32_t shared;   /* one for so many weights, experts of a stack; 0: for one */
    uint32_t number;   /* in the file, for messages */
};

enum layout_step_kind { STEP_LET, STEP_SYM };

struct layout_choice {
    struct value value;
    uint32_t expr; /* in its place, when not 0 */
};

struct layout_step {
    enum layout_step_kind kind;
    uint32_t symbol;
    uint32_t expr;                       /* LET */
    const struct layout_choice *choices; /* SYM: in order of preference */
    unsigned choice_count;
    bool open;     /* a source may name others */
    bool quiet;    /* a spelling: nobody asks for it */
    uint32_t when; /* else it is null; 0: always */
    uint32_t sources[4], source_count;
};

/* witness S = EXPR: what somebody says of a symbol once all have a value; `O` and `I` too. */
struct layout_witness {
    uint32_t symbol, expr;
};

/* How a list of the configuration names modules. */
#define LAYOUT_HOWS(X)                                                                           \
    X(RE, "re")         /* over: keys are patterns, `-:` before one leaves plain */              \
    X(SEARCH, "search") /* over: keys are patterns, anywhere in the name */                      \
    X(PATH, "path")     /* over: keys are names of modules */                                    \
    X(GROUPS, "groups") /* over: the first group whose `targets` hold the module; none: plain */ \
    X(NAME, "name")     /* skip: a name, what lies below it, how it ends, or a pattern */        \
    X(CT, "ct")         /* skip: a name, a class, or re:PATTERN, as compressed-tensors has it */ \
    X(GLOB, "glob")     /* skip: a glob over the name, or what lies below a name */              \
    X(PART, "part")     /* skip: any part of the name */

enum layout_how {
#define X(name, word) HOW_##name,
    LAYOUT_HOWS(X)
#undef X
        HOW_COUNT
};

struct layout_list {
    const char *path; /* of the configuration; ".": all of it */
    enum layout_how how;
    bool soft; /* skip: its writer is known not to obey it */
};

/* packs: what a loader takes to be packed unless a list names it. */
enum layout_packs {
    PACKS_LINEARS,
    /* every linear layer */ PACKS_BLOCKS /* those of attention and feed-forward networks in blocks */
};

struct layout_rule_of_loader {
    enum layout_packs packs;
    const char *list; /* the path of the list that would name what stays plain */
    uint32_t when;    /* 0: always */
};

struct layout {
    struct spec *base;         /* nodes, symbols, files; no lines */
    const char *name, *called; /* called: a template of what people quote, below; NULL: the name */
    struct rule rules[LAYOUT_WORDS];
    uint32_t whens[LAYOUT_WORDS], onlys[LAYOUT_WORDS], plains[LAYOUT_WORDS];
    struct layout_list overs[LAYOUT_WORDS], skips[LAYOUT_WORDS];
    struct layout_witness witnesses[LAYOUT_WORDS];
    struct layout_rule_of_loader loaders[LAYOUT_WORDS];
    unsigned loader_count;
    unsigned rule_count, when_count, only_count, plain_count, over_count, skip_count, witness_count;
    struct layout_step steps[LAYOUT_STEPS];
    unsigned step_count;
    struct layout_line lines[LAYOUT_LINES];
    struct layout_line extras[LAYOUT_WORDS]; /* what may lie beside the modules; `name` is a glob */
    unsigned line_count, extra_count;
    bool embeddings, stacks, linears; /* rows: which weights it may hold */
    bool opaque;                      /* known by names alone: what the tensors stand for is not said */
    bool turned;                      /* rows: the plain weight of the model is [in, out] */
    bool plain_values;                /* it may leave a weight as it is, and yet store something beside it */
    numel_str keep;       /* roles that stay plain though no list names them: where no file says */
    uint32_t bits, group; /* expressions, 0: none */
    uint32_t mean, mean_said, mean_when; /* of all weights, by elements; who says it; of which: 0: of all */
};

/* ---- what people call it -----------------------------------------------------------------------
 *
 * `called GPTQ[ {bits}-bit][ ({maker})][, {group}]`: a word in braces stands for what was found, and brackets go with all that they hold
 * where one in them has no value; outside of brackets that means that the whole has no name.
 */
#define LAYOUT_CALLED(X)                                                                            \
    X(BITS, "bits")     /* of a weight */                                                           \
    X(GROUP, "group")   /* "group 128", "one scale per row" */                                      \
    X(MAKER, "maker")   /* the method of the configuration, unless the template begins with that */ \
    X(METHOD, "METHOD") /* ... in capitals */                                                       \
    X(TYPE, "TYPE")     /* the type or mode that was chosen, in capitals: NF4 */                    \
    X(NUMBER, "number") /* FP8 or INT8, by that type */                                             \
    X(TENSOR, "tensor") /* the class that was chosen, as a word: int4 */
enum layout_called {
#define X(name, word) CALLED_##name,
    LAYOUT_CALLED(X)
#undef X
        CALLED_COUNT
};
/* Which word that is; CALLED_COUNT: none. */
enum layout_called layout_called(numel_str word);

/* ---- what names alone tell ---------------------------------------------------------------------- */

/* The tensors whose name alone tells what a quantizer stored: the lines of the built-in layouts that say `clear` or `vague`, as a table
 * that the build makes (data/derive). `end`: the last parts of a name or, behind a `*`, how it ends. */
struct embedded_sidecar {
    char end[32], layout[20];
    uint8_t role; /* enum layout_role */
    bool vague;   /* it needs more than the name */
    bool even;    /* values that take the same whole number of bits each */
};
extern const struct embedded_sidecar
    embedded_sidecars[]; /* values first, more behind them; of both whole parts first */
extern const uint32_t embedded_sidecar_count;

/* ---- layout_parse.c: reading one -------------------------------------------------------------- */

NUMEL_MUST bool layout_parse(struct layout **out, const struct library_entry *entry, const numel_allocator *m,
                             struct complaints *all, numel_error *e);
void layout_free(struct layout *l); /* NULL is fine */
/* What a running program does without: symbols that nothing uses, a layout without a value. */
void layout_lint(const struct layout *l, struct complaints *all);

/* ---- layout_config.c: what the configuration says --------------------------------------------- */

/* ---- layout_lists.c: what it says of single modules -------------------------------------------- */

struct compiled;
struct layout_table {
    const struct compiled *compiled;
    const json_value *object; /* of `over`; NULL: of `skip` */
};

/* Lists that were compiled: those of several layouts that read one in the same way are the same. */
struct layout_shelf {
    struct compiled *first;
};

/* What the lists of a layout hold; NULL: the configuration has none. */
struct layout_lists {
    const struct layout_table *overs[LAYOUT_WORDS], *skips[LAYOUT_WORDS];
};
/* In the arena, as `shelf` is; the configuration outlives both. NOMEM, LIMIT. */
NUMEL_MUST bool layout_lists(const struct layout *l, struct config *c, struct layout_shelf *shelf,
                             struct layout_lists *out, struct arena *a, numel_error *e);

/* May any of the lists tell apart modules whose names differ in a number alone? */
bool layout_lists_number(const struct layout_shelf *shelf);

/* Does the configuration's quantization name it, for all modules or for some of its lists? False also where it
 * has none. */
NUMEL_MUST bool layout_declared(const struct layout *l, const struct layout_lists *lists, struct config *c,
                                bool *yes, struct arena *a, numel_error *e);

/* What the loader packs by itself; *rule is NULL where that is unknown. */
NUMEL_MUST bool layout_loader(const struct layout *l, struct config *c,
                              const struct layout_rule_of_loader **rule, struct arena *a, numel_error *e);

struct layout_word {        /* of a module, by the configuration */
    const json_value *over; /* values of its own, or NULL */
    bool plain;             /* it stays as it is */
    bool soft;              /* ... says a list that may not be obeyed */
    bool outside;           /* no group holds it: it stays as it is too */
    bool unkeyed;           /* an object whose keys are modules lacks it */
    const char *list;       /* who says plain, or else outside: the path of the list */
};
/* `module`: its name without ".weight"; `class`: of its kind: "Linear", "Embedding". */
struct layout_word layout_word_of(const struct layout *l, const struct layout_lists *lists, numel_str module,
                                  const char *class);
/* Does a list name it as plain but for what stands before its blocks? "model.visual.blocks.0.fc1" of "visual.blocks.0.fc1": lists
 * hold the names that modules had in memory. */
bool layout_names_alike(const struct layout *l, const struct layout_lists *lists, numel_str module);

/* ---- layout_solve.c: forms ------------------------------------------------------------------- */

struct layout_module {
    numel_str role;
    int64_t out, in;
    const uint64_t *lead; /* [experts] before them */
    uint32_t lead_count;
    int64_t stack; /* experts: as many tensors, or the first of lead */
    const json_value *over;
    const struct nearby *nearby; /* what the file says of it; NULL: there is none */
};

struct stored {
    enum layout_role role;
    enum layout_need need;
    uint16_t line;   /* of the layout */
    bool unknown;    /* of any type and dims */
    bool any_size;   /* some dim is `*`: dims[i] is then UINT64_MAX */
    int64_t shared;  /* by how many weights; 0: it is of one */
    numel_str name;  /* with marks */
    numel_str types; /* "I32", "F16|BF16": "float" is any of F64 F32 F16 BF16 */
    const uint64_t *dims;
    uint32_t ndim;
};

/* A symbol that the configuration gives a value: value.by and value.key say where. */
struct layout_said {
    numel_str symbol;
    struct value value;
};

struct layout_form {
    const struct layout *layout;
    const struct stored *stored;
    unsigned count;
    uint64_t absent; /* bit k: stored[k] is known to be in no file; whoever asks for forms sets it */
    const char *contradiction;      /* two sources that disagree, or NULL */
    const char *choice;             /* "b 4, g 128": the symbols that were not quiet */
    const char *spelling;           /* the same with those that were quiet */
    int64_t bits, group;            /* 0: not said */
    bool whole;                     /* one group a row */
    const struct layout_said *said; /* of a form that is declared; else none */
    unsigned said_count;
    double mean, mean_said; /* of this weight, and what the mean of all is said to be; 0: nobody says */
    const char *mean_by;    /* "config.json (bits)" */
};

struct layout_forms {
    struct layout_form *items;
    size_t count, cap;
    bool plain; /* a `plain` line says that weights of this size stay as they are */
    struct asking
        asking; /* what the file said of the module; forms of another that says the same are the same */
};

/* All forms of a module of that size, appended; `declared`: by the configuration, where it speaks. A choice
 * that leaves a rest, or makes no size, is not a form. Lives in the arena but for items, which is the
 * caller's (arena->memory). LIMIT, NOMEM, SPEC. */
NUMEL_MUST bool layout_solve(struct layout_forms *out, const struct layout *l, struct config *c,
                             bool declared, const struct layout_module *m, struct arena *a, numel_error *e);

/* The names, with marks, that every form has whatever is chosen: where one is absent nothing needs to be tried.
 * At most LAYOUT_LINES. NOMEM. */
NUMEL_MUST bool layout_required(const struct layout *l, struct config *c, struct arena *a, numel_str *names,
                                unsigned *count, numel_error *e);

/* ---- layout_invert.c: backwards ---------------------------------------------------------------- */

/* A module of a file: what stands beside each other there. Names are asked for with marks. */
struct layout_seen {
    numel_str weight;                                         /* its name */
    struct layout_module module;                              /* its lead; sizes and role are not known */
    const numel_tensor *(*find)(void *ctx, numel_str marked); /* NULL: there is none */
    void *ctx;
    struct asking *asking; /* of module.nearby: takes down what was asked */
};

struct layout_solution {
    const struct layout *layout;
    numel_str weight; /* of which it was found */
    int64_t out, in;
    int64_t bits, group; /* 0: not said */
    unsigned against;    /* witnesses that know another value */
    uint32_t lead_count;
    const numel_tensor
        *tensors[LAYOUT_LINES]; /* that stand for the weight, in the order of its lines; a bias does not */
    unsigned count;
};

/* Those that explain most tensors; two differ in layout, size, bits or group. */
enum { LAYOUT_SOLUTIONS = 24 };
struct layout_solutions {
    struct layout_solution items[LAYOUT_SOLUTIONS];
    unsigned count;
};

/* The out and in that make every stored tensor exactly as it is, for each choice of the symbols. They are added
 * to *found, or take the place of what explains fewer tensors. NOMEM. */
NUMEL_MUST bool layout_invert(struct layout_solutions *found, const struct layout *l, struct config *c,
                              const struct layout_seen *seen, struct arena *a, numel_error *e);

/* ---- names and types --------------------------------------------------------------------------- */

/* The `extra` lines of a layout, evaluated: as many as extra_count. */
NUMEL_MUST bool layout_extras(const struct layout *l, struct config *c, bool declared, struct arena *a,
                              const struct stored **out, numel_error *e);

/* The name of a stored tensor: W is the weight's own. In `out`; false when it is too long. */
enum { LAYOUT_NAME = 1024 };
bool layout_name(numel_str marked, numel_str weight, char out[LAYOUT_NAME], numel_str *name);
/* The next question behind node *at (first: 0) that reads a tensor's data: its name as a pattern, `*` for each of
 * its symbols. False: no more, or out of memory, which e says. */
NUMEL_MUST bool layout_reads(const struct layout *l, uint32_t *at, struct arena *a, const char **glob,
                             numel_error *e);
/* "model.layers.0.mlp.up_proj" of "model.layers.0.mlp.up_proj.weight" */
numel_str layout_module_name(numel_str weight);
/* Does the marked name begin as the module's own? */
bool layout_is_beside(numel_str marked);
/* F64, F32, F16 or BF16? */
bool layout_is_float(const char *type);
/* Is the type among "F16|BF16", "float"? */
bool layout_type_fits(numel_str types, const char *type);

#endif
