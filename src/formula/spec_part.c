/*
 * spec_part.c -- parses lines `part PATH as PREFIX`; see parse.h.
 *
 * A part line is a block. Its lines are those of the spec for the configuration at PATH, parsed in a scope of
 * their own: their symbols are separate, their cfg() reads below PATH, and their match lines apply only to
 * them. The input's `link` has the configurations and finds the spec. If it finds none, or there is no
 * `link`, the block is empty, and walking into it reports that.
 */
#include "formula/parse.h"
#include "formula/parts.h"

#include <string.h>

enum { TYPE_BYTES = 128 }; /* of a model type; longer ones are not names */

static numel_str joined(struct parser *p, numel_str a, const char *sign, numel_str b)
{
    numel_str text = arena_join(&p->spec->arena, a, text_of(a.n ? sign : ""), b);
    if (!text.p) error_put_nomem(p->error);
    return text;
}

/* ---- names derived from the path --------------------------------------------------------------- */

/* "vision" for "vision_config", "encoder" for "a.encoder". */
static numel_str own_name(numel_str path)
{
    for (size_t i = path.n; i--;)
        if (path.p[i] == '.') {
            path = text_from(path, i + 1);
            break;
        }
    if (path.n > 7 && text_ends(path, "_config")) path = text_less(path, 7);
    return path;
}

static bool is_label(const struct spec *s, numel_str label, numel_str base)
{
    for (unsigned i = 1; i < s->scope_count; i++)
        if (text_same(s->scopes[i].label, label) && !text_same(s->scopes[i].base, base)) return true;
    return false;
}

/* "vision.": unique for each configuration. */
NUMEL_MUST static bool find_label(struct parser *p, struct part_scope *scope)
{
    const struct spec *s = p->spec;
    numel_str outer = s->scopes[p->scope].label, name = own_name(scope->base);
    name = joined(p, outer, "", name);
    scope->label = joined(p, name, ".", (numel_str){ "", 0 });
    for (unsigned i = 2; error_free(p->error) && is_label(s, scope->label, scope->base); i++) {
        char *text = arena_format(&p->spec->arena, "%s%u.", name.p, i);
        if (!text) return parser_nomem(p);
        scope->label = text_of(text);
    }
    return error_free(p->error);
}

/* The prefix of roles, the same in all specs: "v." for vision, "a." for audio. */
static numel_str find_role(numel_str path)
{
    static const struct {
        const char *word, *role;
    } rows[] = { { "vision", "v." }, { "image", "v." }, { "audio", "a." }, { "speech", "a." } };
    numel_str name = own_name(path);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (text_holds(name, text_of(rows[i].word))) return text_of(rows[i].role);
    return (numel_str){ "", 0 };
}

/* ---- attributes -------------------------------------------------------------------------------- */

/* class=causal, class=BartDecoder, class=EXPR */
static uint32_t class_of(struct parser *p, numel_str value)
{
    if (!text_is_name(value) || parse_knows(p, value)) return parse_part(p, value);
    return parse_quoted(p, value);
}

/* NAME=VALUE of a part line. */
NUMEL_MUST static bool attribute(struct parser *p, numel_str word, struct part_line *part,
                                 struct part_scope *scope)
{
    size_t sign = text_find(word, 0, '=');
    if (sign == word.n) return parser_fail(p, word.p, "expected NAME=VALUE");
    numel_str name = text_upto(word, sign), value = text_from(word, sign + 1);
    if (!text_is_name(name)) return parser_fail(p, word.p, "expected NAME=VALUE");
    if (text_equal(name, "type")) return part->type = value, true;
    if (text_equal(name, "strip")) return scope->strip = text_equal(value, "-") ? text_of("") : value, true;
    if (text_equal(name, "role")) return scope->role = value, true;
    if (text_equal(name, "class")) return (scope->class = class_of(p, value)) != 0;
    if (text_equal(name, "if")) return (part->when = parse_part(p, value)) != 0;
    if (scope->key_count == PART_KEYS)
        return parser_fail(p, word.p, "more than %d keys of a part", PART_KEYS);
    if (text_equal(name, "tied")) name = text_of("tie_word_embeddings");
    scope->keys[scope->key_count].name = name;
    return (scope->keys[scope->key_count++].value = parse_part(p, value)) != 0;
}

/* ---- the line ---------------------------------------------------------------------------------- */

NUMEL_MUST static bool read_line(struct parser *p, struct part_line *part, struct part_scope *scope,
                                 uint32_t *prefix)
{
    numel_str path, as, under, word;
    if (!clause_word(p, &path, "a path") || !clause_word(p, &as, "'as'")) return false;
    if (!text_equal(as, "as")) return parser_fail(p, as.p, "expected 'as'");
    if (!clause_word(p, &under, "a prefix, '-' for none")) return false;
    if (text_equal(under, "-")) under.n = 0;
    if (!(*prefix = parse_template(p, under))) return false;
    scope->outer = p->scope;
    scope->prefix = memchr(under.p, '{', under.n) ? (numel_str){ NULL, 0 } : under;
    scope->role = find_role(path);
    while (lex_word(p, &word))
        if (!attribute(p, word, part, scope)) return false;
    numel_str base = p->spec->scopes[p->scope].base, outer = p->spec->scopes[p->scope].role;
    if (text_equal(path, ".")) scope->base = base;
    else scope->base = joined(p, base, ".", path);
    scope->role = outer.n ? outer : joined(p, scope->role, "", (numel_str){ "", 0 });
    part->path = scope->base;
    return error_free(p->error) && find_label(p, scope);
}

NUMEL_MUST static bool room_for_scopes(struct parser *p)
{
    struct spec *s = p->spec;
    if (s->scope_count > 1) return true;
    struct part_scope *scopes = arena_alloc(&s->arena, SPEC_SCOPES * sizeof *scopes);
    if (!scopes) return parser_nomem(p);
    scopes[0] = s->scopes[0];
    s->scopes = scopes;
    return true;
}

/* Parses the lines of the block, if there is a spec for it. */
NUMEL_MUST static bool read_inside(struct parser *p, struct part_line *part, struct part_scope *scope)
{
    struct spec *s = p->spec;
    struct spec_link link = { .type = part->type };
    part->beyond = p->parts == PART_DEPTH || s->scope_count == SPEC_SCOPES;
    for (uint32_t up = p->scope; up && part->type.n; up = s->scopes[up].outer)
        part->beyond |= text_same(s->scopes[up].type, part->type); /* type= could recurse without end */
    if (!part->beyond && p->input->link &&
        !p->input->link(p->input->source_ctx, s, part->path, &link, p->error))
        return false;
    if (link.type.n > TYPE_BYTES) link = (struct spec_link){ .type = { link.type.p, TYPE_BYTES } };
    part->type = (numel_str){ NULL, 0 };
    if (link.type.p) part->type = joined(p, link.type, "", (numel_str){ "", 0 });
    if (!error_free(p->error) || !link.text.p) return error_free(p->error);
    if (!room_for_scopes(p)) return false;
    scope->type = part->type;
    if (!part_prefix(&s->arena, part->type, &scope->bare, p->error)) return false;
    part->scope = s->scope_count;
    s->scopes[s->scope_count++] = *scope;
    uint32_t outside = p->scope;
    unsigned uses = p->uses;
    p->scope = part->scope;
    p->uses = 0;
    p->parts++;
    bool ok = parse_inside(p, link.text, link.file);
    p->parts--;
    p->uses = uses;
    p->scope = outside;
    return ok;
}

bool parse_part_line(struct parser *p)
{
    struct part_line *part = arena_alloc(&p->spec->arena, sizeof *part);
    struct part_scope scope = { 0 };
    uint32_t prefix = 0;
    if (!part) return parser_nomem(p);
    *part = (struct part_line){ 0 };
    if (!read_line(p, part, &scope, &prefix)) return false;
    struct line *line = parse_line(p, LINE_PART);
    if (!line) return false;
    line->part = part;
    line->expr[SIDE_HF] = prefix;
    p->spec->parted = true;
    return parse_open(p, line) && read_inside(p, part, &scope) && parse_close(p);
}
