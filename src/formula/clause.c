/* clause.c -- parts of lines that specs and print templates share; see parse.h. */
#include "formula/parse.h"

bool clause_word(struct parser *p, numel_str *word, const char *what)
{
    return lex_word(p, word) || parser_fail(p, p->at, "expected %s", what);
}

bool clause_ends(struct parser *p)
{
    numel_str rest;
    return !lex_word(p, &rest) || parser_fail(p, rest.p, "the line should end here");
}

static bool expression_ends(struct parser *p)
{
    return p->token.kind == TOKEN_END || parser_fail(p, p->token.at, "the line should end here");
}

bool clause_name(struct parser *p, numel_str name, uint32_t *symbol)
{
    static const char *const words[] = { "T", "opt", "empty", "int", "any" };
    char shown[TEXT_QUOTE];
    bool taken = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) taken |= text_equal(name, words[i]);
    if (!text_is_name(name) || taken)
        return parser_fail(p, name.p, "%s cannot be a symbol", text_quote(shown, name));
    *symbol = parse_symbol(p, name);
    if (!error_free(p->error)) return false;
    return *symbol >= SYMBOLS_BUILT_IN || parser_fail(p, name.p, "%s is built in", text_quote(shown, name));
}

bool clause_define(struct parser *p, uint32_t *symbol)
{
    numel_str name;
    return clause_word(p, &name, "a symbol") && clause_name(p, name, symbol);
}

bool clause_let(struct parser *p, uint32_t *symbol, uint32_t value[SIDES])
{
    numel_str sign;
    if (!clause_define(p, symbol) || !clause_word(p, &sign, "'='")) return false;
    if (!text_equal(sign, "=")) return parser_fail(p, sign.p, "expected '=' with spaces around it");
    if (!lex_next(p) || !(value[SIDE_HF] = parse_expression(p))) return false;
    value[SIDE_GGUF] = value[SIDE_HF];
    if (p->token.kind == TOKEN_SIDE && (!lex_next(p) || !(value[SIDE_GGUF] = parse_expression(p))))
        return false;
    return expression_ends(p);
}

bool clause_for(struct parser *p, uint32_t *symbol, uint32_t range[2])
{
    numel_str in;
    if (!clause_define(p, symbol) || !clause_word(p, &in, "'in'")) return false;
    if (!text_equal(in, "in")) return parser_fail(p, in.p, "expected 'in'");
    if (!lex_next(p) || !(range[0] = parse_expression(p))) return false;
    if (!lex_is(p, SIGN2('.', '.'))) return parser_fail(p, p->token.at, "expected '..'");
    return lex_next(p) && (range[1] = parse_expression(p)) && expression_ends(p);
}

bool clause_if(struct parser *p, uint32_t *test)
{
    numel_str word;
    if (!lex_word(p, &word)) return true;
    if (!text_starts(word, "if=")) return parser_fail(p, word.p, "expected if=EXPR, or the end of the line");
    return (*test = parse_part(p, text_from(word, 3))) && clause_ends(p);
}

bool clause_condition(struct parser *p, uint32_t *test)
{
    return lex_next(p) && (*test = parse_expression(p)) && expression_ends(p);
}
