/*
 * spec_cache.c -- parses the lines of a spec that state what a layer keeps while generating; see parse.h.
 *
 *     cache KIND ELEMENTS per token|source|sequence [window=EXPR] [every=EXPR] [rest=EXPR] [width=EXPR]
 *           [latent] [apart] [if=EXPR]
 *     cache shared [if=EXPR]
 *     cache none
 *
 * A line is in the loop over the layers, next to the tensors that compute what is kept.
 */
#include "formula/parse.h"

#include <string.h>

static const char *const kinds[] = { "k",       "v",       "index_k", "conv",  "recurrent",
                                     "cross_k", "cross_v", "other",   "shared" };
static const char *const pers[] = { "token", "source", "sequence" };

const char *cache_kind_name(enum cache_kind kind) { return kinds[kind]; }

const char *cache_per_name(enum cache_per per) { return pers[per]; }

/* k, other:NAME */
static bool find_kind(struct parser *p, struct cache_line *c)
{
    numel_str word;
    char shown[TEXT_QUOTE];
    if (!clause_word(p, &word, "what is kept: k, v, index_k, conv, ...")) return false;
    if (text_starts(word, "other:") && word.n > strlen("other:")) {
        c->kind = CACHE_OTHER;
        c->name = text_from(word, strlen("other:"));
        return true;
    }
    if (text_equal(word, "none")) return c->kind = CACHE_SHARED, c->none = true;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (i != CACHE_OTHER && text_equal(word, kinds[i])) return c->kind = i, true;
    return parser_fail(p, word.p,
                       "%s is no kind of cache: k, v, index_k, conv, recurrent, cross_k, cross_v, "
                       "other:NAME, shared, none",
                       text_quote(shown, word));
}

static bool find_size(struct parser *p, struct cache_line *c)
{
    numel_str word;
    if (!clause_word(p, &word, "a number of elements") || !(c->size = parse_part(p, word))) return false;
    if (!clause_word(p, &word, "'per'")) return false;
    if (!text_equal(word, "per")) return parser_fail(p, word.p, "expected 'per'");
    if (!clause_word(p, &word, "token, source or sequence")) return false;
    for (unsigned i = 0; i < CACHE_PERS; i++)
        if (text_equal(word, pers[i])) return c->per = i, true;
    return parser_fail(p, word.p, "expected token, source or sequence");
}

static bool attribute(struct parser *p, numel_str word, struct cache_line *c)
{
    static const char *const names[] = { "if=", "window=", "every=", "rest=", "width=" };
    uint32_t *const places[] = { &c->when, &c->window, &c->every, &c->rest, &c->width };
    if (text_equal(word, "latent")) return c->latent = true;
    if (text_equal(word, "apart")) return c->apart = true;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (!text_starts(word, names[i])) continue;
        if (*places[i]) return parser_fail(p, word.p, "%s stands here twice", names[i]);
        return (*places[i] = parse_part(p, text_from(word, n))) != 0;
    }
    return parser_fail(p, word.p, "expected window=, every=, rest=, width=, latent, apart or if=");
}

/* Checks combinations: only tokens are counted, and in only one way. */
static bool check(struct parser *p, const struct cache_line *c)
{
    bool counts = c->window || c->every || c->rest;
    bool cross = c->kind == CACHE_CROSS_K || c->kind == CACHE_CROSS_V;
    bool fixed = c->kind == CACHE_CONV || c->kind == CACHE_RECURRENT;
    if (c->kind == CACHE_SHARED && (counts || c->latent))
        return parser_fail(p, p->at, "a layer that shares another's keeps nothing itself");
    if (c->none && c->when) return parser_fail(p, p->at, "a model that keeps nothing never does");
    if (c->rest && (c->window || c->every)) return parser_fail(p, p->at, "rest= excludes window= and every=");
    if (counts && c->per != PER_TOKEN)
        return parser_fail(p, p->at, "what is not per token has no %s", c->window ? "window" : "step");
    if (cross && c->per != PER_SOURCE) return parser_fail(p, p->at, "cross attention keeps per source");
    if (fixed && c->per != PER_SEQUENCE) return parser_fail(p, p->at, "a state is kept per sequence");
    if (c->width && c->kind != CACHE_CONV) return parser_fail(p, p->at, "only conv has a kernel's width");
    if (c->latent && (c->kind > CACHE_V || c->per != PER_TOKEN))
        return parser_fail(p, p->at, "latent belongs to k and v per token");
    return true;
}

bool parse_cache(struct parser *p)
{
    struct cache_line *c = arena_alloc(&p->spec->arena, sizeof *c);
    numel_str word;
    if (!c) return parser_nomem(p);
    *c = (struct cache_line){ .per = PER_TOKEN };
    for (uint32_t up = p->open; up != NO_LINE; up = p->spec->lines[up].parent)
        if (p->spec->lines[up].kind == LINE_ONEOF || p->spec->lines[up].kind == LINE_OR)
            return parser_fail(p, p->start, "what is kept is the same in all forms: not in a oneof");
    if (!find_kind(p, c) || (c->kind != CACHE_SHARED && !find_size(p, c))) return false;
    while (lex_word(p, &word))
        if (!attribute(p, word, c)) return false;
    if (!check(p, c)) return false;
    struct line *line = parse_line(p, LINE_CACHE);
    if (line) line->cache = c;
    return line != NULL;
}
