/*
 * spec_choose.c -- a table of models that differ in sizes: a row is a model, a column is a symbol.
 *
 *     choose variant  E=dim("norm.bias",0) depths
 *      row "DAT x2"   180                  [6,6,6]
 *      row "DAT-S x2" 60                   [6,6]
 *     end
 *
 * It is parsed as a `let` that selects the row, and a `let` for each column that takes its value from a list.
 */
#include "formula/parse.h"

#include <string.h>

/* let SYMBOL = node `value` */
static bool let(struct parser *p, uint32_t symbol, uint32_t value)
{
    struct symbol *s = &p->spec->symbols[symbol];
    if (s->line == NO_LINE) s->line = (uint32_t)p->spec->line_count;
    struct line *line = parse_line(p, LINE_LET);
    if (!line) return false;
    line->symbol = symbol;
    line->expr[SIDE_HF] = line->expr[SIDE_GGUF] = value;
    return true;
}

/* Adds a test for the row: the value in the file equals the list's. */
static bool tell(struct parser *p, uint32_t shown, uint32_t list)
{
    struct choosing *c = &p->choosing;
    uint32_t equal = node_new(p, NODE_EQ, node_at(p, shown)->source.p);
    if (!equal) return false;
    *node_at(p, equal) = *node_at(p, shown);
    node_at(p, equal)->kind = NODE_EQ;
    node_at(p, equal)->a = shown;
    node_at(p, equal)->b = list;
    node_at(p, equal)->c = node_at(p, equal)->next = node_at(p, shown)->next = 0;
    if (c->told) node_at(p, c->told)->next = equal;
    else node_at(p, c->nearest)->a = equal;
    c->told = equal;
    return true;
}

/* Makes the column's list, which the rows fill, and its value in the selected row. */
static uint32_t column_value(struct parser *p, numel_str name, uint32_t *list)
{
    uint32_t value, row;
    if (!(*list = node_new(p, NODE_LIST, name.p)) || !(row = node_new(p, NODE_SYMBOL, name.p)) ||
        !(value = node_new(p, NODE_INDEX, name.p)))
        return 0;
    node_at(p, row)->number = p->choosing.row;
    node_at(p, value)->a = *list;
    node_at(p, value)->b = row;
    node_at(p, value)->source = node_at(p, row)->source = node_at(p, *list)->source = name;
    return value;
}

/* NAME, NAME=EXPR or NAME=[EXPR,EXPR]: the value in the file, in one or several places. */
static bool column(struct parser *p, numel_str word)
{
    struct choosing *c = &p->choosing;
    numel_str name = text_upto(word, text_find(word, 0, '=')), shown = text_from(word, name.n + 1);
    uint32_t symbol, told = 0, list, value;
    if (c->columns == CHOOSE_COLUMNS) return parser_fail(p, word.p, "more than %d columns", CHOOSE_COLUMNS);
    if (!clause_name(p, name, &symbol)) return false;
    if (name.n < word.n && !(told = parse_part(p, shown))) return false;
    if (!(value = column_value(p, name, &list))) return false;
    c->lists[c->columns++] = list;
    if (!let(p, symbol, value)) return false;
    p->spec->symbols[symbol].uses += told > 0;
    if (told && node_at(p, told)->kind != NODE_LIST) return tell(p, told, list);
    for (uint32_t k = told ? node_at(p, told)->a : 0, next; k; k = next) {
        next = node_at(p, k)->next;
        if (!tell(p, k, list)) return false;
    }
    return true;
}

bool parse_choose(struct parser *p)
{
    const char *at = p->start;
    struct choosing *c = &p->choosing;
    numel_str word;
    *c = (struct choosing){ .line = p->line,
                            .row = parse_symbol(p, text_of("(row)")) }; /* cannot be a name in a file */
    if (!error_free(p->error) || !(c->nearest = node_new(p, NODE_NEAREST, at))) return false;
    node_at(p, c->nearest)->source = text_of("(row)");
    p->spec->symbols[c->row].uses++;
    if (!let(p, c->row, c->nearest)) return false;
    while (lex_word(p, &word))
        if (!column(p, word)) return false;
    return c->told || parser_fail(p, at, "no column says what the file shows of it: NAME=EXPR");
}

/* One value for each column. */
NUMEL_MUST static bool chosen_row(struct parser *p)
{
    struct choosing *c = &p->choosing;
    numel_str word;
    unsigned i = 0;
    if (c->rows++ == CHOOSE_ROWS) return parser_fail(p, p->start, "more than %d rows", CHOOSE_ROWS);
    for (; i < c->columns && i < CHOOSE_COLUMNS && lex_word(p, &word); i++) {
        uint32_t value = parse_part(p, word), last = c->last[i];
        if (!value) return false;
        if (node_at(p, value)->depth > SPEC_DEPTH / 2)
            return parser_fail(p, word.p, "expression is nested deeper than %d", SPEC_DEPTH / 2);
        if (last) node_at(p, last)->next = value;
        else node_at(p, c->lists[i])->a = value;
        c->last[i] = value;
    }
    if (i < c->columns) return parser_fail(p, p->at, "%u columns, and here are %u values", c->columns, i);
    return clause_ends(p);
}

bool parse_chosen(struct parser *p)
{
    struct choosing *c = &p->choosing;
    numel_str word;
    char shown[TEXT_QUOTE];
    if (!lex_word(p, &word)) return true;
    if (text_equal(word, "row")) return chosen_row(p);
    if (!text_equal(word, "end"))
        return parser_fail(p, word.p, "expected a row or the end, not %s", text_quote(shown, word));
    unsigned rows = c->rows;
    *c = (struct choosing){ .columns = 0 };
    return rows ? clause_ends(p) : parser_fail(p, word.p, "a choose has at least one row");
}
