/* lex.c -- splits a line of a spec into tokens; see parse.h. */
#include "formula/parse.h"

#include "base/number.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* A blank, or the backslash and newline that continue a line. */
static bool is_gap(const char *at, const char *end)
{
    bool continued = *at == '\\' && end - at > 1 && (at[1] == '\n' || at[1] == '\r');
    return is_blank(*at) || *at == '\n' || continued;
}

void lex_skip(struct parser *p)
{
    while (p->at < p->end && is_gap(p->at, p->end)) p->at++;
    if (p->at < p->end && *p->at == '#') p->end = p->at; /* the rest is a comment */
}

bool lex_is(const struct parser *p, uint32_t sign)
{
    return p->token.kind == TOKEN_SIGN && p->token.sign == sign;
}

/* Skips .5 and e-12; each may be missing. False if both are. */
static bool fraction(struct parser *p)
{
    const char *from = p->at;
    if (p->at + 1 < p->end && *p->at == '.' && is_digit(p->at[1]))
        for (p->at++; p->at < p->end && is_digit(*p->at);) p->at++;
    if (p->at + 2 < p->end && p->at[0] == 'e' && p->at[1] == '-' && is_digit(p->at[2]))
        for (p->at += 2; p->at < p->end && is_digit(*p->at);) p->at++;
    return p->at > from;
}

/* 12, 1.5 or 1e-12; "0..L" is an integer and a range. */
static bool number(struct parser *p)
{
    struct token *t = &p->token;
    t->kind = TOKEN_INT;
    t->number = 0;
    bool fits = true;
    for (; p->at < p->end && is_digit(*p->at); p->at++)
        fits = fits && !__builtin_mul_overflow(t->number, 10, &t->number) &&
               !__builtin_add_overflow(t->number, *p->at - '0', &t->number);
    if (fraction(p)) {
        t->kind = TOKEN_REAL;
        if (!number_real_read(text_span(t->at, p->at), false, &t->real))
            return parser_fail(p, t->at, "number is too long");
    } else if (!fits) {
        return parser_fail(p, t->at, "integer does not fit in 64 bits");
    }
    return true;
}

static bool quoted(struct parser *p)
{
    const char *open = p->at++;
    while (p->at < p->end && *p->at != '"') p->at++;
    if (p->at == p->end) return parser_fail(p, open, "string without a closing quote");
    p->token.kind = TOKEN_TEXT;
    p->at++;
    return true;
}

static bool sign(struct parser *p)
{
    static const char twos[] = "?? || && == != <= >= ..";
    if (p->end - p->at >= 6 && memcmp(p->at, "|gguf|", 6) == 0) {
        p->at += 6;
        p->token.kind = TOKEN_SIDE;
        return true;
    }
    p->token.kind = TOKEN_SIGN;
    for (size_t i = 0; p->at + 1 < p->end && i + 1 < sizeof twos; i += 3)
        if (p->at[0] == twos[i] && p->at[1] == twos[i + 1]) {
            p->token.sign = SIGN2(twos[i], twos[i + 1]);
            p->at += 2;
            return true;
        }
    if (!strchr("?:<>+-*/%!()[].,=", *p->at) || !*p->at) {
        char shown[TEXT_QUOTE];
        return parser_fail(p, p->at, "%s has no meaning here", text_quote(shown, (numel_str){ p->at, 1 }));
    }
    p->token.sign = (unsigned char)*p->at++;
    return true;
}

bool lex_next(struct parser *p)
{
    lex_skip(p);
    p->token = (struct token){ .kind = TOKEN_END, .at = p->at };
    if (p->at == p->end) return true;
    bool ok = true;
    if (is_digit(*p->at)) {
        ok = number(p);
    } else if (is_letter(*p->at)) {
        p->token.kind = TOKEN_NAME;
        while (p->at < p->end && (is_letter(*p->at) || is_digit(*p->at))) p->at++;
    } else {
        ok = *p->at == '"' ? quoted(p) : sign(p);
    }
    p->token.n = (size_t)(p->at - p->token.at);
    return ok;
}

bool lex_word(struct parser *p, numel_str *word)
{
    lex_skip(p);
    const char *from = p->at;
    int deep = 0;
    bool text = false;
    for (; p->at < p->end; p->at++) {
        char c = *p->at;
        if (c == '"') text = !text;
        if (text) continue;
        if (is_gap(p->at, p->end) && deep <= 0) break;
        if (strchr("([{", c) && c) deep++;
        if (strchr(")]}", c) && c) deep--;
    }
    *word = text_span(from, p->at);
    return word->n > 0;
}
