/*
 * spec.h -- an architecture specification, parsed.
 *
 * A spec is a list of lines (docs/spec.md has the language). Parsing keeps that shape: one struct
 * line a line, in order, blocks linked by index, expressions in one array of nodes. `use NAME`
 * puts the lines of another file in its place. Symbols are numbers, so that an evaluation needs no
 * names. Nothing here knows a configuration.
 *
 * Invariants: node 0 means "none"; a line that opens a block knows where the next branch or the
 * `end` stands (`close`); what is inside knows its opener (`parent`). A struct spec exists only
 * when no line was wrong.
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
    SPEC_SCOPES = 64, /* parts, nested ones among them */
    PART_DEPTH = 6,
    PART_KEYS = 8, /* that a part line says itself */
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
    NODE_TEMPLATE, /* a name: parts from a on, chained by next, joined */
    NODE_LIST,     /* items from a on, chained by next */
    NODE_NEAREST   /* the row of a `choose` that most of a, chained by next, hold in: each is x == list */
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

/* BN is several lines, of NORM and BUF, once it is read. */
enum tensor_kind { TENSOR_LIN, TENSOR_NORM, TENSOR_EMB, TENSOR_CONV, TENSOR_RAW, TENSOR_BUF, TENSOR_BN };

/* The numbers of a tensor: a position or a count is whole in every file, a mask is what its writer made of it. */
enum tensor_holds { HOLDS_FLOATS, HOLDS_INTEGERS, HOLDS_ANY };

struct tensor_line {
    enum tensor_kind kind;
    enum tensor_holds holds; /* of BUF */
    numel_str role, of;      /* of: the role that a tied tensor is a copy of */
    uint32_t name[SIDES];    /* template, 0: does not exist there */
    uint32_t dims[SPEC_DIMS], gguf_dims[SPEC_DIMS];
    uint8_t ndim, gguf_ndim; /* gguf_ndim 0: the same dims */
    uint32_t bias, when, stack, tied, pad;
    bool transposed, optional;
    bool empty;     /* its sizes may be 0 */
    bool statistic; /* of a batch norm: there with its weight, and never what an older file left */
};

/* What a layer keeps while it generates; SHARED: nothing, it reads what another layer keeps. */
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

/* SOURCE: a token, frame or patch of the encoder that is attended to. */
enum cache_per { PER_TOKEN, PER_SOURCE, PER_SEQUENCE, CACHE_PERS };

struct cache_line {
    enum cache_kind kind;
    enum cache_per per;
    numel_str name;       /* of OTHER */
    uint32_t size;        /* elements each */
    uint32_t window;      /* tokens that are looked back at; 0, or null: all */
    uint32_t width;       /* of the kernel whose inputs a `conv` holds; 0: not said */
    uint32_t every, rest; /* one for every N tokens; those that are left over by N. 0: one each */
    uint32_t when;        /* a condition, or 0 */
    bool apart;           /* llama.cpp: a stream for each sequence, whether they share cells or not */
    bool latent;          /* of MLA: one compressed vector in place of all heads */
    bool none;            /* `cache none`: said of all layers, which keep nothing */
};

/* part PATH as PREFIX: a block of the lines of another spec. */
struct part_line {
    uint32_t scope; /* of its lines; 0: no spec is known for it, and there are none */
    bool beyond;    /* parts are nested too deep for it, or are too many */
    uint32_t when;  /* a condition, or 0 */
    numel_str path,
        type; /* where its configuration stands, from the top; the model type there, {NULL, 0}: none */
};

/* Where symbols, keys and rules of a spec belong: 0 is the spec itself, others are parts. What a name means in
 * one it means in no other. */
struct part_scope {
    uint32_t outer;
    uint32_t class;        /* expression of class=, in the outer scope; 0: the base class */
    numel_str base, type;  /* cfg() asks below this path; the model type there */
    numel_str label, role; /* before its symbols: "vision."; before its roles: "v." */
    numel_str prefix;      /* of its names, where it is the same for all; else {NULL, 0} */
    numel_str strip;       /* of strip=; {NULL, 0}: what the class says */
    numel_str bare;        /* what names of its base class lack */
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
    uint32_t parent;      /* the line whose block this stands in, or NO_LINE */
    uint32_t close;       /* openers and branches: next branch or END of the same block */
    uint32_t previous;    /* ELSE, OR, END: the branch before, up to the opener */
    uint32_t symbol;      /* LET, FOR */
    uint32_t expr[SIDES]; /* LET: value a side; FOR: from, to; IF, ELSE: condition (0: always);
                                EXTRA the same; PREFIX, PART: templates (0: empty) */
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

struct spec_guess { /* guess: what a file without configuration shows of a key */
    const char *path;
    uint32_t each;  /* expression of each=: the value is a list of so many items; 0: it is none */
    uint32_t inner; /* expression of inner=: each item is a list of so many; 0: it is none */
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
    numel_str name;        /* "vision.E": the label of its scope, then what the spec calls it */
    uint16_t scope, label; /* label: bytes of it */
    uint32_t uses;
    uint32_t line; /* of its first let or for, NO_LINE for what is built in */
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
    const char *towers[SPEC_TOWERS]; /* prefixes: what is behind one never stands for a name without it */
    unsigned tower_count;
    struct part_scope *scopes; /* in the arena; one, or with parts room for SPEC_SCOPES */
    unsigned scope_count;
    bool parted; /* there are part lines */
};

/* What is wrong with a spec, one message a place. */
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

/* Nothing has been complained about since there were `before` of them; else *e has the first: SPEC, NOMEM. */
NUMEL_MUST bool complaints_none(const struct complaints *all, size_t before, numel_error *e);

/* Finds the text of a block that a spec uses; false when there is none of that name. */
typedef bool spec_source_fn(void *ctx, numel_str name, numel_str *text, const char **file);

/* What stands for a part: the spec of the configuration at a path (from the top). */
struct spec_link {
    numel_str type; /* of the configuration; given where the line says type=. {NULL, 0}: nobody says */
    numel_str text; /* p NULL: no spec is for it */
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

/* SPEC when a line is wrong: *e has the first complaint, `all` (may be NULL) each of them. LIMIT,
 * NOMEM. */
NUMEL_MUST bool spec_parse(struct spec **out, const struct spec_input *in, const numel_allocator *m,
                           struct complaints *all, numel_error *e);
void spec_free(struct spec *s);

/* Further checks that a running program does without: unused lets, a role given twice in one
 * block, a spec without `arch` or tensors. `text` is what was parsed: of its print sections no two may be for the
 * same model type, and none for one that is not matched. */
void spec_lint(const struct spec *s, numel_str text, struct complaints *all);

/* Whose spellings: of the spec and of its parts, its own alone, or those of its parts. */
enum spelled { SPELLED_ANYWHERE, SPELLED_OUTSIDE, SPELLED_INSIDE };

/* Does a spelling ask for a number? Else names that differ in numbers alone are all spelled otherwise, or none is. */
bool spec_spells_numbers(const struct spec *s);
/* The next canonical name that `name` may be another spelling of, in the arena; {NULL, 0} when
 * there is none left. *at starts at 0. In a pattern, `*` stands for a run without dots, at its
 * start or end for anything. Meant for names that a spec does not expect as they stand. */
numel_str spec_rename(const struct spec *s, numel_str name, enum spelled by, size_t *at, struct arena *a);
/* The other way: the name in the i-th spelling, where that is of the family; {NULL, 0}: it has none there. */
NUMEL_MUST numel_str spec_respell(const struct spec *s, numel_str name, numel_str family, size_t i,
                                  struct arena *a);
/* The spelling that gave it, by what *at is then. */
size_t spec_renamed_by(size_t at);
/* What names begin with that it spells "FRONT*" as "OTHER*", and leaves as they are behind that; {NULL, 0}: it is none of
 * those, or a part's, whose names are another's in part. */
numel_str spec_spelling_front(const struct spec *s, size_t spelling);

/* Functions, by number: spec_function() gives -1 for an unknown name. */
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
/* "index_k"; of SHARED "shared". */
const char *cache_kind_name(enum cache_kind kind);
const char *cache_per_name(enum cache_per per);

int spec_function(numel_str name);
const char *spec_function_name(int function);
void spec_function_arity(int function, unsigned *least, unsigned *most);

#endif
