/*
 * parse.h -- the parts of the spec parser, for each other only: lex.c cuts a line into tokens,
 * expression.c makes nodes of them, spec.c makes lines. printout/template.c reads its own lines with
 * the same expressions, into the same nodes.
 *
 * An error in a line is complained about once and the line is given up; the next one is parsed as
 * if nothing had happened, so that an author sees all mistakes at once.
 */
#ifndef NUMEL_FORMULA_PARSE_H
#define NUMEL_FORMULA_PARSE_H

#include "formula/spec.h"

enum token_kind {
    TOKEN_END,
    TOKEN_INT,
    TOKEN_REAL,
    TOKEN_TEXT,
    TOKEN_NAME,
    TOKEN_SIGN,
    TOKEN_SIDE /* |gguf| */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t n;
    uint32_t sign; /* TOKEN_SIGN: its characters, first one highest */
    int64_t number;
    double real;
};

#define SIGN2(a, b) ((uint32_t)(a) << 8 | (uint32_t)(b))

/* A `choose` that is being read. */
struct choosing {
    unsigned columns, rows;            /* no columns: none is read */
    uint32_t line, row, nearest, told; /* the symbol of the row, and what finds it; the last that tells it */
    uint32_t lists[CHOOSE_COLUMNS], last[CHOOSE_COLUMNS];
};

struct parser {
    struct spec *spec;
    struct complaints *complaints;
    const struct spec_input *input;
    const char *start, *at, *end; /* of the line */
    struct token token;           /* the one to be read next */
    uint16_t file;
    uint32_t line;
    unsigned nesting; /* of expressions */
    bool line_failed;
    uint32_t open;         /* innermost open line, or NO_LINE */
    uint32_t outside;      /* `open` where this text began: it closes no further */
    unsigned blocks, uses; /* open blocks, nested `use` */
    unsigned parts;        /* nested */
    uint32_t scope;        /* of what is read */
    uint32_t section;      /* the line of the print section that this one stands in, or 0 */
    struct choosing choosing;
    bool templates;     /* {expression} stands in strings too */
    bool sections;      /* one has been: other lines may not follow */
    numel_error *error; /* NOMEM and LIMIT only: these end the parsing */
};

/* Complains at `where`; always false. Only the first complaint of a line is kept. */
bool parser_fail(struct parser *p, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
NUMEL_MUST bool parser_nomem(struct parser *p);

/* lex.c */
bool lex_next(struct parser *p); /* fills p->token */
/* The next run up to white space, brackets and quotes respected; false at the end of the line. */
bool lex_word(struct parser *p, numel_str *word);
void lex_skip(struct parser *p); /* white space */
bool lex_is(const struct parser *p, uint32_t sign);

/* expression.c: each gives a node or 0 after a complaint. */
uint32_t node_new(struct parser *p, enum node_kind kind, const char *at);
struct node *node_at(struct parser *p, uint32_t n);
/* Ends the source of a node at the last token read, and checks its depth. */
uint32_t node_close(struct parser *p, uint32_t n, const char *from);
uint32_t parse_expression(struct parser *p);           /* p->token is its first token */
uint32_t parse_part(struct parser *p, numel_str part); /* all of a word */
uint32_t parse_template(struct parser *p, numel_str word);
uint32_t parse_template_and(struct parser *p, numel_str word, const char *suffix); /* NULL: none */
uint32_t parse_ours(struct parser *p, const char *text, const char *at); /* what stands `at` means this */
uint32_t parse_quoted(struct parser *p, numel_str text);                 /* as it stands: a text */
bool parse_knows(const struct parser *p, numel_str name);                /* a symbol that has been defined */
uint32_t parse_both(struct parser *p, uint32_t a, uint32_t b); /* a && b; the other where one is 0 */
uint32_t parse_symbol(struct parser *p, numel_str name);       /* its number; makes it when new */

/* spec.c: the next line of the spec, in the innermost block; NULL: NOMEM. */
struct line *parse_line(struct parser *p, enum line_kind kind);

NUMEL_MUST bool parse_open(struct parser *p, struct line *line); /* it opens a block */
NUMEL_MUST bool parse_close(struct parser *p);                   /* the innermost ends */
/* All lines of a text, in place of the line at hand. */
NUMEL_MUST bool parse_inside(struct parser *p, numel_str text, const char *file);

/* spec_part.c: part PATH as PREFIX ... False after a complaint. */
NUMEL_MUST bool parse_part_line(struct parser *p);

/* spec_tensor.c: a line that begins with a kind of tensor: one line or more. False after a complaint. */
NUMEL_MUST bool parse_tensor(struct parser *p, enum tensor_kind kind);

/* spec_cache.c: cache KIND ... False after a complaint. */
NUMEL_MUST bool parse_cache(struct parser *p);

/* spec_choose.c: choose COLUMN ..., and each line behind it up to its end. False after a complaint. */
NUMEL_MUST bool parse_choose(struct parser *p);
NUMEL_MUST bool parse_chosen(struct parser *p);

/* spec_guess.c: guess KEY ... False after a complaint. */
NUMEL_MUST bool parse_guess(struct parser *p);

/* clause.c: what stands after a keyword, up to the end of the line. False after a complaint. */
bool clause_word(struct parser *p, numel_str *word, const char *what);
bool clause_ends(struct parser *p);
bool clause_define(struct parser *p, uint32_t *symbol); /* the name of a symbol; not yet known */
bool clause_name(struct parser *p, numel_str name, uint32_t *symbol);       /* the same of a word */
bool clause_let(struct parser *p, uint32_t *symbol, uint32_t value[SIDES]); /* X = A |gguf| B */
bool clause_for(struct parser *p, uint32_t *symbol, uint32_t range[2]);     /* X in A .. B */
bool clause_condition(struct parser *p, uint32_t *test);                    /* of a block: EXPR */
bool clause_if(struct parser *p, uint32_t *test); /* of a line: [if=EXPR]; else *test stays as it is */

/* A spec without lines, for what is not one and has its symbols and expressions: node 0 and the built-in
 * symbols. Freed with spec_free(). */
NUMEL_MUST bool spec_new(struct spec **out, const numel_allocator *m, numel_error *e);

/* Each line of a text in turn, with the parser at its beginning, until memory is out; the file is noted
 * for what is said of it, where `before` lines stand before the text. What is wrong with a line is a complaint,
 * not the end. False for LIMIT: the text is too long, or one of too many. */
typedef bool parse_line_fn(struct parser *p, void *ctx);
NUMEL_MUST bool parse_lines(struct parser *p, numel_str text, const char *file, uint32_t before,
                            parse_line_fn *line, void *ctx);

#endif
