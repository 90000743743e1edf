/*
 * template.c -- writing a tree: parses the lines of a print template, with one function for each kind of
 * line.
 *
 * Indentation closes blocks: a line that is less deep closes the block around it. A symbol is known from
 * its line on, even if that line is wrong, so that one mistake is reported once.
 */
#include "printout/template.h"

#include "formula/parse.h"
#include "printout/kind.h"

enum { TEMPLATE_LINES = 100000, TEMPLATE_USES = 8 };

struct reading {
    struct parser p;
    struct template *t;
    const struct library *library;
    uint32_t open[SPEC_DEPTH]; /* lines whose blocks are open, each indented deeper */
    unsigned depth, outside;   /* of `open`: how many; how many were open when this text started */
    uint32_t base;             /* indentation of the `use` that includes this text */
};

static struct template_line *line_new(struct reading *r, enum template_line_kind kind, uint32_t indent)
{
    struct template *t = r->t;
    if (t->count == TEMPLATE_LINES) {
        error_set(r->p.error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "more than %d lines in all", TEMPLATE_LINES);
        return NULL;
    }
    if (!memory_grow(t->memory, &t->lines, &t->cap, t->count + 1, sizeof *t->lines, r->p.error)) return NULL;
    r->open[r->depth++] = (uint32_t)t->count;
    struct template_line *line = &t->lines[t->count++];
    *line = (struct template_line){ .kind = kind, .indent = indent, .next = (uint32_t)t->count };
    return line;
}

/* Marks a symbol as known, even if its line is wrong: lines that use it are not wrong themselves. */
static void defined(struct reading *r, uint32_t symbol)
{
    struct symbol *s = &r->p.spec->symbols[symbol];
    if (s->line == NO_LINE) s->line = 0;
}

/* ---- let, for, if, else ------------------------------------------------------------------- */

/* A let or a for: two expressions, by clause_let() or clause_for(). */
static bool line_symbol(struct reading *r, uint32_t indent, enum template_line_kind kind,
                        bool (*clause)(struct parser *, uint32_t *symbol, uint32_t expr[2]))
{
    uint32_t symbol = SYMBOL_GGUF, expr[2];
    bool ok = clause(&r->p, &symbol, expr);
    defined(r, symbol);
    if (!ok) return false;
    struct template_line *line = line_new(r, kind, indent);
    if (!line) return false;
    line->symbol = symbol;
    memcpy(line->expr, expr, sizeof expr);
    return true;
}

static bool line_if(struct reading *r, uint32_t indent)
{
    uint32_t test;
    if (!clause_condition(&r->p, &test)) return false;
    struct template_line *line = line_new(r, TEMPLATE_IF, indent);
    if (line) line->expr[0] = test;
    return line != NULL;
}

/* The line just closed must be an `if`, or an `else if`, with the same indentation. */
static bool line_else(struct reading *r, uint32_t indent, uint32_t closed)
{
    numel_str word;
    uint32_t test = 0;
    const struct template_line *before = closed == NO_LINE ? NULL : &r->t->lines[closed];
    bool fits = before && before->indent == indent && before->next == r->t->count &&
                (before->kind == TEMPLATE_IF || (before->kind == TEMPLATE_ELSE && before->expr[0]));
    if (!fits) return parser_fail(&r->p, r->p.start, "else without an if");
    if (lex_word(&r->p, &word)) {
        if (!text_equal(word, "if")) return parser_fail(&r->p, word.p, "expected 'if' or nothing");
        if (!clause_condition(&r->p, &test)) return false;
    }
    struct template_line *line = line_new(r, TEMPLATE_ELSE, indent);
    if (line) line->expr[0] = test;
    return line != NULL;
}

/* ---- modules ------------------------------------------------------------------------------ */

/* Class or Class(arguments): the first bracket outside of {} starts the arguments. */
static bool module_class(struct reading *r, numel_str word, struct module_line *m)
{
    size_t open = 0;
    int deep = 0;
    for (; open < word.n && (deep || word.p[open] != '('); open++)
        deep += (word.p[open] == '{') - (word.p[open] == '}');
    if (!open) return parser_fail(&r->p, word.p, "expected a class");
    numel_str class = { word.p, open };
    if (!(m->class = parse_template(&r->p, class))) return false;
    m->kind = kind_by_name(class);
    if (open == word.n) return true;
    if (text_last(word) != ')') return parser_fail(&r->p, word.p + open, "'(' without ')'");
    m->kind = NULL;
    m->arguments = parse_template(&r->p, text_inner(text_from(word, open)));
    return m->arguments != 0;
}

static bool like(struct reading *r, numel_str name, struct module_line *m)
{
    char shown[TEXT_QUOTE];
    m->kind = kind_by_name(name);
    return m->kind || parser_fail(&r->p, name.p, "unknown kind %s", text_quote(shown, name));
}

/* Finds like= and eps= first: they determine the kind, which other words depend on. */
static bool module_kind(struct reading *r, struct module_line *m)
{
    struct parser *p = &r->p;
    const char *at = p->at;
    numel_str word;
    bool eps = false, ok = true;
    while (ok && lex_word(p, &word)) {
        if (word.n > 5 && memcmp(word.p, "like=", 5) == 0) ok = like(r, text_from(word, 5), m);
        eps = eps || (word.n > 4 && memcmp(word.p, "eps=", 4) == 0);
    }
    if (!m->kind && eps && !m->arguments) m->kind = kind_by_name(text_of("RMSNorm"));
    p->at = at;
    return ok;
}

static bool module_word(struct reading *r, numel_str word, struct module_line *m)
{
    char shown[TEXT_QUOTE];
    size_t sign = text_find(word, 0, '=');
    if (sign == word.n) return parser_fail(&r->p, word.p, "expected KEY=EXPRESSION");
    numel_str key = text_upto(word, sign), value = text_from(word, sign + 1);
    if (text_equal(key, "like")) return true;
    if (text_equal(key, "if")) return (m->when = parse_part(&r->p, value)) != 0;
    if (text_equal(key, "needs")) return (m->needs = parse_template(&r->p, value)) != 0;
    if (text_equal(key, "root")) return (m->root = parse_part(&r->p, value)) != 0;
    int i = m->kind ? kind_key(m->kind, key) : -1;
    if (i < 0)
        return parser_fail(&r->p, key.p, "%s has no meaning for %s", text_quote(shown, key),
                           m->kind ? m->kind->name : "a module without a kind");
    return (m->values[i] = parse_part(&r->p, value)) != 0;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool read_text(struct reading *r, const struct library_template *text);

/* Includes the lines of another template here. */
static bool line_use(struct reading *r, uint32_t indent)
{
    char shown[TEXT_QUOTE];
    numel_str name;
    if (!clause_word(&r->p, &name, "the name of a template") || !clause_ends(&r->p)) return false;
    if (r->p.uses == TEMPLATE_USES)
        return parser_fail(&r->p, name.p, "use is nested deeper than %d", TEMPLATE_USES);
    struct library_template text;
    if (!library_template_named(r->library, name, &text))
        return parser_fail(&r->p, name.p, "unknown template %s", text_quote(shown, name));
    struct reading inner = *r;
    inner.p.uses++;
    inner.base = indent;
    inner.outside = r->depth;
    return read_text(&inner, &text);
}

/* Closes the blocks that do not contain a line of that indentation. Returns the last line closed, or
 * NO_LINE. */
static uint32_t close_lines(struct reading *r, uint32_t indent)
{
    uint32_t closed = NO_LINE;
    while (r->depth > r->outside && r->t->lines[r->open[r->depth - 1]].indent >= indent) {
        closed = r->open[--r->depth];
        r->t->lines[closed].next = (uint32_t)r->t->count;
    }
    return closed;
}

/* Includes the template of a part's own model, with its scope's symbols, one level deeper. */
NUMEL_MUST static bool part_lines(struct reading *r, const struct module_line *m, uint32_t scope,
                                  uint32_t indent)
{
    numel_str type = r->p.spec->scopes[scope].type;
    const struct library_entry *entry = library_type(r->library, type);
    struct library_template text;
    struct template_line *line = line_new(r, TEMPLATE_PART, indent);
    if (!line) return false;
    line->module = m;
    line->scope = scope;
    if (!entry || !library_template(r->library, entry, type, &text)) return line->lacks = true;
    struct reading inner = *r;
    inner.p.scope = scope;
    inner.base = indent + 1;
    inner.outside = r->depth;
    if (!read_text(&inner, &text)) return false;
    close_lines(r, indent);
    return true;
}

/* Is there a line `part PATH`, even with an unknown model type? */
static bool has_part(const struct spec *s, numel_str path)
{
    for (size_t i = 0; i < s->line_count; i++)
        if (s->lines[i].kind == LINE_PART && text_same(s->lines[i].part->path, path)) return true;
    return false;
}

/* NAME part=PATH: the part of the spec's `part PATH`. Several parts may have one path; one of them is
 * walked. */
NUMEL_MUST static bool line_part(struct reading *r, numel_str path, struct module_line *m, uint32_t indent)
{
    const struct spec *s = r->p.spec;
    numel_str base = s->scopes[r->p.scope].base, word;
    unsigned scopes = s->scope_count;
    while (lex_word(&r->p, &word)) {
        if (word.n < 3 || memcmp(word.p, "if=", 3) != 0) return parser_fail(&r->p, word.p, "expected if=");
        if (!(m->when = parse_part(&r->p, text_from(word, 3)))) return false;
    }
    if (text_equal(path, ".")) path = base;
    else path = arena_join(&r->p.spec->arena, base, text_of(base.n ? "." : ""), path);
    if (!path.p) return parser_nomem(&r->p);
    for (unsigned i = 1; i < scopes; i++) {
        if (s->scopes[i].outer != r->p.scope || !text_same(s->scopes[i].base, path)) continue;
        if (!part_lines(r, m, i, indent)) return false;
    }
    return has_part(s, path) || parser_fail(&r->p, r->p.start, "the specification has no such part");
}

NUMEL_MUST static bool line_module(struct reading *r, numel_str name, uint32_t indent)
{
    numel_str word;
    struct module_line *m = arena_alloc(&r->p.spec->arena, sizeof *m);
    if (!m) return parser_nomem(&r->p);
    *m = (struct module_line){ .kind = NULL };
    if (!text_equal(name, ".") && !(m->name = parse_template(&r->p, name))) return false;
    if (!clause_word(&r->p, &word, "a class")) return false;
    if (text_starts(word, "part=")) return line_part(r, text_from(word, 5), m, indent);
    if (!module_class(r, word, m) || !module_kind(r, m)) return false;
    while (lex_word(&r->p, &word))
        if (!module_word(r, word, m)) return false;
    struct template_line *line = line_new(r, TEMPLATE_MODULE, indent);
    if (line) line->module = m;
    return line != NULL;
}

NUMEL_MUST static bool one_line(struct reading *r)
{
    struct parser *p = &r->p;
    numel_str word;
    const char *from = p->at;
    while (from < p->end && *from == ' ') from++;
    if (!lex_word(p, &word)) return true;
    if (word.p != from) return parser_fail(p, from, "indent with spaces only");
    uint32_t indent = r->base + (uint32_t)(from - p->start);
    uint32_t closed = close_lines(r, indent);
    if (r->depth == SPEC_DEPTH)
        return error_set(p->error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "line %u: nested deeper than %d", p->line,
                         SPEC_DEPTH);
    if (text_equal(word, "let")) return line_symbol(r, indent, TEMPLATE_LET, clause_let);
    if (text_equal(word, "for")) return line_symbol(r, indent, TEMPLATE_FOR, clause_for);
    if (text_equal(word, "if")) return line_if(r, indent);
    if (text_equal(word, "else")) return line_else(r, indent, closed);
    if (text_equal(word, "use")) return line_use(r, indent);
    return line_module(r, word, indent);
}

NUMEL_MUST static bool template_line(struct parser *p, void *ctx)
{
    (void)p;
    return one_line(ctx);
}

static bool read_text(struct reading *r, const struct library_template *text)
{
    struct parser *p = &r->p;
    if (!parse_lines(p, text->text, text->file, text->before, template_line, r)) return false;
    close_lines(r, 0);
    p->line_failed = false;
    return error_free(p->error);
}

NUMEL_MUST static bool read_all(struct reading *r, const struct library_template *text, numel_error *e)
{
    struct complaints *all = r->p.complaints;
    size_t before = all->count;
    if (!read_text(r, text)) return false;
    return complaints_none(all, before, e);
}

bool template_parse(struct template *out, struct spec *spec, const struct library *l,
                    const struct library_template *text, struct complaints *all, numel_error *e)
{
    struct complaints own = { .arena = &spec->arena };
    struct reading r = { .t = out, .library = l };
    *out = (struct template){ .spec = spec, .memory = spec->arena.memory };
    r.p = (struct parser){
        .spec = spec, .complaints = all ? all : &own, .open = NO_LINE, .outside = NO_LINE, .error = e
    };
    bool ok = read_all(&r, text, e);
    if (!ok) template_done(out);
    return ok;
}

void template_done(struct template *t)
{
    memory_release(t->memory, t->lines);
    t->lines = NULL;
    t->count = t->cap = 0;
}
