/* forms_parse.c -- parses forms; see forms.h. One function for each kind of line; a file has several
 * forms. */
#include "formula/forms.h"

#include "formula/parse.h"

#include <string.h>

struct reading {
    struct parser p;
    struct forms *f;
};

static struct form *current(struct reading *r)
{
    if (r->f->count) return &r->f->items[r->f->count - 1];
    parser_fail(&r->p, r->p.start, "no line before this one says form NAME");
    return NULL;
}

static char *keep(struct reading *r, numel_str s)
{
    char *text = arena_text(&r->f->base->arena, s.p, s.n);
    if (!text) error_put_nomem(r->p.error);
    return text;
}

static bool line_form(struct reading *r)
{
    numel_str name;
    struct forms *f = r->f;
    if (!clause_word(&r->p, &name, "a name") || !clause_ends(&r->p)) return false;
    if (!memory_grow(f->base->arena.memory, (void **)&f->items, &f->cap, f->count + 1, sizeof *f->items,
                     r->p.error))
        return false;
    f->items[f->count] = (struct form){ .name = keep(r, name) };
    return f->items[f->count++].name != NULL;
}

static bool line_writer(struct reading *r)
{
    numel_str word;
    struct form *f = current(r);
    return f && clause_word(&r->p, &word, "a name") && (f->writer = keep(r, word)) && clause_ends(&r->p);
}

static void define(struct reading *r, uint32_t symbol)
{
    struct symbol *s = &r->f->base->symbols[symbol];
    if (s->line == NO_LINE) s->line = 0;
}

static bool line_let(struct reading *r)
{
    uint32_t symbol = SYMBOL_GGUF, value[SIDES];
    struct form *f = current(r);
    if (!f || !clause_let(&r->p, &symbol, value)) return false;
    define(r, symbol);
    if (f->let_count == FORM_LETS) return parser_fail(&r->p, r->p.start, "more than %d lets", FORM_LETS);
    f->let_symbols[f->let_count] = symbol;
    f->lets[f->let_count++] = value[SIDE_HF];
    return true;
}

/* ---- names ------------------------------------------------------------------------------------ */

static bool add_piece(struct reading *r, struct form_line *l, enum form_mark mark, numel_str text)
{
    if (mark == FORM_TEXT && !text.n) return true;
    if (l->piece_count == FORM_PIECES)
        return parser_fail(&r->p, text.p, "a name of more than %d parts", FORM_PIECES);
    if (mark != FORM_TEXT && (!l->piece_count || l->pieces[l->piece_count - 1].mark != FORM_TEXT))
        return parser_fail(&r->p, text.p, "a mark needs a dot before it");
    const char *own = mark == FORM_TEXT ? keep(r, text) : "";
    l->pieces[l->piece_count++] = (struct form_piece){ mark, { own, text.n } };
    l->each |= mark == FORM_EXPERT;
    return own != NULL;
}

/* {P}.experts.{e}.{m}.weight */
static bool name(struct reading *r, numel_str word, struct form_line *l)
{
    if (!text_starts(word, "{P}.")) return parser_fail(&r->p, word.p, "a name begins with {P}.");
    numel_str rest = text_from(word, 3);
    for (size_t i = 0; i < rest.n; i++) {
        numel_str text = text_upto(rest, i), mark = text_slice(rest, i, i + 3);
        if (rest.p[i] != '{') continue;
        bool each = text_equal(mark, "{e}");
        if (!each && !text_equal(mark, "{m}")) return parser_fail(&r->p, mark.p, "expected {e} or {m}");
        if (!add_piece(r, l, FORM_TEXT, text) ||
            !add_piece(r, l, each ? FORM_EXPERT : FORM_WORD, (numel_str){ mark.p, 0 }))
            return false;
        rest = text_from(rest, i + 3);
        i = SIZE_MAX; /* start over */
    }
    return add_piece(r, l, FORM_TEXT, rest);
}

static bool same_name(const struct form_line *a, const struct form_line *b)
{
    bool same = a->piece_count == b->piece_count;
    for (unsigned i = 0; same && i < a->piece_count; i++)
        same = a->pieces[i].mark == b->pieces[i].mark && text_same(a->pieces[i].text, b->pieces[i].text);
    return same;
}

/* ---- dims ------------------------------------------------------------------------------------- */

/* Capital letters in the sizes of an old tensor are unknowns; the expected tensors give their values. */
static bool define_letters(struct reading *r, numel_str word)
{
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] < 'A' || word.p[i] > 'Z') continue;
        uint32_t symbol = parse_symbol(&r->p, (numel_str){ word.p + i, 1 });
        if (!error_free(r->p.error)) return false;
        define(r, symbol);
    }
    return true;
}

static bool tensor(struct reading *r, struct form_line *l, bool old)
{
    struct parser *p = &r->p;
    numel_str word;
    *l = (struct form_line){ .ndim = 0 };
    if (!clause_word(p, &word, "a name") || !name(r, word, l)) return false;
    while (lex_word(p, &word)) {
        if (!old && text_starts(word, "role=")) {
            const char *role = keep(r, text_from(word, 5));
            if (!role) return false;
            l->role = text_of(role);
            continue;
        }
        if (l->ndim == FORM_DIMS) return parser_fail(p, word.p, "more than %d dims", FORM_DIMS);
        if (old && !define_letters(r, word)) return false;
        if (!(l->dims[l->ndim++] = parse_part(p, word))) return false;
    }
    return true;
}

static bool line_old(struct reading *r)
{
    struct form *f = current(r);
    if (!f) return false;
    if (f->old_count == FORM_LINES || f->new_count)
        return parser_fail(&r->p, r->p.start, "old lines come first, %d at most", FORM_LINES);
    return tensor(r, &f->old[f->old_count++], true);
}

static bool line_new(struct reading *r)
{
    struct form *f = current(r);
    if (!f) return false;
    if (f->new_count == FORM_LINES || !f->old_count)
        return parser_fail(&r->p, r->p.start, "new lines come behind old ones, %d at most", FORM_LINES);
    struct form_line *l = &f->new[f->new_count++];
    if (!tensor(r, l, false)) return false;
    for (unsigned i = 0; i < f->old_count; i++) f->same |= same_name(l, &f->old[i]);
    return true;
}

/* ---- the whole file --------------------------------------------------------------------------- */

static bool one_line(struct parser *p, void *ctx)
{
    static const struct {
        const char *word;
        bool (*parse)(struct reading *);
    } lines[] = {
        { "form", line_form }, { "writer", line_writer }, { "let", line_let },
        { "old", line_old },   { "new", line_new },
    };
    struct reading *r = ctx;
    numel_str word;
    char shown[TEXT_QUOTE];
    if (!lex_word(p, &word)) return true;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (text_equal(word, lines[i].word)) return lines[i].parse(r);
    return parser_fail(p, word.p, "unknown keyword %s", text_quote(shown, word));
}

NUMEL_MUST static bool parse_all(struct reading *r, const struct library_entry *entry, numel_error *e)
{
    struct complaints *all = r->p.complaints;
    size_t before = all->count;
    r->f->experts = parse_symbol(&r->p, text_of("N"));
    if (!error_free(e)) return false;
    define(r, r->f->experts);
    if (!parse_lines(&r->p, entry->text, entry->file, 0, one_line, r)) return false;
    r->p.line_failed = false;
    for (size_t i = 0; error_free(e) && i < r->f->count; i++)
        if (!r->f->items[i].new_count)
            parser_fail(&r->p, r->p.start, "form %s has no new line", r->f->items[i].name);
    return error_free(e) && complaints_none(all, before, e);
}

bool forms_parse(struct forms **out, const struct library_entry *entry, const numel_allocator *m,
                 struct complaints *all, numel_error *e)
{
    struct forms *f = memory_resize(m, NULL, sizeof *f);
    struct complaints own = { 0 };
    *out = NULL;
    if (!f) return error_nomem(e);
    *f = (struct forms){ 0 };
    if (!spec_new(&f->base, m, e)) {
        memory_release(m, f);
        return false;
    }
    own.arena = &f->base->arena;
    struct reading r = { .f = f };
    r.p = (struct parser){
        .spec = f->base, .complaints = all ? all : &own, .open = NO_LINE, .outside = NO_LINE, .error = e
    };
    if (parse_all(&r, entry, e)) *out = f;
    else forms_free(f);
    return *out != NULL;
}

void forms_free(struct forms *f)
{
    if (!f) return;
    const numel_allocator *m = f->base->arena.memory;
    memory_release(m, f->items);
    spec_free(f->base);
    memory_release(m, f);
}
