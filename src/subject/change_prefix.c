/*
 * change_prefix.c -- names that would fit under another prefix, or that lack one.
 *
 *   model.language_model.layers.0.mlp.up_proj.weight instead of model.layers.0.mlp.up_proj.weight
 */
#include "subject/change_internal.h"

enum { TRIED = 3, LEAST = 2 };

struct prefixes {
    numel_str found, expected; /* "model.language_model.", "model." */
};

static numel_str tensor_name(const struct changing *g, uint32_t tensor)
{
    return g->m->ck->registry.tensors[tensor].name;
}

/* The length of the longest common ending of two names, in whole parts. */
static size_t common_end(numel_str a, numel_str b)
{
    size_t n = 0, best = 0;
    while (n < a.n && n < b.n && text_last(text_less(a, n)) == text_last(text_less(b, n))) {
        n++;
        bool begins = (n == a.n || text_last(text_less(a, n)) == '.') &&
                      (n == b.n || text_last(text_less(b, n)) == '.');
        if (begins) best = n;
    }
    return best;
}

static bool has_digit(numel_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] >= '0' && s.p[i] <= '9') return true;
    return false;
}

/* The prefixes before the common ending of a missing tensor and an unexpected one; false if there are
 * none. */
static bool guess(const struct changing *g, const struct gap *gap, struct prefixes *out)
{
    size_t best = 0;
    for (size_t i = 0; i < g->d->unexpected_count; i++) {
        numel_str name = tensor_name(g, g->d->unexpected[i]);
        size_t n = common_end(name, gap->name);
        if (n <= best) continue;
        best = n;
        *out = (struct prefixes){ text_less(name, n), text_less(gap->name, n) };
    }
    return best && !has_digit(out->found) && !has_digit(out->expected);
}

static bool same_dims(const struct gap *gap, const numel_tensor *t)
{
    return gap->ndim == t->ndim && memcmp(gap->dims, t->dims, t->ndim * sizeof *t->dims) == 0;
}

/* Counts the unexpected tensors that match missing ones under the other prefix; with a `cause`, marks
 * both. */
NUMEL_MUST static bool count(struct changing *g, const struct prefixes *p, uint32_t cause, size_t *n)
{
    struct names by_name;
    bool ok = true;
    *n = 0;
    names_init_at(&by_name, g->scratch.memory, sizeof *g->d->gaps, offsetof(struct gap, name));
    if (!names_reserve(&by_name, g->d->missing + 1, g->error)) return false;
    for (size_t i = 0; i < g->d->missing; i++) (void)names_enter(&by_name, g->d->gaps, i);
    for (size_t i = 0; ok && i < g->d->unexpected_count; i++) {
        const numel_tensor *t = &g->m->ck->registry.tensors[g->d->unexpected[i]];
        if (t->name.n < p->found.n || memcmp(t->name.p, p->found.p, p->found.n) != 0) continue;
        numel_str rest = text_from(t->name, p->found.n);
        numel_str whole = arena_join(&g->scratch, p->expected, rest, text_of(""));
        if (!whole.p) ok = error_nomem(g->error);
        uint32_t at = ok ? names_find(&by_name, g->d->gaps, whole) : NAMES_ABSENT;
        if (at == NAMES_ABSENT || !same_dims(&g->d->gaps[at], t)) continue;
        ++*n;
        change_mark(g, at, cause);
        change_mark(g, g->out->gap_count + i, cause);
    }
    names_done(&by_name);
    return ok;
}

NUMEL_MUST static const char *prefix_text(struct changing *g, const struct prefixes *p, size_t n)
{
    char number[TEXT_NUMBER], found[TEXT_QUOTE], expected[TEXT_QUOTE];
    text_number(number, n);
    text_quote(found, p->found);
    text_quote(expected, p->expected);
    if (!p->expected.n)
        return arena_format(g->arena, "%s names begin with the prefix %s, which %s does not have: strip it",
                            number, found, g->m->called);
    if (!p->found.n)
        return arena_format(g->arena, "%s names lack the prefix %s, which %s has: add it", number, expected,
                            g->m->called);
    return arena_format(g->arena, "%s names begin with %s, where %s has %s: rename them", number, found,
                        g->m->called, expected);
}

/* The prefix that most matched names lack; {NULL, 0} if there is none. */
static numel_str lacking(const struct changing *g)
{
    numel_str lacks = { NULL, 0 };
    size_t found = 0, lack = 0;
    for (uint32_t i = 0; i < g->m->x->row_count; i++) {
        const struct model_row r = model_row(g->m, i);
        if (r.tensor == NAMES_ABSENT) continue;
        numel_str name = tensor_name(g, r.tensor);
        size_t n = common_end(name, r.name);
        found++;
        if (n != name.n || n == r.name.n) continue;
        numel_str front = text_less(r.name, n);
        if (!lack) lacks = front;
        lack += text_same(front, lacks);
    }
    return lack >= LEAST && lack * 2 > found ? lacks : (numel_str){ NULL, 0 };
}

/* Names without the prefix are a base class's, which every loader accepts. Whatever is outside the base
 * class is then missing. */
NUMEL_MUST static bool base_class(struct changing *g)
{
    numel_str front = g->d->missing ? lacking(g) : (numel_str){ NULL, 0 };
    char prefix[TEXT_QUOTE], first[TEXT_QUOTE];
    uint32_t cause;
    if (!front.n || g->d->mismatched) return true;
    for (size_t i = 0; i < g->d->missing; i++) {
        numel_str name = g->d->gaps[i].name;
        if (name.n >= front.n && memcmp(name.p, front.p, front.n) == 0) return true;
    }
    const char *text = arena_format(
        g->arena,
        "the names lack the prefix %s: the base class was saved, without the head (%s); save the whole model",
        text_quote(prefix, front), text_quote(first, g->d->gaps[0].name));
    if (!change_add(g, "base-class", text, &cause)) return false;
    for (size_t i = 0; i < g->d->missing; i++) change_mark(g, i, cause);
    return true;
}

bool change_prefixes(struct changing *g)
{
    struct prefixes p;
    size_t n;
    uint32_t cause;
    for (size_t i = 0; i < g->d->missing && i < TRIED && g->d->unexpected_count; i++) {
        if (!guess(g, &g->d->gaps[i], &p)) continue;
        if (!count(g, &p, CHANGE_NONE, &n)) return false;
        if (n < LEAST || n * 2 <= g->d->missing) continue;
        if (!change_loader(g, "names-wrapped", &cause)) return false;
        if (!cause && !change_add(g, "names-differ", prefix_text(g, &p, n), &cause)) return false;
        return count(g, &p, cause, &n);
    }
    return base_class(g);
}
