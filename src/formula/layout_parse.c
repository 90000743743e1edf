/* layout_parse.c -- parses a layout; see layout.h. One function for each kind of line. */
#include "formula/layout.h"

#include "formula/parse.h"
#include "base/number.h"

#include <string.h>

static const struct {
    const char *word, *text;
} roles[LAYOUT_ROLE_COUNT] = {
#define X(name, word, text) { word, text },
    LAYOUT_ROLES(X)
#undef X
};

const char *layout_role_text(enum layout_role r) { return roles[r].text; }

struct reading {
    struct parser p;
    struct layout *l;
    struct layout_choice choices[LAYOUT_VALUES]; /* of the current `sym` line */
    unsigned choice_count;
};

/* Checks that a list has room for one more. */
static bool room(struct reading *r, unsigned count, unsigned most)
{
    return count < most || parser_fail(&r->p, r->p.start, "more than %u lines of this kind", most);
}

static char *keep(struct reading *r, numel_str s)
{
    char *text = arena_text(&r->l->base->arena, s.p, s.n);
    if (!text) error_put_nomem(r->p.error);
    return text;
}

static void defined(struct reading *r, uint32_t symbol)
{
    struct symbol *s = &r->p.spec->symbols[symbol];
    if (s->line == NO_LINE) s->line = 0;
}

/* The rest of the line as one expression. */
static bool rest(struct reading *r, uint32_t *node) { return clause_condition(&r->p, node); }

/* ---- when it applies -------------------------------------------------------------------------- */

static bool line_layout(struct reading *r)
{
    numel_str name;
    if (!clause_word(&r->p, &name, "a name")) return false;
    if (r->l->name) return parser_fail(&r->p, name.p, "a second layout: a file has only one");
    r->l->name = keep(r, name);
    return r->l->name && clause_ends(&r->p);
}

enum layout_called layout_called(numel_str word)
{
    static const char *const words[CALLED_COUNT] = {
#define X(name, word) word,
        LAYOUT_CALLED(X)
#undef X
    };
    int i = 0;
    while (i < CALLED_COUNT && !text_equal(word, words[i])) i++;
    return (enum layout_called)i;
}

/* called TEMPLATE, up to the end of the line */
static bool line_called(struct reading *r)
{
    lex_skip(&r->p);
    numel_str text = text_span(r->p.at, r->p.end), rest = text;
    if (!text.n) return parser_fail(&r->p, text.p, "expected the usual name");
    text_cut(&rest, '{');
    while (rest.n) {
        numel_str word = text_cut(&rest, '}');
        if (layout_called(word) == CALLED_COUNT)
            return parser_fail(&r->p, word.p, "nothing provides this value");
        text_cut(&rest, '{');
    }
    r->l->called = keep(r, text);
    return r->l->called != NULL;
}

/* match KEY in WORD... */
static bool line_match(struct reading *r)
{
    numel_str field, in, word;
    if (!room(r, r->l->rule_count, LAYOUT_WORDS) || !clause_word(&r->p, &field, "a key") ||
        !clause_word(&r->p, &in, "'in'"))
        return false;
    if (!text_equal(in, "in")) return parser_fail(&r->p, in.p, "expected 'in'");
    lex_skip(&r->p);
    numel_str words = { r->p.at, 0 };
    while (lex_word(&r->p, &word)) words = text_span(words.p, word.p + word.n);
    if (!words.n) return parser_fail(&r->p, r->p.at, "expected at least one word");
    r->l->rules[r->l->rule_count++] =
        (struct rule){ .side = SIDE_HF, .field = keep(r, field), .words = words };
    return error_free(r->p.error);
}

static bool line_when(struct reading *r)
{
    return room(r, r->l->when_count, LAYOUT_WORDS) && rest(r, &r->l->whens[r->l->when_count++]);
}

static bool line_only(struct reading *r)
{
    return room(r, r->l->only_count, LAYOUT_WORDS) && rest(r, &r->l->onlys[r->l->only_count++]);
}

static bool line_plain(struct reading *r)
{
    return room(r, r->l->plain_count, LAYOUT_WORDS) && rest(r, &r->l->plains[r->l->plain_count++]);
}

/* PATH [HOW] [soft]: HOW is one of `from` to `to`; the default is `from`. */
static bool list(struct reading *r, enum layout_how from, enum layout_how to, struct layout_list *out)
{
    static const char *const words[HOW_COUNT] = {
#define X(name, word) word,
        LAYOUT_HOWS(X)
#undef X
    };
    numel_str word;
    char shown[TEXT_QUOTE];
    *out = (struct layout_list){ .how = from };
    if (!clause_word(&r->p, &word, "a path") || !(out->path = keep(r, word))) return false;
    while (lex_word(&r->p, &word)) {
        unsigned how = from;
        while (how <= to && !text_equal(word, words[how])) how++;
        if (how <= to) out->how = (enum layout_how)how;
        else if (text_equal(word, "soft") && from == HOW_NAME) out->soft = true;
        else
            return parser_fail(&r->p, word.p, "%s does not show how modules are named",
                               text_quote(shown, word));
    }
    return true;
}

static bool line_over(struct reading *r)
{
    return room(r, r->l->over_count, LAYOUT_WORDS) &&
           list(r, HOW_RE, HOW_GROUPS, &r->l->overs[r->l->over_count++]);
}

static bool line_skip(struct reading *r)
{
    return room(r, r->l->skip_count, LAYOUT_WORDS) &&
           list(r, HOW_NAME, HOW_PART, &r->l->skips[r->l->skip_count++]);
}

static bool line_keep(struct reading *r)
{
    numel_str word;
    lex_skip(&r->p);
    r->l->keep = (numel_str){ r->p.at, 0 };
    while (lex_word(&r->p, &word)) r->l->keep = text_span(r->l->keep.p, word.p + word.n);
    return r->l->keep.n || parser_fail(&r->p, r->p.at, "expected at least one role");
}

/* packs linears|blocks LIST [if=EXPR] */
static bool line_packs(struct reading *r)
{
    struct parser *p = &r->p;
    numel_str what, list;
    if (!room(r, r->l->loader_count, LAYOUT_WORDS) || !clause_word(p, &what, "linears or blocks") ||
        !clause_word(p, &list, "the path of a list"))
        return false;
    bool blocks = text_equal(what, "blocks");
    if (!blocks && !text_equal(what, "linears")) return parser_fail(p, what.p, "expected linears or blocks");
    struct layout_rule_of_loader *x = &r->l->loaders[r->l->loader_count++];
    *x = (struct layout_rule_of_loader){ blocks ? PACKS_BLOCKS : PACKS_LINEARS, keep(r, list), 0 };
    return x->list && clause_if(p, &x->when);
}

/* unpack METHOD EXPR... [if=EXPR] */
static bool line_unpack(struct reading *r)
{
    struct parser *p = &r->p;
    numel_str method, word;
    unsigned args = 0;
    if (!room(r, r->l->unpack_count, LAYOUT_WORDS) || !clause_word(p, &method, "a method")) return false;
    struct layout_unpack *x = &r->l->unpacks[r->l->unpack_count++];
    *x = (struct layout_unpack){ .method = keep(r, method) };
    while (x->method && lex_word(p, &word)) {
        if (text_starts(word, "if=")) return (x->when = parse_part(p, text_from(word, 3))) && clause_ends(p);
        if (args == LAYOUT_ARGS) return parser_fail(p, word.p, "more than %d numbers", LAYOUT_ARGS);
        if (!(x->args[args++] = parse_part(p, word))) return false;
    }
    return x->method != NULL;
}

static bool line_rows(struct reading *r)
{
    numel_str word;
    char shown[TEXT_QUOTE];
    r->l->linears = r->l->stacks = r->l->embeddings = r->l->turned = false;
    while (lex_word(&r->p, &word)) {
        if (text_equal(word, "lin")) r->l->linears = true;
        else if (text_equal(word, "stack")) r->l->stacks = true;
        else if (text_equal(word, "emb")) r->l->embeddings = true;
        else if (text_equal(word, "turned")) r->l->turned = true;
        else return parser_fail(&r->p, word.p, "%s is not lin, stack or emb", text_quote(shown, word));
    }
    return true;
}

/* ---- symbols ---------------------------------------------------------------------------------- */

static struct layout_step *step_new(struct reading *r, enum layout_step_kind kind, uint32_t symbol)
{
    if (!room(r, r->l->step_count, LAYOUT_STEPS)) return NULL;
    struct layout_step *s = &r->l->steps[r->l->step_count++];
    *s = (struct layout_step){ .kind = kind, .symbol = symbol };
    return s;
}

static bool line_let(struct reading *r)
{
    uint32_t symbol = SYMBOL_GGUF, value[SIDES];
    bool ok = clause_let(&r->p, &symbol, value);
    defined(r, symbol);
    struct layout_step *s = ok ? step_new(r, STEP_LET, symbol) : NULL;
    if (s) s->expr = value[SIDE_HF];
    return s != NULL;
}

static bool integer(numel_str s, int64_t *v)
{
    bool minus = s.n && s.p[0] == '-';
    int64_t n = 0;
    if (s.n == (size_t)minus || s.n > 12) return false;
    for (size_t i = minus; i < s.n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9') return false;
        n = n * 10 + (s.p[i] - '0');
    }
    *v = minus ? -n : n;
    return true;
}

static bool add_choice(struct reading *r, numel_str at, struct layout_choice c)
{
    if (r->choice_count == LAYOUT_VALUES)
        return parser_fail(&r->p, at.p, "more than %d values", LAYOUT_VALUES);
    r->choices[r->choice_count++] = c;
    return true;
}

static bool add_value(struct reading *r, numel_str at, struct value v)
{
    return add_choice(r, at, (struct layout_choice){ .value = v });
}

/* 1.58 */
NUMEL_MUST static bool real(numel_str s, double *v)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '.' && !number_is_digit(s.p[i])) return false;
    return text_holds(s, text_of(".")) && s.n < 16 && number_real_read(s, false, v);
}

/* 4, nf4, 1.58, (I/2), 2..8, or `..`, which allows other values from a source. */
static bool one_value(struct reading *r, struct layout_step *s, numel_str word)
{
    int64_t from, to;
    if (text_equal(word, "..")) return s->open = true;
    if (text_equal(word, "quiet")) return s->quiet = true;
    if (integer(word, &from)) return add_value(r, word, value_int(from));
    struct value number = { .kind = VALUE_REAL };
    if (real(word, &number.r)) return add_value(r, word, number);
    if (word.p[0] == '(') {
        struct layout_choice c = { .expr = parse_part(&r->p, word) };
        return c.expr && add_choice(r, word, c);
    }
    for (size_t i = 1; i + 2 < word.n; i++) {
        numel_str left = { word.p, i }, right = text_from(word, i + 2);
        if (memcmp(word.p + i, "..", 2) != 0 || !integer(left, &from) || !integer(right, &to)) continue;
        for (; from <= to; from++)
            if (!add_value(r, word, value_int(from))) return false;
        return true;
    }
    return add_value(r, word, value_text(word));
}

static bool source(struct reading *r, struct layout_step *s)
{
    if (s->source_count == sizeof s->sources / sizeof *s->sources)
        return parser_fail(&r->p, r->p.token.at, "too many sources");
    return (s->sources[s->source_count++] = parse_expression(&r->p)) != 0;
}

NUMEL_MUST static bool keep_choices(struct reading *r, struct layout_step *s)
{
    struct layout_choice *kept =
        arena_copy(&r->l->base->arena, r->choices, r->choice_count * sizeof *r->choices);
    if (!kept) return parser_nomem(&r->p);
    s->choices = kept;
    s->choice_count = r->choice_count;
    return true;
}

/* After the values: = EXPR, EXPR... */
static bool sources(struct reading *r, struct layout_step *s)
{
    if (!lex_next(&r->p) || !source(r, s)) return false;
    while (lex_is(&r->p, ','))
        if (!lex_next(&r->p) || !source(r, s)) return false;
    return true;
}

/* [if=EXPR] after an expression, whose parser has already read its first token. */
static bool condition(struct parser *p, uint32_t *when)
{
    p->at = p->token.at;
    return clause_if(p, when);
}

/* sym S in VALUE... [quiet] [= EXPR, EXPR...] [if=EXPR] */
static bool line_sym(struct reading *r)
{
    struct parser *p = &r->p;
    uint32_t symbol = SYMBOL_GGUF;
    numel_str in, word;
    bool ok = clause_define(p, &symbol);
    defined(r, symbol);
    if (!ok || !clause_word(p, &in, "'in'")) return false;
    if (!text_equal(in, "in")) return parser_fail(p, in.p, "expected 'in'");
    struct layout_step *s = step_new(r, STEP_SYM, symbol);
    if (!s) return false;
    r->choice_count = 0;
    while ((ok = lex_word(p, &word)) && !text_equal(word, "=") && !text_starts(word, "if="))
        if (!one_value(r, s, word)) return false;
    if (!r->choice_count) return parser_fail(p, p->at, "expected at least one value");
    if (!keep_choices(r, s)) return false;
    if (!ok) return true; /* no source */
    if (!text_equal(word, "=")) {
        p->at = word.p;
        return clause_if(p, &s->when);
    }
    p->spec->symbols[symbol].uses++; /* a source's value must be one of its values */
    return sources(r, s) && condition(p, &s->when);
}

/* witness S = EXPR */
static bool line_witness(struct reading *r)
{
    struct parser *p = &r->p;
    numel_str symbol, is;
    if (!room(r, r->l->witness_count, LAYOUT_WORDS) || !clause_word(p, &symbol, "a symbol") ||
        !clause_word(p, &is, "'='"))
        return false;
    if (!text_equal(is, "=")) return parser_fail(p, is.p, "expected '='");
    struct layout_witness *w = &r->l->witnesses[r->l->witness_count++];
    w->symbol = parse_symbol(p, symbol);
    if (!error_free(p->error)) return false;
    if (p->spec->symbols[w->symbol].line == NO_LINE)
        return parser_fail(p, symbol.p, "no line before this one defines the symbol");
    p->spec->symbols[w->symbol].uses++;
    return rest(r, &w->expr);
}

/* ---- what is stored --------------------------------------------------------------------------- */

/* opt, opt=all, opt=any, flat, clear, vague, even, shared=EXPR, if=EXPR: 1 for an attribute, 0 for a dim, -1
 * after a complaint. */
static int attribute(struct reading *r, numel_str word, struct layout_line *t)
{
    if (text_equal(word, "opt")) return t->need = NEED_ROLE, 1;
    if (text_equal(word, "flat")) return t->flat = true, 1;
    if (text_equal(word, "opt=all")) return t->need = NEED_LAYOUT, 1;
    if (text_equal(word, "opt=any")) return t->need = NEED_FREE, 1;
    if (strchr("cve", *word.p) &&
        text_lists(text_of("clear vague even"), text_upto(word, text_find(word, 0, '='))))
        return 1;
    if (text_starts(word, "shared=")) return (t->shared = parse_part(&r->p, text_from(word, 7))) ? 1 : -1;
    if (!text_starts(word, "if=")) return 0;
    return (t->when = parse_part(&r->p, text_from(word, 3))) ? 1 : -1;
}

/* NAME TYPES DIM... ATTRIBUTE... */
static bool stored(struct reading *r, enum layout_role role, struct layout_line *t)
{
    struct parser *p = &r->p;
    numel_str name, types, word;
    *t = (struct layout_line){ .role = role, .number = p->line };
    if (!clause_word(p, &name, "a name") || !clause_word(p, &types, "types") ||
        !(t->name = parse_template(p, name)) || !(t->types = parse_template(p, types)))
        return false;
    r->l->plain_values |= role == LAYOUT_VALUE && text_equal(types, "float");
    while (lex_word(p, &word)) {
        int was = attribute(r, word, t);
        if (was < 0) return false;
        if (was) continue;
        if (t->ndim == SPEC_DIMS - 2) return parser_fail(p, word.p, "more than %d dims", SPEC_DIMS - 2);
        if (text_equal(word, "*")) t->any |= (uint8_t)(1u << t->ndim);
        else if (!(t->dims[t->ndim] = parse_part(p, word))) return false;
        t->ndim++;
    }
    return true;
}

static int role_of(numel_str word)
{
    for (int i = 0; i < LAYOUT_ROLE_COUNT; i++)
        if (text_equal(word, roles[i].word)) return i;
    return -1;
}

static bool line_stored(struct reading *r, enum layout_role role)
{
    if (r->l->opaque) return parser_fail(&r->p, r->p.start, "an opaque layout has only names");
    return room(r, r->l->line_count, LAYOUT_LINES) && stored(r, role, &r->l->lines[r->l->line_count++]);
}

static bool line_opaque(struct reading *r)
{
    r->l->opaque = true;
    return clause_ends(&r->p);
}

/* names NAME...: the first stands for the weight, the others are optional. */
static bool line_names(struct reading *r)
{
    numel_str name;
    if (!r->l->opaque) return parser_fail(&r->p, r->p.start, "no 'opaque' line before this one");
    while (lex_word(&r->p, &name)) {
        if (!room(r, r->l->line_count, LAYOUT_LINES)) return false;
        struct layout_line *t = &r->l->lines[r->l->line_count++];
        bool first = r->l->line_count == 1;
        *t = (struct layout_line){ .role = first ? LAYOUT_VALUE : LAYOUT_MARKER,
                                   .need = first ? NEED_ALWAYS : NEED_FREE,
                                   .number = r->p.line };
        if (!(t->name = parse_template(&r->p, name))) return false;
    }
    return r->l->line_count || parser_fail(&r->p, r->p.at, "expected at least one name");
}

/* extra ROLE GLOB TYPES DIM... */
static bool line_extra(struct reading *r)
{
    numel_str word;
    if (!room(r, r->l->extra_count, LAYOUT_WORDS) || !clause_word(&r->p, &word, "a role")) return false;
    int role = role_of(word);
    if (role < 0) return parser_fail(&r->p, word.p, "expected a role: scale, zero, act ...");
    return stored(r, (enum layout_role)role, &r->l->extras[r->l->extra_count++]);
}

/* ---- the whole layout ------------------------------------------------------------------------- */

/* mean EXPR = EXPR [if=EXPR] */
static bool line_mean(struct reading *r)
{
    struct parser *p = &r->p;
    if (!lex_next(p) || !(r->l->mean = parse_expression(p))) return false;
    if (!lex_is(p, '=')) return parser_fail(p, p->token.at, "expected '='");
    return lex_next(p) && (r->l->mean_said = parse_expression(p)) && condition(p, &r->l->mean_when);
}

static bool line_bits(struct reading *r) { return rest(r, &r->l->bits); }
static bool line_group(struct reading *r) { return rest(r, &r->l->group); }

static bool one_line(struct reading *r)
{
    static const struct {
        const char *word;
        bool (*parse)(struct reading *);
    } lines[] = {
        { "layout", line_layout }, { "match", line_match },   { "when", line_when },
        { "only", line_only },     { "keep", line_keep },     { "over", line_over },
        { "skip", line_skip },     { "rows", line_rows },     { "let", line_let },
        { "sym", line_sym },       { "bits", line_bits },     { "group", line_group },
        { "extra", line_extra },   { "plain", line_plain },   { "witness", line_witness },
        { "mean", line_mean },     { "opaque", line_opaque }, { "names", line_names },
        { "packs", line_packs },   { "called", line_called }, { "unpack", line_unpack },
    };
    numel_str word;
    char shown[TEXT_QUOTE];
    if (!lex_word(&r->p, &word)) return true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (text_equal(word, lines[i].word)) return lines[i].parse(r);
    int role = role_of(word);
    if (role >= 0) return line_stored(r, (enum layout_role)role);
    return parser_fail(&r->p, word.p, "unknown keyword %s", text_quote(shown, word));
}

static bool layout_line(struct parser *p, void *ctx)
{
    (void)p;
    return one_line(ctx);
}

static const char *const given[LAYOUT_GIVEN] = {
    "W", "M", "P", "L", "X", "U", "_", "O", "I", "n", "role", "N"
};

NUMEL_MUST static bool parse_all(struct reading *r, const struct library_entry *entry, numel_error *e)
{
    struct complaints *all = r->p.complaints;
    size_t before = all->count;
    for (unsigned i = 0; i < LAYOUT_GIVEN; i++) defined(r, parse_symbol(&r->p, text_of(given[i])));
    if (!error_free(e) || !parse_lines(&r->p, entry->text, entry->file, 0, layout_line, r)) return false;
    r->p.line_failed = false;
    if (error_free(e) && !r->l->name) parser_fail(&r->p, r->p.start, "there is no 'layout NAME' line");
    return error_free(e) && complaints_none(all, before, e);
}

bool layout_parse(struct layout **out, const struct library_entry *entry, const numel_allocator *m,
                  struct complaints *all, numel_error *e)
{
    struct layout *l = memory_resize(m, NULL, sizeof *l);
    struct complaints own = { 0 };
    *out = NULL;
    if (!l) return error_nomem(e);
    *l = (struct layout){ .linears = true, .stacks = true };
    if (!spec_new(&l->base, m, e)) {
        memory_release(m, l);
        return false;
    }
    own.arena = &l->base->arena;
    struct reading r = { .l = l };
    r.p = (struct parser){ .spec = l->base,
                           .complaints = all ? all : &own,
                           .open = NO_LINE,
                           .outside = NO_LINE,
                           .templates = true,
                           .error = e };
    if (parse_all(&r, entry, e)) *out = l;
    else layout_free(l);
    return *out != NULL;
}

void layout_free(struct layout *l)
{
    if (!l) return;
    const numel_allocator *m = l->base->arena.memory;
    spec_free(l->base);
    memory_release(m, l);
}

void layout_lint(const struct layout *l, struct complaints *all)
{
    const struct spec *s = l->base;
    char shown[TEXT_QUOTE];
    bool value = false;
    for (size_t i = SYMBOLS_BUILT_IN + LAYOUT_GIVEN; i < s->symbol_count; i++)
        if (!s->symbols[i].uses)
            complain(all, s->files[0], 1, 1, "symbol %s is never used",
                     text_quote(shown, s->symbols[i].name));
    for (unsigned i = 0; i < l->line_count; i++) value |= l->lines[i].role == LAYOUT_VALUE;
    if (!value) complain(all, s->files[0], 1, 1, "no value: the layout has no packed weight");
    if (!l->rule_count) complain(all, s->files[0], 1, 1, "no match: no configuration can select it");
}
