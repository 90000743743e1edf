/*
 * expected.c -- writing a tree: finds the expected tensor for a module's name.
 *
 * A name is looked up unchanged among the rows of the expansion; the spec's other spellings are tried
 * only if no expected tensor is near its place.
 */
#include "printout/expected.h"

enum {
    NEAR = 2,     /* modules near a tensor: its own, and the outer one */
    SPELLINGS = 2 /* spellings applied in sequence to get from a module's name to a spec's */
};

/* The name with # for each run of digits, in k->text. */
static numel_str collapsed(struct expected *k, numel_str name)
{
    k->text.n = 0;
    for (size_t i = 0; i < name.n; i++) {
        bool digit = name.p[i] >= '0' && name.p[i] <= '9';
        if (!digit) buffer_char(&k->text, name.p[i]);
        else if (buffer_last(&k->text) != '#') buffer_char(&k->text, '#');
    }
    return (numel_str){ k->text.p, k->text.failed ? 0 : k->text.n };
}

/* The name of the outer module; empty at the top. */
static numel_str outer(numel_str name) { return text_less(text_head(name, '.'), 1); }

/* Adds the modules that are near a tensor. */
NUMEL_MUST static bool add_places(struct expected *k, numel_str tensor, numel_error *e)
{
    numel_str p = outer(collapsed(k, tensor));
    for (int i = 0; i < NEAR && p.n; i++, p = outer(p))
        if (names_add(&k->by_place, &k->places, &k->place_count, &k->place_cap, p, &k->arena, e) ==
            NAMES_ABSENT)
            return false;
    return !k->text.failed || error_nomem(e);
}

bool expected_init(struct expected *k, const struct expansion *x, const numel_allocator *m, numel_error *e)
{
    *k = (struct expected){ .x = x };
    names_init(&k->rows, m, sizeof *x->rows);
    names_init(&k->by_place, m, sizeof *k->places);
    arena_init(&k->arena, m);
    buffer_init(&k->text, m);
    if (!names_reserve(&k->rows, x->row_count, e)) return false;
    for (size_t i = 0; i < x->row_count; i++) {
        names_enter(&k->rows, x->rows, i);
        if (x->spec->spelling_count && !add_places(k, x->rows[i].name, e)) return false;
    }
    return true;
}

void expected_done(struct expected *k)
{
    names_done(&k->rows);
    names_done(&k->by_place);
    memory_release(k->arena.memory, k->places);
    buffer_done(&k->text);
    arena_done(&k->arena);
}

const struct site *expected_find(struct expected *k, numel_str name)
{
    uint32_t row = names_find(&k->rows, k->x->rows, name);
    const struct site *s = row == NAMES_ABSENT ? NULL : &k->x->sites[k->x->rows[row].site];
    bool there = s && !s->extra.n && (s->counted || s->tied || s->group != NO_GROUP);
    return there ? s : NULL;
}

/* Is there an expected tensor in one of the near modules? The outermost proves nothing: "model" holds
 * everything. */
static bool is_near(struct expected *k, numel_str tensor)
{
    numel_str p = outer(collapsed(k, tensor));
    for (int i = 0; i < NEAR && memchr(p.p, '.', p.n); i++, p = outer(p))
        if (names_find(&k->by_place, k->places, p) != NAMES_ABSENT) return true;
    return false;
}

/* Applies one spelling, or two in sequence: an older name under another prefix. */
static const struct site *renamed(struct expected *k, numel_str name, int steps)
{
    const struct site *s = NULL;
    for (size_t at = 0; !s;) {
        numel_str other = spec_rename(k->x->spec, name, SPELLED_ANYWHERE, &at, &k->arena);
        if (!other.p) break;
        s = expected_find(k, other);
        if (!s && steps > 1) s = renamed(k, other, steps - 1);
    }
    return s;
}

const struct site *expected_renamed(struct expected *k, numel_str name)
{
    if (!k->x->spec->spelling_count || is_near(k, name)) return NULL;
    struct arena_mark mark = arena_mark(&k->arena);
    const struct site *s = renamed(k, name, SPELLINGS);
    arena_rewind(&k->arena, mark);
    return s;
}
