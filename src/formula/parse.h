/*
 * parse.h -- shared by the files of the spec parser only: lex.c splits a line into tokens, expression.c makes
 * nodes, spec.c makes lines. printout/template.c parses its own lines with the same expressions and nodes.
 *
 * An error in a line gives one complaint, and the rest of the line is skipped. Parsing continues with the
 * next line, so that an author sees all mistakes at once.
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
    uint32_t sign; /* TOKEN_SIGN: its characters, the first one in the high byte */
    int64_t number;
    double real;
};

#define SIGN2(a, b) ((uint32_t)(a) << 8 | (uint32_t)(b))

/* The `choose` being parsed. */
struct choosing {
    unsigned columns, rows;            /* columns 0: no `choose` is open */
    uint32_t line, row, nearest, told; /* row: its symbol; nearest: the node that selects it; told: the last
                                        * evidence for it */
    uint32_t lists[CHOOSE_COLUMNS], last[CHOOSE_COLUMNS];
};

struct parser {
    struct spec *spec;
    struct complaints *complaints;
    const struct spec_input *input;
    const char *start, *at, *end; /* of the line */
    struct token token;           /* the next one */
    uint16_t file;
    uint32_t line;
    unsigned nesting; /* of expressions */
    bool line_failed;
    uint32_t open;         /* innermost open line, or NO_LINE */
    uint32_t outside;      /* `open` at the start of this text, which must not close outer blocks */
    unsigned blocks, uses; /* open blocks, nested `use` */
    unsigned parts;        /* nested */
    uint32_t scope;        /* of the current line */
    uint32_t section;      /* first line of the current print section, or 0 */
    struct choosing choosing;
    bool templates;     /* strings may contain {expression} */
    bool sections;      /* a print section was found: no other lines may follow */
    numel_error *error; /* only NOMEM and LIMIT, which end the parsing */
};

/* Adds a complaint at `where`; always false. Only the first complaint of a line is kept. */
bool parser_fail(struct parser *p, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
NUMEL_MUST bool parser_nomem(struct parser *p);

/* lex.c */
bool lex_next(struct parser *p); /* fills p->token */
/* The next run of characters up to white space outside of brackets and quotes; false at the end of the
 * line. */
bool lex_word(struct parser *p, numel_str *word);
void lex_skip(struct parser *p); /* skips white space */
bool lex_is(const struct parser *p, uint32_t sign);

/* expression.c: each returns a node, or 0 after a complaint. */
uint32_t node_new(struct parser *p, enum node_kind kind, const char *at);
struct node *node_at(struct parser *p, uint32_t n);
/* Ends the source of a node at the last token read, and checks its depth. */
uint32_t node_close(struct parser *p, uint32_t n, const char *from);
uint32_t parse_expression(struct parser *p);           /* p->token is its first token */
uint32_t parse_part(struct parser *p, numel_str part); /* a whole word */
uint32_t parse_template(struct parser *p, numel_str word);
uint32_t parse_template_and(struct parser *p, numel_str word, const char *suffix); /* suffix NULL: none */
uint32_t parse_ours(struct parser *p, const char *text, const char *at);           /* our text, for `at` */
uint32_t parse_quoted(struct parser *p, numel_str text);                           /* a literal text */
bool parse_knows(const struct parser *p, numel_str name);      /* a symbol that is defined */
uint32_t parse_both(struct parser *p, uint32_t a, uint32_t b); /* a && b; if one is 0, the other */
uint32_t parse_symbol(struct parser *p, numel_str name);       /* its number; new symbols are added */

/* spec.c: adds a line to the innermost block of the spec; NULL: NOMEM. */
struct line *parse_line(struct parser *p, enum line_kind kind);

NUMEL_MUST bool parse_open(struct parser *p, struct line *line); /* the line opens a block */
NUMEL_MUST bool parse_close(struct parser *p);                   /* closes the innermost block */
/* Parses all lines of a text instead of the current line. */
NUMEL_MUST bool parse_inside(struct parser *p, numel_str text, const char *file);

/* spec_part.c: part PATH as PREFIX ... False after a complaint. */
NUMEL_MUST bool parse_part_line(struct parser *p);

/* spec_tensor.c: a line that begins with a kind of tensor; makes one or more lines. False after a
 * complaint. */
NUMEL_MUST bool parse_tensor(struct parser *p, enum tensor_kind kind);

/* spec_cache.c: cache KIND ... False after a complaint. */
NUMEL_MUST bool parse_cache(struct parser *p);

/* spec_choose.c: choose COLUMN ..., and each line after it up to its end. False after a complaint. */
NUMEL_MUST bool parse_choose(struct parser *p);
NUMEL_MUST bool parse_chosen(struct parser *p);

/* spec_guess.c: guess KEY ... False after a complaint. */
NUMEL_MUST bool parse_guess(struct parser *p);

/* clause.c: what follows a keyword, up to the end of the line. False after a complaint. */
bool clause_word(struct parser *p, numel_str *word, const char *what);
bool clause_ends(struct parser *p);
bool clause_define(struct parser *p, uint32_t *symbol); /* the name of a symbol, defined by the caller */
bool clause_name(struct parser *p, numel_str name, uint32_t *symbol);       /* the same, from a word */
bool clause_let(struct parser *p, uint32_t *symbol, uint32_t value[SIDES]); /* X = A |gguf| B */
bool clause_for(struct parser *p, uint32_t *symbol, uint32_t range[2]);     /* X in A .. B */
bool clause_condition(struct parser *p, uint32_t *test);                    /* of a block: EXPR */
bool clause_if(struct parser *p, uint32_t *test); /* of a line: [if=EXPR]; if missing, *test is unchanged */

/* A spec without lines, for other users of symbols and expressions: only node 0 and the built-in symbols.
 * Free it with spec_free(). */
NUMEL_MUST bool spec_new(struct spec **out, const numel_allocator *m, numel_error *e);

/* Calls `line` for each line of a text, with the parser at its beginning, until out of memory. Registers the
 * file for messages; `before` lines precede the text in it. A wrong line gives a complaint and does not stop
 * the loop. False: LIMIT, if the text is too long or there are too many texts. */
typedef bool parse_line_fn(struct parser *p, void *ctx);
NUMEL_MUST bool parse_lines(struct parser *p, numel_str text, const char *file, uint32_t before,
                            parse_line_fn *line, void *ctx);

#endif
