/* expression.c -- parses expressions of a spec by precedence climbing; see parse.h. */
#include "formula/parse.h"

#include <string.h>

uint32_t node_new(struct parser *p, enum node_kind kind, const char *at)
{
    struct spec *s = p->spec;
    if (s->node_count >= SPEC_NODES) {
        error_set(p->error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "spec has more than %d expression nodes",
                  SPEC_NODES);
        return 0;
    }
    if (!memory_grow(s->arena.memory, (void **)&s->nodes, &s->node_cap, s->node_count + 1, sizeof *s->nodes,
                     p->error))
        return 0;
    s->nodes[s->node_count] = (struct node){
        .kind = (uint8_t)kind,
        .depth = 1,
        .file = p->file,
        .scope = (uint16_t)p->scope,
        .line = p->line,
        .column = (uint16_t)(at - p->start + 1),
        .source = { at, 0 },
    };
    return (uint32_t)s->node_count++;
}

struct node *node_at(struct parser *p, uint32_t n) { return &p->spec->nodes[n]; }

uint32_t node_close(struct parser *p, uint32_t n, const char *from)
{
    struct node *x = node_at(p, n);
    unsigned depth = 0;
    uint32_t parts[3] = { x->a, x->b, x->c };
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t k = parts[i]; k; k = node_at(p, k)->next)
            if (node_at(p, k)->depth > depth) depth = node_at(p, k)->depth;
    if (depth + 1 > SPEC_DEPTH) {
        parser_fail(p, from, "expression is nested deeper than %d", SPEC_DEPTH);
        return 0;
    }
    x->depth = (uint8_t)(depth + 1);
    const char *to = p->token.at; /* the next token, not yet read; white space before it is cut off */
    while (to > from && (to[-1] == ' ' || to[-1] == '\t')) to--;
    x->source = text_span(from, to);
    return n;
}

/* Built-in symbols are the same in all scopes. */
static bool is_called(const struct parser *p, uint32_t symbol, numel_str name)
{
    const struct symbol *x = &p->spec->symbols[symbol];
    if (symbol >= SYMBOLS_BUILT_IN && x->scope != p->scope) return false;
    return text_same(text_from(x->name, x->label), name);
}

uint32_t parse_symbol(struct parser *p, numel_str name)
{
    struct spec *s = p->spec;
    for (uint32_t i = 0; i < s->symbol_count; i++)
        if (is_called(p, i, name)) return i;
    if (!memory_grow(s->arena.memory, (void **)&s->symbols, &s->symbol_cap, s->symbol_count + 1,
                     sizeof *s->symbols, p->error))
        return 0;
    numel_str label = s->scopes[p->scope].label;
    if (label.n) name = arena_join(&s->arena, label, name, text_of(""));
    if (label.n && !name.p) return error_put_nomem(p->error), 0;
    s->symbols[s->symbol_count] = (struct symbol){
        .name = name, .scope = (uint16_t)p->scope, .label = (uint16_t)label.n, .line = NO_LINE
    };
    return (uint32_t)s->symbol_count++;
}

static bool known(const struct parser *p, uint32_t symbol)
{
    return symbol < SYMBOLS_BUILT_IN || p->spec->symbols[symbol].line != NO_LINE;
}

bool parse_knows(const struct parser *p, numel_str name)
{
    for (uint32_t i = 0; i < p->spec->symbol_count; i++)
        if (is_called(p, i, name)) return known(p, i);
    return false;
}

static uint32_t leaf(struct parser *p, enum node_kind kind)
{
    const char *at = p->token.at;
    uint32_t n = node_new(p, kind, at);
    if (!n || !lex_next(p)) return 0;
    return node_close(p, n, at);
}

static bool expect(struct parser *p, uint32_t wanted, const char *text)
{
    if (!lex_is(p, wanted)) return parser_fail(p, p->token.at, "expected '%s'", text);
    return lex_next(p);
}

/* labels(): the number of classes of a head, as Hugging Face configurations state it. It is parsed as its
 * expansion, so that searches for keys find them. */
static uint32_t labels(struct parser *p, numel_str name)
{
    if (!lex_next(p) || !expect(p, ')', ")")) return 0;
    uint32_t n = parse_ours(
        p, "cfg(\"id2label\") != null ? len(cfg(\"id2label\")) : cfg(\"num_labels\") ?? 2", name.p);
    if (n) node_at(p, n)->source = text_of("labels()");
    return n;
}

/* Parses values separated by commas, up to the sign that ends them: a chain that starts at the node's `a`. */
static bool items(struct parser *p, uint32_t n, uint32_t sign, uint32_t *count)
{
    uint32_t last = 0, item;
    for (*count = 0; !lex_is(p, sign); last = item, ++*count) {
        if (*count && !expect(p, ',', ",")) return false;
        if (!(item = parse_expression(p))) return false;
        if (last) node_at(p, last)->next = item;
        else node_at(p, n)->a = item;
    }
    return true;
}

/* [a, b, c] */
static uint32_t list(struct parser *p)
{
    const char *from = p->token.at;
    uint32_t n = node_new(p, NODE_LIST, from), count;
    return n && lex_next(p) && items(p, n, ']', &count) && lex_next(p) ? node_close(p, n, from) : 0;
}

/* f(x, ...): the name has been read, '(' is the next token. */
static uint32_t call(struct parser *p, numel_str name)
{
    char shown[TEXT_QUOTE];
    int function = spec_function(name);
    if (function < 0) {
        parser_fail(p, name.p, "unknown function %s", text_quote(shown, name));
        return 0;
    }
    uint32_t n = node_new(p, NODE_CALL, name.p), count;
    if (!n || !lex_next(p) || !items(p, n, ')', &count)) return 0;
    unsigned least, most;
    spec_function_arity(function, &least, &most);
    if (count < least || count > most) {
        parser_fail(p, name.p, "%s() takes %u to %u arguments, here are %u", spec_function_name(function),
                    least, most, count);
        return 0;
    }
    node_at(p, n)->number = function;
    return lex_next(p) ? node_close(p, n, name.p) : 0;
}

static uint32_t word(struct parser *p)
{
    static const char *const words[] = { "null", "true", "false" };
    numel_str name = { p->token.at, p->token.n };
    for (unsigned i = 0; i < 3; i++)
        if (text_equal(name, words[i])) {
            uint32_t n = leaf(p, i ? NODE_BOOL : NODE_NULL);
            if (n) node_at(p, n)->number = i == 1;
            return n;
        }
    const char *after = name.p + name.n;
    bool called = after < p->end && *after == '(';
    if (called && text_equal(name, "labels")) return lex_next(p) ? labels(p, name) : 0;
    if (called) return lex_next(p) ? call(p, name) : 0;
    uint32_t symbol = parse_symbol(p, name);
    if (!error_free(p->error)) return 0;
    if (!known(p, symbol)) {
        char shown[TEXT_QUOTE];
        parser_fail(p, name.p, "unknown symbol %s: no let before this line gives it a value",
                    text_quote(shown, name));
        return 0;
    }
    p->spec->symbols[symbol].uses++;
    uint32_t n = leaf(p, NODE_SYMBOL);
    if (n) node_at(p, n)->number = symbol;
    return n;
}

static uint32_t binary(struct parser *p, unsigned least);

/* "{M}.shape" of a layout. */
static uint32_t template_text(struct parser *p, struct token t)
{
    uint32_t n = parse_template(p, text_inner((numel_str){ t.at, t.n }));
    return n && lex_next(p) ? n : 0;
}

static uint32_t primary(struct parser *p)
{
    struct token t = p->token;
    uint32_t n;
    switch (t.kind) {
    case TOKEN_INT:
        if ((n = leaf(p, NODE_INT))) node_at(p, n)->number = t.number;
        return n;
    case TOKEN_REAL:
        if ((n = leaf(p, NODE_REAL))) node_at(p, n)->real = t.real;
        return n;
    case TOKEN_TEXT:
        if (p->templates && memchr(t.at, '{', t.n)) return template_text(p, t);
        if ((n = leaf(p, NODE_TEXT))) node_at(p, n)->text = text_inner((numel_str){ t.at, t.n });
        return n;
    case TOKEN_NAME: return word(p);
    case TOKEN_SIGN:
        if (lex_is(p, '[')) return list(p);
        if (!lex_is(p, '(')) break;
        if (!lex_next(p) || !(n = parse_expression(p)) || !expect(p, ')', ")")) return 0;
        return n;
    case TOKEN_SIDE:
    case TOKEN_END: break;
    }
    parser_fail(p, t.at, t.kind == TOKEN_END ? "expression ends too early" : "expected a value");
    return 0;
}

static uint32_t postfix(struct parser *p)
{
    const char *from = p->token.at;
    uint32_t inner = primary(p);
    while (inner && (lex_is(p, '[') || lex_is(p, '.'))) {
        bool index = lex_is(p, '[');
        uint32_t n = node_new(p, index ? NODE_INDEX : NODE_MEMBER, from);
        if (!n || !lex_next(p)) return 0;
        node_at(p, n)->a = inner;
        if (index) {
            uint32_t b = parse_expression(p);
            if (!b || !expect(p, ']', "]")) return 0;
            node_at(p, n)->b = b;
        } else {
            if (p->token.kind != TOKEN_NAME) {
                parser_fail(p, p->token.at, "expected a key after '.'");
                return 0;
            }
            node_at(p, n)->text = (numel_str){ p->token.at, p->token.n };
            if (!lex_next(p)) return 0;
        }
        inner = node_close(p, n, from);
    }
    return inner;
}

static uint32_t unary(struct parser *p)
{
    const char *from = p->token.at;
    enum node_kind kind = lex_is(p, '!') ? NODE_NOT : NODE_NEGATE;
    if (!lex_is(p, '!') && !lex_is(p, '-')) return postfix(p);
    uint32_t n = node_new(p, kind, from);
    if (!n) return 0;
    if (++p->nesting > SPEC_DEPTH) {
        parser_fail(p, from, "expression is nested deeper than %d", SPEC_DEPTH);
        return 0;
    }
    uint32_t a = lex_next(p) ? unary(p) : 0;
    p->nesting--;
    if (!a) return 0;
    node_at(p, n)->a = a;
    return node_close(p, n, from);
}

/* Higher levels bind tighter. All are left-associative except `??`. */
/* clang-format off */
static const struct operator { uint32_t sign; uint8_t level, kind; } operators[] = {
    { SIGN2('?', '?'), 1, NODE_ELSE }, { SIGN2('|', '|'), 2, NODE_OR },
    { SIGN2('&', '&'), 3, NODE_AND },  { SIGN2('=', '='), 4, NODE_EQ },
    { SIGN2('!', '='), 4, NODE_NE },   { '<', 5, NODE_LT },
    { '>', 5, NODE_GT },               { SIGN2('<', '='), 5, NODE_LE },
    { SIGN2('>', '='), 5, NODE_GE },   { '+', 6, NODE_ADD },
    { '-', 6, NODE_SUB },              { '*', 7, NODE_MUL },
    { '/', 7, NODE_DIV },              { '%', 7, NODE_MOD },
};
/* clang-format on */

static const struct operator* operator_at(const struct parser *p)
{
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (lex_is(p, operators[i].sign)) return &operators[i];
    return NULL;
}

static uint32_t binary(struct parser *p, unsigned least)
{
    const char *from = p->token.at;
    uint32_t left = unary(p);
    for (const struct operator* o; left && (o = operator_at(p)) && o->level >= least;) {
        uint32_t n = node_new(p, (enum node_kind)o->kind, p->token.at);
        if (!n || !lex_next(p)) return 0;
        uint32_t right = binary(p, o->kind == NODE_ELSE ? o->level : o->level + 1u);
        if (!right) return 0;
        node_at(p, n)->a = left;
        node_at(p, n)->b = right;
        left = node_close(p, n, from);
    }
    return left;
}

static uint32_t choose(struct parser *p)
{
    const char *from = p->token.at;
    uint32_t test = binary(p, 1);
    if (!test || !lex_is(p, '?')) return test;
    uint32_t n = node_new(p, NODE_CHOOSE, from), yes, no;
    if (!n || !lex_next(p) || !(yes = parse_expression(p)) || !expect(p, ':', ":") ||
        !(no = parse_expression(p)))
        return 0;
    struct node *x = node_at(p, n);
    x->a = test;
    x->b = yes;
    x->c = no;
    return node_close(p, n, from);
}

uint32_t parse_expression(struct parser *p)
{
    if (++p->nesting > SPEC_DEPTH) {
        parser_fail(p, p->token.at, "expression is nested deeper than %d", SPEC_DEPTH);
        return 0;
    }
    uint32_t n = choose(p);
    p->nesting--;
    return n;
}

uint32_t parse_part(struct parser *p, numel_str part)
{
    const char *at = p->at, *end = p->end;
    p->at = part.p;
    p->end = part.p + part.n;
    uint32_t n = lex_next(p) ? parse_expression(p) : 0;
    if (n && p->token.kind != TOKEN_END) {
        parser_fail(p, p->token.at,
                    "the expression should end here; blanks separate expressions, "
                    "inside brackets they are free");
        n = 0;
    }
    p->at = at;
    p->end = end;
    return n;
}

uint32_t parse_ours(struct parser *p, const char *text, const char *at)
{
    struct token after = p->token;
    const char *start = p->start;
    p->start = text;
    uint32_t n = parse_part(p, text_of(text));
    p->start = start;
    p->token = after;
    if (n) node_at(p, n)->column = (uint16_t)(at - start + 1);
    return n;
}

/* One part of a name: text up to '{', or {expression}. Advances *at. */
static uint32_t template_part(struct parser *p, const char **at, const char *end)
{
    const char *from = *at, *to = from;
    if (*from != '{') {
        while (to < end && *to != '{' && *to != '}') to++;
        if (to < end && *to == '}') parser_fail(p, to, "'}' without its '{'");
        uint32_t n = p->line_failed ? 0 : node_new(p, NODE_TEXT, from);
        if (n) node_at(p, n)->text = text_span(from, to);
        *at = to;
        return n;
    }
    bool text = false;
    for (to++; to < end && (text || *to != '}'); to++)
        if (*to == '"') text = !text;
    if (to == end) {
        parser_fail(p, from, "'{' without its '}'");
        return 0;
    }
    *at = to + 1;
    return parse_part(p, text_span(from + 1, to));
}

static void chain(struct parser *p, uint32_t template, uint32_t *last, uint32_t part)
{
    if (*last) node_at(p, *last)->next = part;
    else node_at(p, template)->a = part;
    *last = part;
}

uint32_t parse_template(struct parser *p, numel_str name) { return parse_template_and(p, name, NULL); }

uint32_t parse_template_and(struct parser *p, numel_str name, const char *suffix)
{
    uint32_t n = node_new(p, NODE_TEMPLATE, name.p), last = 0, part;
    for (const char *at = name.p, *end = name.p + name.n; n && at < end;) {
        if (!(part = template_part(p, &at, end))) return 0;
        chain(p, n, &last, part);
    }
    if (!n || !suffix) return n ? node_at(p, n)->source = name, n : 0;
    if (!(part = node_new(p, NODE_TEXT, name.p))) return 0;
    node_at(p, part)->text = text_of(suffix);
    chain(p, n, &last, part);
    node_at(p, n)->source = arena_join(&p->spec->arena, name, text_of(suffix), text_of(""));
    return node_at(p, n)->source.p || parser_nomem(p) ? n : 0;
}

uint32_t parse_quoted(struct parser *p, numel_str text)
{
    uint32_t n = node_new(p, NODE_TEXT, text.p);
    if (n) node_at(p, n)->text = node_at(p, n)->source = text;
    return n;
}

uint32_t parse_both(struct parser *p, uint32_t a, uint32_t b)
{
    if (!a || !b) return a ? a : b;
    uint32_t n = node_new(p, NODE_AND, node_at(p, a)->source.p);
    if (!n) return 0;
    *node_at(p, n) = *node_at(p, a);
    node_at(p, n)->kind = NODE_AND;
    node_at(p, n)->a = a;
    node_at(p, n)->b = b;
    node_at(p, n)->c = 0;
    return n;
}
