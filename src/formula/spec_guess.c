/*
 * spec_guess.c -- the lines of a spec that say what a file without configuration shows of a key that no size gives, read;
 * see parse.h.
 *
 *     guess KEY [each=COUNT] EXPR
 *
 * With `each` the value is a list: EXPR for i from 0 up to, not including, n = COUNT. In texts {i} stands for its value.
 * Lets of the spec are not known here: what a guess needs it takes from the file.
 */
#include "formula/parse.h"

#include <string.h>

static bool read_values(struct parser *p, struct spec_guess *g)
{
    numel_str word;
    const char *at = p->at;
    bool ok = clause_word(p, &word, "a value");
    if (ok && text_starts(word, "each=")) {
        size_t n = strlen("each=");
        g->each = parse_part(p, (numel_str){ word.p + n, word.n - n });
        ok = g->each != 0;
    } else {
        p->at = at;
    }
    return ok && clause_condition(p, &g->value);
}

/* The index and its end are known in this line alone, unless the spec has such symbols above. */
static bool read_indexed(struct parser *p, struct spec_guess *g)
{
    struct symbol *all = p->spec->symbols;
    uint32_t i = all[g->index].line, n = all[g->count].line;
    all[g->index].line = all[g->count].line = 0;
    bool ok = read_values(p, g);
    all = p->spec->symbols; /* may have moved */
    all[g->index].line = i;
    all[g->count].line = n;
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
