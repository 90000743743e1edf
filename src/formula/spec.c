/*
 * spec.c -- parses the lines of a spec; see spec.h and parse.h. One function for each kind of line; walk.c
 * has a row for what the line does.
 */
#include "base/text.h"
#include "formula/parse.h"
#include "formula/section.h"

#include <string.h>

void complain(struct complaints *c, const char *file, uint32_t line, uint32_t column, const char *format, ...)
{
    if (c->count >= COMPLAINTS) {
        c->count++;
        return;
    }
    char text[400], shown[800]; /* makes unquoted text safe to show, as error_set() does */
    va_list args;
    va_start(args, format);
    text_formatv(text, sizeof text, format, args);
    va_end(args);
    text_safe_fit(shown, sizeof shown, (numel_str){ text, text_whole(text_of(text)) });
    char *message = arena_text(c->arena, shown, strlen(shown));
    if (!message) c->failed = true;
    else c->items[c->count++] = (struct complaint){ file, line, column, message };
}

bool complaints_none(const struct complaints *all, size_t before, numel_error *e)
{
    if (all->failed) return error_nomem(e);
    if (all->count == before) return true;
    const struct complaint *c = &all->items[before < COMPLAINTS ? before : COMPLAINTS - 1];
    error_set(e, NUMEL_E_SPEC, NUMEL_NOWHERE, "line %u, column %u: %s", c->line, c->column, c->message);
    error_file(e, c->file);
    return false;
}

bool parser_fail(struct parser *p, const char *where, const char *format, ...)
{
    if (p->line_failed) return false;
    p->line_failed = true;
    char text[400];
    va_list args;
    va_start(args, format);
    text_formatv(text, sizeof text, format, args);
    va_end(args);
    const char *start = p->start;
    uint32_t line = p->line;
    for (const char *c = p->start; c < where; c++)
        if (*c == '\n') start = c + 1, line++; /* the line continues */
    complain(p->complaints, p->spec->files[p->file], line, (uint32_t)(where - start + 1), "%s", text);
    return false;
}

bool parser_nomem(struct parser *p) { return error_nomem(p->error); }

static char *keep(struct parser *p, numel_str s)
{
    char *text = arena_text(&p->spec->arena, s.p, s.n);
    if (!text) error_put_nomem(p->error);
    return text;
}

/* ---- lines --------------------------------------------------------------------------------------- */

static void defined(struct parser *p, uint32_t symbol)
{
    struct symbol *s = &p->spec->symbols[symbol];
    if (s->line == NO_LINE) s->line = (uint32_t)p->spec->line_count;
}

struct line *parse_line(struct parser *p, enum line_kind kind)
{
    struct spec *s = p->spec;
    if (!memory_grow(s->arena.memory, (void **)&s->lines, &s->line_cap, s->line_count + 1, sizeof *s->lines,
                     p->error))
        return NULL;
    struct line *line = &s->lines[s->line_count++];
    *line = (struct line){ .kind = kind,
                           .file = p->file,
                           .number = p->line,
                           .parent = p->open,
                           .close = NO_LINE,
                           .previous = NO_LINE };
    return line;
}

/* ---- let, default, match, spelling ------------------------------------------------------------ */

static bool line_let(struct parser *p)
{
    uint32_t symbol, value[SIDES];
    if (!clause_let(p, &symbol, value)) return false;
    defined(p, symbol);
    struct line *line = parse_line(p, LINE_LET);
    if (!line) return false;
    line->symbol = symbol;
    memcpy(line->expr, value, sizeof value);
    return true;
}

NUMEL_MUST static bool line_default(struct parser *p)
{
    struct spec *s = p->spec;
    numel_str path, json;
    if (!clause_word(p, &path, "a path") || !clause_word(p, &json, "a JSON value")) return false;
    numel_error wrong = { 0 };
    json_value *doc = json_doc_parse(json.p, json.n, &wrong);
    json_doc_free(doc);
    if (!doc) return parser_fail(p, json.p, "not a JSON value without blanks: %s", wrong.what);
    if (!memory_grow(s->arena.memory, (void **)&s->defaults, &s->default_cap, s->default_count + 1,
                     sizeof *s->defaults, p->error))
        return false;
    numel_str base = s->scopes[p->scope].base;
    if (base.n) path = arena_join(&s->arena, base, text_of("."), path);
    if (!path.p) return parser_nomem(p);
    struct spec_default d = { keep(p, path), keep(p, json), p->scope };
    s->defaults[s->default_count++] = d;
    return clause_ends(p);
}

static bool line_match(struct parser *p)
{
    struct spec *s = p->spec;
    numel_str side, field, in;
    if (!clause_word(p, &side, "hf or gguf") || !clause_word(p, &field, "a field") ||
        !clause_word(p, &in, "'in'"))
        return false;
    if (!text_equal(side, "hf") && !text_equal(side, "gguf"))
        return parser_fail(p, side.p, "expected hf or gguf");
    if (!text_equal(in, "in")) return parser_fail(p, in.p, "expected 'in'");
    if (memchr(p->start, '\n', (size_t)(p->end - p->start))) /* the index reads match lines by itself */
        return parser_fail(p, p->start, "a match line cannot go on: write a second one");
    lex_skip(p);
    numel_str words = { p->at, 0 }, word;
    while (lex_word(p, &word)) words = text_span(words.p, word.p + word.n);
    if (!words.n) return parser_fail(p, p->at, "expected at least one word");
    if (!memory_grow(s->arena.memory, (void **)&s->rules, &s->rule_cap, s->rule_count + 1, sizeof *s->rules,
                     p->error))
        return false;
    s->rules[s->rule_count++] = (struct rule){
        .side = text_equal(side, "hf") ? SIDE_HF : SIDE_GGUF,
        .field = keep(p, field),
        .words = words,
        .scope = p->scope,
    };
    return true;
}

static size_t stars(numel_str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) n += s.p[i] == '*';
    return n;
}

static bool line_spelling(struct parser *p)
{
    struct spec *s = p->spec;
    numel_str family, hf, other;
    if (!clause_word(p, &family, "a family of names") || !clause_word(p, &hf, "the canonical name") ||
        !clause_word(p, &other, "the other name"))
        return false;
    if (stars(hf) != stars(other) || stars(hf) > 8)
        return parser_fail(p, other.p, "both names must have the same number of '*', 8 at most");
    if (!memory_grow(s->arena.memory, (void **)&s->spellings, &s->spelling_cap, s->spelling_count + 1,
                     sizeof *s->spellings, p->error))
        return false;
    struct spelling x = { keep(p, family), keep(p, hf), keep(p, other), p->scope };
    s->spellings[s->spelling_count++] = x;
    return clause_ends(p);
}

/* Ignored in a part: its names mix with those of the outer spec. */
static bool line_tower(struct parser *p)
{
    struct spec *s = p->spec;
    numel_str prefix;
    if (!clause_word(p, &prefix, "a prefix")) return false;
    if (text_last(prefix) != '.') return parser_fail(p, prefix.p, "a prefix ends in '.'");
    if (s->tower_count == SPEC_TOWERS) return parser_fail(p, prefix.p, "more than %d towers", SPEC_TOWERS);
    if (!p->scope) s->towers[s->tower_count++] = keep(p, prefix);
    return clause_ends(p);
}

/* ---- blocks ----------------------------------------------------------------------------------- */

bool parse_open(struct parser *p, struct line *line)
{
    if (!line) return false;
    p->open = (uint32_t)(line - p->spec->lines);
    if (++p->blocks > SPEC_DEPTH)
        return error_set(p->error, NUMEL_E_LIMIT, NUMEL_NOWHERE, "line %u: blocks are nested deeper than %d",
                         p->line, SPEC_DEPTH);
    return true;
}

NUMEL_MUST static bool line_prefix(struct parser *p)
{
    numel_str words[SIDES];
    uint32_t names[SIDES] = { 0, 0 };
    for (int side = 0; side < SIDES; side++) {
        if (!clause_word(p, &words[side], "a prefix for both sides, '-' for none")) return false;
        if (!text_equal(words[side], "-") && !(names[side] = parse_template(p, words[side]))) return false;
    }
    if (!clause_ends(p)) return false;
    struct line *line = parse_line(p, LINE_PREFIX);
    if (line) memcpy(line->expr, names, sizeof names);
    return parse_open(p, line);
}

NUMEL_MUST static bool line_for(struct parser *p)
{
    uint32_t symbol, range[2];
    if (!clause_for(p, &symbol, range)) return false;
    defined(p, symbol);
    struct line *line = parse_line(p, LINE_FOR);
    if (!line) return false;
    line->symbol = symbol;
    memcpy(line->expr, range, sizeof range);
    return parse_open(p, line);
}

NUMEL_MUST static bool line_if(struct parser *p)
{
    uint32_t test;
    if (!clause_condition(p, &test)) return false;
    struct line *line = parse_line(p, LINE_IF);
    if (line) line->expr[0] = test;
    return parse_open(p, line);
}

/* extra NAME [if=EXPR] */
NUMEL_MUST static bool line_extra(struct parser *p)
{
    numel_str name;
    uint32_t test = 0;
    if (!clause_word(p, &name, "a name") || !clause_if(p, &test)) return false;
    struct line *line = parse_line(p, LINE_EXTRA);
    if (line) line->label = name;
    if (line) line->expr[0] = test;
    return parse_open(p, line);
}

NUMEL_MUST static bool line_oneof(struct parser *p)
{
    for (uint32_t up = p->open; up != NO_LINE; up = p->spec->lines[up].parent)
        if (p->spec->lines[up].kind == LINE_ONEOF || p->spec->lines[up].kind == LINE_OR)
            return parser_fail(p, p->start, "a oneof cannot stand in a oneof");
    return clause_ends(p) && parse_open(p, parse_line(p, LINE_ONEOF));
}

/* ELSE, OR or END of the innermost block; lines inside get the branch as their parent. */
static struct line *branch(struct parser *p, enum line_kind kind)
{
    uint32_t before = p->open;
    p->open = p->spec->lines[before].parent;
    struct line *line = parse_line(p, kind);
    if (!line) return NULL;
    uint32_t here = (uint32_t)(line - p->spec->lines);
    line->previous = before;
    p->spec->lines[before].close = here;
    if (kind != LINE_END) p->open = here;
    else p->blocks--;
    return line;
}

static bool line_else(struct parser *p)
{
    numel_str word;
    uint32_t test = 0;
    const struct line *open = p->open == p->outside ? NULL : &p->spec->lines[p->open];
    if (!open || (open->kind != LINE_IF && !(open->kind == LINE_ELSE && open->expr[0])))
        return parser_fail(p, p->start, "else without its if");
    if (lex_word(p, &word)) {
        if (!text_equal(word, "if")) return parser_fail(p, word.p, "expected 'if' or nothing");
        if (!clause_condition(p, &test)) return false;
    }
    struct line *line = branch(p, LINE_ELSE);
    if (line) line->expr[0] = test;
    return line != NULL;
}

static bool line_or(struct parser *p)
{
    enum line_kind kind = p->open == p->outside ? LINE_END : p->spec->lines[p->open].kind;
    if (kind != LINE_ONEOF && kind != LINE_OR) return parser_fail(p, p->start, "or without its oneof");
    return clause_ends(p) && branch(p, LINE_OR);
}

bool parse_close(struct parser *p) { return branch(p, LINE_END) != NULL; }

NUMEL_MUST static bool line_end(struct parser *p)
{
    if (p->open == p->outside) return parser_fail(p, p->start, "end without a block");
    return clause_ends(p) && parse_close(p);
}

/* ---- the whole spec --------------------------------------------------------------------------- */

static bool parse_text(struct parser *p, numel_str text, const char *file);

NUMEL_MUST static bool line_use(struct parser *p)
{
    numel_str name, text;
    const char *file;
    char shown[TEXT_QUOTE];
    if (!clause_word(p, &name, "the name of a spec") || !clause_ends(p)) return false;
    if (p->uses == 8) return parser_fail(p, name.p, "use is nested deeper than 8");
    if (!p->input->source || !p->input->source(p->input->source_ctx, name, &text, &file))
        return parser_fail(p, name.p, "there is no spec %s", text_quote(shown, name));
    return parse_inside(p, text, file);
}

bool parse_inside(struct parser *p, numel_str text, const char *file)
{
    struct parser inner = *p;
    inner.uses++;
    bool ok = parse_text(&inner, text, file);
    p->blocks = inner.blocks;
    return ok;
}

static bool line_arch(struct parser *p)
{
    numel_str name;
    if (!clause_word(p, &name, "a name")) return false;
    if (!p->uses && p->spec->name) return parser_fail(p, name.p, "a second arch");
    if (!p->uses) p->spec->name = keep(p, name);
    return clause_ends(p);
}

NUMEL_MUST static bool one_line(struct parser *p)
{
    static const struct {
        const char *word;
        bool (*parse)(struct parser *);
    } lines[] = {
        { "let", line_let },
        { "prefix", line_prefix },
        { "for", line_for },
        { "if", line_if },
        { "else", line_else },
        { "oneof", line_oneof },
        { "or", line_or },
        { "end", line_end },
        { "use", line_use },
        { "match", line_match },
        { "arch", line_arch },
        { "default", line_default },
        { "spelling", line_spelling },
        { "tower", line_tower },
        { "extra", line_extra },
        { "part", parse_part_line },
        { "cache", parse_cache },
        { "guess", parse_guess },
        { "choose", parse_choose },
    };
    static const char *const kinds[] = { "lin", "norm", "emb", "conv", "raw", "buf", "bn" };
    numel_str word;
    char shown[TEXT_QUOTE];
    if (!lex_word(p, &word)) return true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (text_equal(word, lines[i].word)) return lines[i].parse(p);
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (text_equal(word, kinds[i])) return parse_tensor(p, (enum tensor_kind)i);
    return parser_fail(p, word.p, "unknown keyword %s", text_quote(shown, word));
}

/* After an error, still defines the symbol or opens the block of the line, so that lines that need it are not
 * reported as well. */
static void recover(struct parser *p, size_t lines)
{
    static const struct {
        const char *word;
        enum line_kind kind;
    } openers[] = {
        { "prefix", LINE_PREFIX }, { "for", LINE_FOR },     { "if", LINE_IF },
        { "oneof", LINE_ONEOF },   { "extra", LINE_EXTRA },
    };
    numel_str word;
    p->at = p->start;
    uint32_t symbol;
    if (p->spec->line_count > lines || !lex_word(p, &word)) return;
    if (text_equal(word, "let") || text_equal(word, "for"))
        if (clause_define(p, &symbol)) p->spec->symbols[symbol].line = 0;
    for (size_t i = 0; i < sizeof openers / sizeof *openers; i++)
        if (text_equal(word, openers[i].word) && !parse_open(p, parse_line(p, openers[i].kind))) return;
}

/* The end of a line; *more: number of lines that continue it, each after a backslash. */
static const char *end_of_line(const char *at, const char *end, uint32_t *more)
{
    for (*more = 0;; ++*more) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (!stop) return end;
        const char *last = stop > at && stop[-1] == '\r' ? stop - 1 : stop;
        if (last == at || last[-1] != '\\' || stop + 1 == end) return stop;
        at = stop + 1;
    }
}

bool parse_lines(struct parser *p, numel_str text, const char *file, uint32_t before, parse_line_fn *line,
                 void *ctx)
{
    struct spec *s = p->spec;
    if (text.n > SPEC_BYTES || s->file_count == SPEC_FILES)
        return error_set(p->error, NUMEL_E_LIMIT, NUMEL_NOWHERE,
                         "%s: larger than %d bytes, or one of more than %d files", file, SPEC_BYTES,
                         SPEC_FILES);
    p->file = (uint16_t)s->file_count;
    s->files[s->file_count++] = file;
    p->line = before;
    for (const char *at = text.p, *end = text.p + text.n; at < end && error_free(p->error);) {
        uint32_t more;
        const char *stop = end_of_line(at, end, &more);
        p->start = p->at = at;
        p->end = stop;
        p->line++;
        p->line_failed = false;
        p->nesting = 0;
        if (stop - at > 4096) parser_fail(p, at, "line is longer than 4096 bytes");
        else p->line_failed = !line(p, ctx);
        p->line += more;
        at = stop < end ? stop + 1 : end;
    }
    return error_free(p->error);
}

/* print [MODEL_TYPE...], up to `end print`: the printer parses these lines. */
static bool in_section(struct parser *p)
{
    numel_str line = text_span(p->start, p->end);
    if (p->section) {
        if (section_closes(line)) p->section = 0;
        return true;
    }
    if (!section_opens(line, NULL)) return false;
    if (p->open != p->outside) parser_fail(p, p->start, "a print section cannot stand in a block");
    p->section = p->line;
    p->sections = true;
    return true;
}

NUMEL_MUST static bool spec_line(struct parser *p, void *ctx)
{
    size_t lines = p->spec->line_count;
    numel_str word;
    (void)ctx;
    if (p->choosing.columns) return parse_chosen(p);
    if (in_section(p)) return true;
    if (p->sections)
        return !lex_word(p, &word) || parser_fail(p, word.p, "nothing but print sections may follow one");
    bool sound = one_line(p);
    if (!sound && error_free(p->error)) recover(p, lines);
    return sound;
}

static bool parse_text(struct parser *p, numel_str text, const char *file)
{
    struct spec *s = p->spec;
    p->outside = p->open;
    p->section = 0;
    p->sections = false;
    if (!parse_lines(p, text, file, 0, spec_line, NULL)) return false;
    p->line_failed = false;
    if (error_free(p->error) && p->choosing.columns)
        parser_fail(p, p->start, "the choose of line %u has no end", p->choosing.line);
    p->choosing.columns = 0;
    if (error_free(p->error) && p->section)
        parser_fail(p, p->start, "the print section of line %u has no 'end print'", p->section);
    if (error_free(p->error) && p->open != p->outside)
        parser_fail(p, p->start, "the %s of line %u has no end",
                    s->lines[p->open].kind <= LINE_FOR ? "block" : "branch", s->lines[p->open].number);
    return error_free(p->error);
}

NUMEL_MUST static bool parse_all(struct spec *s, const struct spec_input *in, struct complaints *all,
                                 numel_error *e)
{
    struct parser p = {
        .spec = s, .complaints = all, .input = in, .open = NO_LINE, .outside = NO_LINE, .error = e
    };
    size_t before = all->count;
    if (!parse_text(&p, in->text, in->file)) return false;
    return complaints_none(all, before, e);
}

bool spec_new(struct spec **out, const numel_allocator *m, numel_error *e)
{
    static const char *const built_in[SYMBOLS_BUILT_IN] = { "gguf", "e", "llama_cpp" };
    struct spec *s = *out = memory_resize(m, NULL, sizeof *s);
    if (!s) return error_nomem(e);
    *s = (struct spec){ 0 };
    arena_init(&s->arena, m);
    s->scopes = arena_alloc(&s->arena, sizeof *s->scopes);
    if (!s->scopes) {
        spec_free(s);
        *out = NULL;
        return error_nomem(e);
    }
    *s->scopes = (struct part_scope){ .outer = 0 };
    s->scope_count = 1;
    struct parser p = { .spec = s, .error = e };
    if (memory_grow(m, (void **)&s->nodes, &s->node_cap, 1, sizeof *s->nodes, e)) {
        s->nodes[s->node_count++] = (struct node){ 0 };
        for (unsigned i = 0; i < SYMBOLS_BUILT_IN; i++) parse_symbol(&p, text_of(built_in[i]));
    }
    if (error_free(e)) return true;
    spec_free(s);
    *out = NULL;
    return false;
}

bool spec_parse(struct spec **out, const struct spec_input *in, const numel_allocator *m,
                struct complaints *all, numel_error *e)
{
    struct complaints own = { 0 };
    struct spec *s;
    *out = NULL;
    if (!spec_new(&s, m, e)) return false;
    own.arena = &s->arena;
    if (parse_all(s, in, all ? all : &own, e)) *out = s;
    else spec_free(s);
    return *out != NULL;
}

void spec_free(struct spec *s)
{
    if (!s) return;
    const numel_allocator *m = s->arena.memory;
    memory_release(m, s->nodes);
    memory_release(m, s->lines);
    memory_release(m, s->symbols);
    memory_release(m, s->rules);
    memory_release(m, s->defaults);
    memory_release(m, s->spellings);
    memory_release(m, s->guesses);
    arena_done(&s->arena);
    memory_release(m, s);
}
