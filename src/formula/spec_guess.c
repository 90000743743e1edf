/*
 * spec_guess.c -- parses the lines of a spec that read keys off a file without configuration, if no size
 * gives them; see parse.h.
 *
 *     guess KEY [each=COUNT [inner=COUNT]] EXPR
 *
 * With `each` the value is a list: EXPR for i from 0 up to, not including, n = COUNT. With `inner` each item
 * is a list, too, of EXPR for j. In texts {i} is replaced by its value. Lets of the spec are unknown here: a
 * guess reads what it needs from the file.
 */
#include "formula/parse.h"

#include <string.h>

/* Reads NAME=EXPR if it is the next word; else reads nothing. */
static bool read_count(struct parser *p, const char *name, uint32_t *count)
{
    numel_str word;
    const char *at = p->at;
    size_t n = strlen(name);
    *count = 0;
    if (!lex_word(p, &word) || !text_starts(word, name)) return p->at = at, true;
    *count = parse_part(p, text_from(word, n));
    return *count != 0;
}

static bool read_values(struct parser *p, struct spec_guess *g)
{
    if (!read_count(p, "each=", &g->each)) return false;
    if (g->each && !read_count(p, "inner=", &g->inner)) return false;
    return clause_condition(p, &g->value);
}

/* Only this line knows the indices and their limit, unless the spec has defined these symbols above. */
static bool read_indexed(struct parser *p, struct spec_guess *g)
{
    struct symbol *all = p->spec->symbols;
    uint32_t i = all[g->index].line, n = all[g->count].line, j = all[g->within].line;
    all[g->index].line = all[g->count].line = all[g->within].line = 0;
    bool ok = read_values(p, g);
    all = p->spec->symbols; /* may have moved */
    all[g->index].line = i;
    all[g->count].line = n;
    all[g->within].line = j;
    return ok;
}

bool parse_guess(struct parser *p)
{
    struct spec *s = p->spec;
    numel_str path;
    struct spec_guess g = { .scope = p->scope };
    if (p->open != p->outside) return parser_fail(p, p->start, "a guess cannot stand in a block");
    if (!clause_word(p, &path, "a key")) return false;
    g.index = parse_symbol(p, text_of("i"));
    g.count = parse_symbol(p, text_of("n"));
    g.within = parse_symbol(p, text_of("j"));
    g.path = arena_text(&s->arena, path.p, path.n);
    if (!error_free(p->error)) return false;
    if (!g.path) return parser_nomem(p);
    bool before = p->templates;
    p->templates = true;
    bool ok = read_indexed(p, &g);
    p->templates = before;
    if (!ok || !memory_grow(s->arena.memory, (void **)&s->guesses, &s->guess_cap, s->guess_count + 1,
                            sizeof *s->guesses, p->error))
        return false;
    s->guesses[s->guess_count++] = g;
    return true;
}
