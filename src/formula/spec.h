/*
 * spec.h -- a parsed architecture specification.
 *
 * A spec is a list of lines (docs/spec.md has the language). Parsing keeps that shape: one struct for each
 * line, in order, blocks linked by index, expressions in one array of nodes. `use NAME` is replaced by the
 * lines of another file. Symbols are numbers, so that an evaluation needs no names. Nothing here depends on a
 * configuration.
 *
 * Invariants: node 0 means "none"; a line that opens a block has the index of the next branch or `end`
 * (`close`); lines inside have the index of their opener (`parent`). A struct spec exists only if no line was
 * wrong.
 */
#ifndef NUMEL_FORMULA_SPEC_H
#define NUMEL_FORMULA_SPEC_H

#include "base/json_doc.h"
#include "base/text.h"

enum {
    SPEC_BYTES = 1 << 20,
    SPEC_DEPTH = 64,  /* of expressions and of blocks */
    SPEC_FILES = 512, /* a spec, its print template, and what they use */
    SPEC_DIMS = 8,
    SPEC_SCOPES = 64, /* parts, with nested ones */
    PART_DEPTH = 6,
    PART_KEYS = 8, /* set by a part line */
    SPEC_NODES = 1 << 20,
    CHOOSE_ROWS = 64, /* of a `choose` */
    CHOOSE_COLUMNS = 40
};

enum side { SIDE_HF, SIDE_GGUF, SIDES };

enum node_kind {
    NODE_NONE,
    NODE_NULL,
    NODE_BOOL,
    NODE_INT,
    NODE_REAL,
    NODE_TEXT,
    NODE_SYMBOL,
    NODE_CALL,   /* function = number; arguments from a on, chained by next */
    NODE_INDEX,  /* a[b] */
    NODE_MEMBER, /* a.text */
    NODE_NOT,
    NODE_NEGATE,
    NODE_CHOOSE, /* a ? b : c */
    NODE_ELSE,   /* a ?? b */
    NODE_OR,
    NODE_AND,
    NODE_EQ,
    NODE_NE,
    NODE_LT,
    NODE_GT,
    NODE_LE,
    NODE_GE,
    NODE_ADD,
    NODE_SUB,
    NODE_MUL,
    NODE_DIV,
    NODE_MOD,
    NODE_TEMPLATE, /* a name: the parts from a on, chained by next, joined */
    NODE_LIST,     /* items from a on, chained by next */
    NODE_NEAREST   /* row of a `choose` where most tests hold; tests (x == list) from a on, chained by next */
};

struct node {
    uint8_t kind, depth;
    uint16_t file, column, scope;
    uint32_t line;
    uint32_t a, b, c, next;
    numel_str source; /* as the author wrote it: for terms and messages */
    union {
        int64_t number; /* INT, BOOL, the function of CALL, the symbol of SYMBOL */
        double real;
        numel_str text; /* TEXT, MEMBER */
    };
};

enum line_kind {
    LINE_LET,
    LINE_PREFIX,
    LINE_FOR,
    LINE_IF,
    LINE_ELSE,
    LINE_ONEOF,
    LINE_OR,
    LINE_EXTRA,
    LINE_PART,
    LINE_END,
    LINE_TENSOR,
    LINE_CACHE
};

/* When parsed, BN becomes several lines of NORM and BUF. */
enum tensor_kind { TENSOR_LIN, TENSOR_NORM, TENSOR_EMB, TENSOR_CONV, TENSOR_RAW, TENSOR_BUF, TENSOR_BN };

/* The values of a tensor: positions and counts are integers in every file; the type of a mask is its writer's
 * choice. */
enum tensor_holds { HOLDS_FLOATS, HOLDS_INTEGERS, HOLDS_ANY };

struct tensor_line {
    enum tensor_kind kind;
    enum tensor_holds holds; /* of BUF */
    numel_str role, of;      /* of: the role that a tied tensor copies */
    uint32_t name[SIDES];    /* template; 0: does not exist there */
    uint32_t dims[SPEC_DIMS], gguf_dims[SPEC_DIMS];
    uint8_t ndim, gguf_ndim; /* gguf_ndim 0: the same dims */
    uint32_t bias, when, stack, tied, pad;
    bool transposed, optional;
    bool empty;     /* its sizes may be 0 */
    bool statistic; /* of a batch norm: present with its weight, never left over from an older version */
};

/* The kinds of cache of a layer; SHARED: none, as it reads another layer's. */
enum cache_kind {
    CACHE_K,
    CACHE_V,
    CACHE_INDEX_K,
    CACHE_CONV,
    CACHE_RECURRENT,
    CACHE_CROSS_K,
    CACHE_CROSS_V,
    CACHE_OTHER,
    CACHE_KINDS,
    CACHE_SHARED = CACHE_KINDS
};

/* SOURCE: a token, frame or patch of the encoder that the model attends to. */
enum cache_per { PER_TOKEN, PER_SOURCE, PER_SEQUENCE, CACHE_PERS };

struct cache_line {
    enum cache_kind kind;
    enum cache_per per;
    numel_str name;       /* of OTHER */
    uint32_t size;        /* elements of each entry */
    uint32_t window;      /* tokens it looks back at; 0, or null: all */
    uint32_t width;       /* of the kernel whose inputs a `conv` keeps; 0 if not given */
    uint32_t every, rest; /* one for every N tokens; the tokens left over by N. 0: one each */
    uint32_t when;        /* a condition, or 0 */
    bool apart;           /* llama.cpp: a stream for each sequence, even if sequences share cells */
    bool latent;          /* MLA: one compressed vector instead of all heads */
    bool none;            /* `cache none`: no layer keeps anything */
};

/* part PATH as PREFIX: a block of the lines of another spec. */
struct part_line {
    uint32_t scope; /* of its lines; 0: it has none, as no spec is known for it */
    bool beyond;    /* too many parts, or nested too deep */
    uint32_t when;  /* a condition, or 0 */
    numel_str path,
        type; /* path of its configuration from the top; the model type there, {NULL, 0} if none */
};

/* The scope of symbols, keys and rules: 0 is the spec itself, others are parts. Scopes share no names. */
struct part_scope {
    uint32_t outer;
    uint32_t class;        /* expression of class=, in the outer scope; 0: the base class */
    numel_str base, type;  /* cfg() reads below this path; the model type there */
    numel_str label, role; /* prefix of its symbols: "vision."; of its roles: "v." */
    numel_str prefix;      /* of its names, if it is constant; else {NULL, 0} */
    numel_str strip;       /* value of strip=; {NULL, 0}: the class decides */
    numel_str bare;        /* the prefix that names of its base class lack */
    struct {
        numel_str name;
        uint32_t value; /* expression in the outer scope */
    } keys[PART_KEYS];
    unsigned key_count;
};

#define NO_LINE UINT32_MAX

struct line {
    enum line_kind kind;
    uint16_t file, column;
    uint32_t number;
    uint32_t parent;      /* line whose block this one is in, or NO_LINE */
    uint32_t close;       /* openers and branches: next branch or END of the same block */
    uint32_t previous;    /* ELSE, OR, END: the branch before, back to the opener */
    uint32_t symbol;      /* LET, FOR */
    uint32_t expr[SIDES]; /* LET: value for each side; FOR: from, to; IF, ELSE, EXTRA: condition (0: always);
                           * PREFIX, PART: templates (0: empty) */
    numel_str label;      /* EXTRA */
    union {
        struct tensor_line *tensor;
        struct part_line *part;
        struct cache_line *cache;
    };
};

struct rule { /* match */
    enum side side;
    const char *field;
    numel_str words; /* separated by blanks */
    uint32_t scope;
};

struct spec_default { /* default */
    const char *path; /* from the top */
    const char *json;
    uint32_t scope;
};

struct spec_guess { /* guess: reads a key off a file without configuration */
    const char *path;
    uint32_t each;  /* expression of each=: the value is a list of that length; 0: not a list */
    uint32_t inner; /* expression of inner=: each item is a list of that length; 0: not a list */
    uint32_t value; /* expression */
    uint32_t index, count, within; /* their symbols: `i`, `n` and `j` */
    uint32_t scope;
};

struct spelling { /* other names for the same tensors: see spec_rename() */
    const char *family, *hf, *other;
    uint32_t scope;
};

enum { SPEC_TOWERS = 4 };

struct symbol {
    numel_str name;        /* "vision.E": the label of its scope, then its name in the spec */
    uint16_t scope, label; /* label: its length in bytes */
    uint32_t uses;
    uint32_t line; /* of its first let or for; NO_LINE for built-in ones */
};

enum {
    SYMBOL_GGUF,
    SYMBOL_E,
    SYMBOL_LLAMA_CPP,
    SYMBOLS_BUILT_IN
}; /* `gguf`, `e` inside stacked names, `llama_cpp` */

struct spec {
    struct arena arena;
    const char *name;
    const char *files[SPEC_FILES];
    size_t file_count;
    struct node *nodes;
    size_t node_count, node_cap;
    struct line *lines;
    size_t line_count, line_cap;
    struct symbol *symbols;
    size_t symbol_count, symbol_cap;
    struct rule *rules;
    size_t rule_count, rule_cap;
    struct spec_default *defaults;
    size_t default_count, default_cap;
    struct spec_guess *guesses;
    size_t guess_count, guess_cap;
    struct spelling *spellings;
    size_t spelling_count, spelling_cap;
    const char *towers[SPEC_TOWERS]; /* prefixes: a name with one never stands for the name without it */
    unsigned tower_count;
    struct part_scope *scopes; /* in the arena; one, or room for SPEC_SCOPES if there are parts */
    unsigned scope_count;
    bool parted; /* there are part lines */
};

/* An error in a spec. */
struct complaint {
    const char *file;
    uint32_t line, column;
    const char *message;
};

enum { COMPLAINTS = 100 }; /* kept; further ones are only counted */

struct complaints {
    struct arena *arena;
    struct complaint items[COMPLAINTS];
    size_t count; /* may exceed COMPLAINTS */
    bool failed;  /* out of memory */
};

void complain(struct complaints *c, const char *file, uint32_t line, uint32_t column, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* True if there are no complaints beyond the first `before`; else *e has the first of them. SPEC, NOMEM. */
NUMEL_MUST bool complaints_none(const struct complaints *all, size_t before, numel_error *e);

/* Finds the text of a block that a spec uses; false if there is none with that name. */
typedef bool spec_source_fn(void *ctx, numel_str name, numel_str *text, const char **file);

/* The spec for a part, whose configuration is at a path from the top. */
struct spec_link {
    numel_str type; /* of the configuration, or from type=; {NULL, 0} if unknown */
    numel_str text; /* p NULL: no spec serves it */
    const char *file;
};
/* Fills *link, whose type may be given; texts must outlive the spec. False: NOMEM. */
typedef bool spec_link_fn(void *ctx, const struct spec *s, numel_str path, struct spec_link *link,
                          numel_error *e);

struct spec_input {
    numel_str text; /* must outlive the spec */
    const char *file;
    spec_source_fn *source; /* NULL: `use` finds nothing */
    void *source_ctx;
    spec_link_fn *link; /* with source_ctx; NULL: parts have no spec */
};

/* SPEC if a line is wrong: *e has the first complaint, `all` (may be NULL) all of them. LIMIT, NOMEM. */
NUMEL_MUST bool spec_parse(struct spec **out, const struct spec_input *in, const numel_allocator *m,
                           struct complaints *all, numel_error *e);
void spec_free(struct spec *s);

/* Checks that are not needed at run time: unused lets, a role given twice in one block, a spec without `arch`
 * or tensors. `text` is the parsed text: each model type may have one print section and must be matched. */
void spec_lint(const struct spec *s, numel_str text, struct complaints *all);

/* Which spellings to use: all, only those of the spec itself, or only those of its parts. */
enum spelled { SPELLED_ANYWHERE, SPELLED_OUTSIDE, SPELLED_INSIDE };

/* True if a spelling depends on numbers. If not, names that differ only in numbers are all respelled, or none
 * is. */
bool spec_spells_numbers(const struct spec *s);
/* The next canonical name for which `name` may be another spelling, in the arena; {NULL, 0} if there are no
 * more. *at starts at 0. In a pattern, `*` matches a run without dots, or anything at its start or end. For
 * names that the spec does not expect as they are. */
numel_str spec_rename(const struct spec *s, numel_str name, enum spelled by, size_t *at, struct arena *a);
/* The reverse: the name in the i-th spelling, if that is of the family; {NULL, 0} if there is none. */
NUMEL_MUST numel_str spec_respell(const struct spec *s, numel_str name, numel_str family, size_t i,
                                  struct arena *a);
/* The number of the spelling that gave the name, from the value of *at after it. */
size_t spec_renamed_by(size_t at);
/* FRONT of a spelling that changes only the front of names, from "FRONT*" to "OTHER*"; {NULL, 0} for other
 * spellings, and for those of parts, which apply inside names. */
numel_str spec_spelling_front(const struct spec *s, size_t spelling);

/* Functions, by number; spec_function() returns -1 for an unknown name. */
enum function {
    FUNCTION_CFG,
    FUNCTION_HAS,
    FUNCTION_DIM,
    FUNCTION_LAYERS,
    FUNCTION_RUN,
    FUNCTION_NUMBERS,
    FUNCTION_DIMS,
    FUNCTION_IN,
    FUNCTION_LEN,
    FUNCTION_COUNT,
    FUNCTION_MIN,
    FUNCTION_MAX,
    FUNCTION_CEIL_DIV,
    FUNCTION_FLOOR_DIV,
    FUNCTION_ROUND_UP,
    FUNCTION_ISNUM,
    FUNCTION_UNKNOWN,
    FUNCTION_STARTS,
    FUNCTION_MUST,
    FUNCTION_MUL,
    FUNCTION_CEIL,
    FUNCTION_ROUND,
    FUNCTION_DIVISIBLE,
    FUNCTION_RATIO,
    FUNCTION_POW,
    FUNCTION_LOG2,
    FUNCTION_ROOT,
    FUNCTION_GRID,
    FUNCTION_SUM,
    FUNCTION_PRIMES,
    FUNCTION_OUTS,
    FUNCTION_SUBSTR,
    FUNCTION_CLASS,
    FUNCTION_SINCE,
    FUNCTION_FAMILY,
    FUNCTION_Q,
    FUNCTION_OWN,
    FUNCTION_WIDTH,
    FUNCTION_BITSOF,
    FUNCTION_HOLDS,
    FUNCTION_LOWER,
    FUNCTION_UPPER,
    FUNCTION_TEXT,
    FUNCTION_POW2,
    FUNCTION_GGML_BLOCK,
    FUNCTION_GGML_BYTES,
    FUNCTION_META,
    FUNCTION_JSON,
    FUNCTION_INTS,
    FUNCTION_NUMBER,
    FUNCTIONS
};
/* "index_k"; "shared" for CACHE_SHARED. */
const char *cache_kind_name(enum cache_kind kind);
const char *cache_per_name(enum cache_per per);

int spec_function(numel_str name);
const char *spec_function_name(int function);
void spec_function_arity(int function, unsigned *least, unsigned *most);

#endif
