/* lint.c -- checks that a spec need not pass to be parsed, and other spellings of names; see spec.h. */
#include "formula/section.h"
#include "formula/spec.h"
#include "registry/patterns.h"

#include <string.h>

/* let NAME = must(...): needs no use, as must() reports the failure itself. */
static bool is_demand(const struct spec *s, const struct line *let)
{
    for (int side = 0; side < SIDES; side++) {
        const struct node *n = &s->nodes[let->expr[side]];
        if (let->expr[side] && n->kind == NODE_CALL && n->number == FUNCTION_MUST) return true;
    }
    return false;
}

static void unused(const struct spec *s, struct complaints *all)
{
    char shown[TEXT_QUOTE];
    for (size_t i = SYMBOLS_BUILT_IN; i < s->symbol_count; i++) {
        const struct symbol *x = &s->symbols[i];
        if (x->uses || x->line == NO_LINE || s->lines[x->line].kind != LINE_LET) continue;
        if (s->lines[x->line].file != 0) continue; /* a shared block may offer more than one spec needs */
        bool said = text_equal(x->name, "variant") || text_equal(x->name, "kind") ||
                    text_equal(x->name, "architecture") ||
                    text_equal(x->name, "product"); /* shown, or names a product */
        if (said || is_demand(s, &s->lines[x->line])) continue;
        complain(all, s->files[0], s->lines[x->line].number, 1, "symbol %s is never used",
                 text_quote(shown, x->name));
    }
}

static bool both_sides(const struct tensor_line *a, const struct tensor_line *b)
{
    return (a->name[SIDE_HF] && b->name[SIDE_HF]) || (a->name[SIDE_GGUF] && b->name[SIDE_GGUF]);
}

static bool same_name(const struct spec *s, const struct tensor_line *a, const struct tensor_line *b)
{
    for (int side = 0; side < SIDES; side++)
        if (a->name[side] && b->name[side] &&
            text_same(s->nodes[a->name[side]].source, s->nodes[b->name[side]].source))
            return true;
    return false;
}

static bool has_symbol(const struct spec *s, const struct tensor_line *x)
{
    for (int side = 0; side < SIDES; side++) {
        numel_str name = x->name[side] ? s->nodes[x->name[side]].source : (numel_str){ NULL, 0 };
        if (name.n && memchr(name.p, '{', name.n)) return true;
    }
    return false;
}

/* Reports two unconditional lines of one block with the same role or name. A line included twice by `use`
 * repeats its role, and its name may depend on a `let` between them. */
static void twice(const struct spec *s, size_t i, size_t k, struct complaints *all)
{
    const struct line *a = &s->lines[i], *b = &s->lines[k];
    const struct tensor_line *x = a->tensor, *y = b->tensor;
    char shown[TEXT_QUOTE];
    bool again = a->number == b->number && strcmp(s->files[a->file], s->files[b->file]) == 0;
    if (x->when || y->when || (again && has_symbol(s, x))) return;
    if (text_same(x->role, y->role) && both_sides(x, y))
        complain(all, s->files[b->file], b->number, 1, "role %s stands in line %u already",
                 text_quote(shown, y->role), a->number);
    else if (same_name(s, x, y))
        complain(all, s->files[b->file], b->number, 1, "role %s has the name of line %u",
                 text_quote(shown, y->role), a->number);
}

/* Reports two unconditional cache lines of one block with the same kind and count: they would count twice. */
static void kept_twice(const struct spec *s, size_t i, size_t k, struct complaints *all)
{
    const struct line *a = &s->lines[i], *b = &s->lines[k];
    const struct cache_line *x = a->cache, *y = b->cache;
    if (x->when || y->when || x->kind != y->kind || x->per != y->per || !text_same(x->name, y->name)) return;
    complain(all, s->files[b->file], b->number, 1, "what is kept as %s stands in line %u already",
             cache_kind_name(y->kind), a->number);
}

/* ---- print sections --------------------------------------------------------------------------- */

static bool matches(const struct spec *s, numel_str model_type)
{
    for (size_t i = 0; i < s->rule_count; i++) {
        numel_str words = s->rules[i].words;
        if (s->rules[i].scope) continue;
        for (numel_str word = text_word(&words); word.n; word = text_word(&words))
            if (text_same(word, model_type)) return true;
    }
    return false;
}

/* True if an earlier section is for the same model type; an empty one stands for all others. */
static bool sectioned_before(numel_str text, uint32_t line, numel_str model_type)
{
    struct print_section other;
    for (size_t at = 0; section_next(text, &at, &other) && other.line < line;) {
        if (!other.types.n && !model_type.n) return true;
        for (numel_str word = text_word(&other.types); word.n; word = text_word(&other.types))
            if (text_same(word, model_type)) return true;
    }
    return false;
}

static void lint_sections(const struct spec *s, numel_str text, struct complaints *all)
{
    struct print_section x;
    char shown[TEXT_QUOTE];
    for (size_t at = 0; section_next(text, &at, &x);) {
        if (!x.types.n && sectioned_before(text, x.line, x.types))
            complain(all, s->files[0], x.line, 1, "a second print section for all model types");
        for (numel_str word = text_word(&x.types); word.n; word = text_word(&x.types)) {
            if (!matches(s, word))
                complain(all, s->files[0], x.line, 1, "no match line names the model type %s",
                         text_quote(shown, word));
            if (sectioned_before(text, x.line, word))
                complain(all, s->files[0], x.line, 1, "a second print section for %s",
                         text_quote(shown, word));
        }
    }
}

void spec_lint(const struct spec *s, numel_str text, struct complaints *all)
{
    size_t tensors = s->parted, rules = 0;
    unused(s, all);
    lint_sections(s, text, all);
    for (size_t i = 0; i < s->line_count; i++) {
        enum line_kind kind = s->lines[i].kind;
        if (kind != LINE_TENSOR && kind != LINE_CACHE) continue;
        tensors += kind == LINE_TENSOR;
        for (size_t k = i + 1; k < s->line_count; k++)
            if (s->lines[k].kind == kind && s->lines[k].parent == s->lines[i].parent)
                (kind == LINE_TENSOR ? twice : kept_twice)(s, i, k, all);
    }
    for (size_t i = 0; i < s->rule_count; i++) rules += s->rules[i].scope == 0;
    if (!s->name && rules) complain(all, s->files[0], 1, 1, "match without arch");
    if (!tensors && !s->spelling_count) complain(all, s->files[0], 1, 1, "no tensors");
}

/* ---- other spellings -------------------------------------------------------------------------- */

enum { STARS = 8 };

/* Matches a whole name; part[] gets the text of each `*`, the shortest first. `name` is cut at its front
 * while `pattern` advances; `whole` is the start of the pattern. */
static bool pattern_match(const char *whole, const char *pattern, numel_str name, numel_str *part,
                          unsigned stars)
{
    for (; *pattern && *pattern != '*'; pattern++) {
        if (!name.n || *name.p != *pattern) return false;
        name = text_from(name, 1);
    }
    if (!*pattern) return name.n == 0;
    if (!pattern[1] && stars) return *part = name, name.n > 0; /* a last `*` matches the rest */
    if (!text_ends(name, strrchr(pattern, '*') + 1)) return false;
    bool free = pattern == whole;
    for (size_t n = 1; stars && n <= name.n && (free || name.p[n - 1] != '.'); n++) {
        *part = (numel_str){ name.p, n };
        numel_str rest = text_from(name, n);
        if (pattern_match(whole, pattern + 1, rest, part + 1, stars - 1)) return true;
    }
    return false;
}

/* The pattern with the texts of its stars, in `room` if it fits, else in the arena. */
static numel_str pattern_fill(const char *pattern, const numel_str part[STARS], char *room, size_t bytes,
                              struct arena *a)
{
    size_t n = strlen(pattern), stars = 0;
    for (const char *p = pattern; *p; p++)
        if (*p == '*') n += part[stars++].n;
    char *text = n < bytes ? room : arena_alloc(a, n + 1);
    if (!text) return (numel_str){ NULL, 0 };
    struct fixed whole = fixed_of(text, n + 1);
    stars = 0;
    for (const char *p = pattern; *p; p++) fixed_add(&whole, *p == '*' ? part[stars++] : (numel_str){ p, 1 });
    return fixed_str(&whole);
}

/* ---- spellings in parts ----------------------------------------------------------------------- */

enum { PLACES = 16, TRIES = 2 * PLACES }; /* places where a part's names may begin: after that many dots */

/* Applies a spelling of a part's spec to a name that begins at `at`. `bare`: with the prefix that names of a
 * base class lack, if not in the file then in the spec. */
NUMEL_MUST static numel_str rename_there(const struct part_scope *scope, const struct spelling *x,
                                         numel_str name, size_t at, bool bare, struct arena *a)
{
    static const numel_str none = { NULL, 0 };
    numel_str part[STARS], rest = text_from(name, at), before = { name.p, at }, longer = rest;
    numel_str lost = scope->strip.p ? scope->strip : scope->bare;
    char text[600], made[600]; /* most names do not match: nothing is kept for those */
    if (bare && !lost.n) return none;
    if (bare) longer = text_join(text, sizeof text, lost, rest, text_of(""));
    if (!longer.p) longer = arena_join(a, lost, rest, text_of(""));
    if (!longer.p || (!pattern_match(x->other, x->other, longer, part, STARS) &&
                      !(bare && pattern_match(x->other, x->other, rest, part, STARS))))
        return none;
    numel_str full = pattern_fill(x->hf, part, made, sizeof made, a);
    if (!full.p || (bare && (full.n < lost.n || memcmp(full.p, lost.p, lost.n) != 0))) return none;
    if (bare) full = text_from(full, lost.n);
    if (text_same(full, rest)) return none;
    return arena_join(a, before, full, text_of(""));
}

/* The next such spelling, at any place where names of the part may begin: after the scope's prefix. *try
 * counts the places, twice. */
NUMEL_MUST static numel_str rename_in_part(const struct part_scope *scope, const struct spelling *x,
                                           numel_str name, size_t *try, struct arena *a)
{
    numel_str prefix = scope->prefix;
    for (size_t at = 0, place = 0; place < PLACES; place++) {
        bool here = at >= prefix.n && (!prefix.n || memcmp(name.p + at - prefix.n, prefix.p, prefix.n) == 0);
        for (; here && *try / 2 <= place; ++*try) {
            if (*try / 2 < place) *try = 2 * place;
            numel_str full = rename_there(scope, x, name, at, *try % 2, a);
            if (full.p) return ++*try, full;
        }
        at = text_find(name, at, '.');
        if (at == name.n) break;
        at++;
    }
    return *try = TRIES, (numel_str){ NULL, 0 };
}

size_t spec_renamed_by(size_t at) { return (at - 1) / TRIES; }

/* "model.*", not "*.layers.*". */
static bool is_front(const char *pattern)
{
    const char *star = strchr(pattern, '*');
    return star && !star[1] && (star == pattern || star[-1] == '.');
}

numel_str spec_spelling_front(const struct spec *s, size_t spelling)
{
    const struct spelling *x = &s->spellings[spelling];
    bool front = !x->scope && is_front(x->hf) && is_front(x->other);
    return front ? text_less(text_of(x->hf), 1) : (numel_str){ NULL, 0 };
}

bool spec_spells_numbers(const struct spec *s)
{
    bool some = false;
    for (size_t i = 0; i < s->spelling_count; i++)
        some |= pattern_asks_number(text_of(s->spellings[i].other));
    for (unsigned i = 0; i < s->scope_count; i++)
        some |= pattern_asks_number(s->scopes[i].prefix) || pattern_asks_number(s->scopes[i].strip) ||
                pattern_asks_number(s->scopes[i].bare);
    return some;
}

numel_str spec_rename(const struct spec *s, numel_str name, enum spelled by, size_t *at, struct arena *a)
{
    numel_str part[STARS];
    while (*at < s->spelling_count * TRIES) {
        size_t n = *at / TRIES, try = *at % TRIES;
        const struct spelling *x = &s->spellings[n];
        *at = (n + 1) * TRIES;
        if (by != SPELLED_ANYWHERE && (by == SPELLED_INSIDE) != (x->scope != 0)) continue;
        if (!x->scope) {
            if (pattern_match(x->other, x->other, name, part, STARS))
                return pattern_fill(x->hf, part, NULL, 0, a);
            continue;
        }
        numel_str full = rename_in_part(&s->scopes[x->scope], x, name, &try, a);
        *at = n * TRIES + try;
        if (full.p || a->failed) return full;
    }
    return (numel_str){ NULL, 0 };
}

numel_str spec_respell(const struct spec *s, numel_str name, numel_str family, size_t i, struct arena *a)
{
    const struct spelling *x = &s->spellings[i];
    numel_str part[STARS], prefix = x->scope ? s->scopes[x->scope].prefix : text_of("");
    bool here = prefix.n < name.n && text_same(text_upto(name, prefix.n), prefix);
    numel_str own = text_from(name, prefix.n);
    if (!here || !text_equal(family, x->family) || !pattern_match(x->hf, x->hf, own, part, STARS))
        return (numel_str){ NULL, 0 };
    own = pattern_fill(x->other, part, NULL, 0, a);
    return own.p ? arena_join(a, prefix, own, text_of("")) : own;
}
