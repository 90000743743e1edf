/*
 * line.c -- lines grow in an arena. Each sum is checked when it is made, and again when it is closed.
 *
 * A tally has few lines, so a linear search finds the line of a code.
 */
#include "statement/line.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void tally_init(struct tally *t, struct arena *a, numel_error *e)
{
    *t = (struct tally){ .arena = a, .error = e };
}

struct tally_line *tally_find(const struct tally *t, const struct line_code *code)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->lines[i]->code == code) return t->lines[i];
    return NULL;
}

NUMEL_MUST static bool make_room(struct tally *t)
{
    enum { FEW = 16 };
    if (t->count < t->cap) return true;
    size_t cap = t->cap ? 2 * t->cap : FEW;
    struct tally_line **lines = arena_alloc(t->arena, cap * sizeof(struct tally_line *));
    if (!lines) return error_nomem(t->error);
    for (size_t i = 0; i < t->count; i++) lines[i] = t->lines[i];
    t->lines = lines;
    t->cap = cap;
    return true;
}

struct tally_line *tally_new(struct tally *t, const struct line_code *code)
{
    if (!error_free(t->error) || !make_room(t)) return NULL;
    struct tally_line *l = arena_alloc(t->arena, sizeof *l);
    if (!l) return error_nomem(t->error), NULL;
    *l = (struct tally_line){ .code = code, .cause = code->text, .explains = code->explains };
    return t->lines[t->count++] = l;
}

struct tally_line *tally_line(struct tally *t, const struct line_code *code)
{
    struct tally_line *l = tally_find(t, code);
    if (l) return error_free(t->error) ? l : NULL;
    return tally_new(t, code);
}

NUMEL_MUST static bool too_large(struct tally *t)
{
    return error_set(t->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the sums do not fit in 63 bits");
}

bool tally_sum(struct tally *t, int64_t *sum, uint64_t plus, uint64_t minus)
{
    int64_t change;
    if (__builtin_sub_overflow(plus, minus, &change) || __builtin_add_overflow(*sum, change, sum))
        return too_large(t);
    return error_free(t->error);
}

void line_name(struct tally_line *l, numel_str name)
{
    if (l->names++ == 0) l->first = name;
}

void line_rests(struct tally_line *l, enum ground ground)
{
    if (!l) return;
    if (l->tensors <= 1 || ground < l->ground) l->ground = ground;
    l->unchecked += ground == GROUND_NAME;
}

struct tally_line *tally_add(struct tally *t, const struct line_code *code, numel_str name, uint64_t plus,
                             uint64_t minus)
{
    struct tally_line *l = tally_line(t, code);
    if (!l || !tally_sum(t, &l->elements, plus, minus)) return NULL;
    if (!name.p) return l;
    line_name(l, name);
    l->tensors++;
    return l;
}

void tally_sort(struct tally *t, size_t from,
                int (*compare)(const struct tally_line *, const struct tally_line *))
{
    for (size_t i = from + 1; i < t->count; i++) { /* stable; lines are few and mostly sorted */
        struct tally_line *l = t->lines[i];
        size_t k = i;
        for (; k > from && compare(t->lines[k - 1], l) > 0; k--) t->lines[k] = t->lines[k - 1];
        t->lines[k] = l;
    }
}

/* ---- closing ------------------------------------------------------------------------------ */

const char *name_shown(struct arena *a, numel_str name)
{
    char shown[TEXT_QUOTE];
    text_bare(shown, name);
    return arena_text(a, shown, strlen(shown));
}

const char *names_and_more(struct arena *a, numel_str first, uint64_t names)
{
    char more[TEXT_NUMBER];
    if (names == 0) return "";
    const char *name = name_shown(a, first);
    if (!name || names == 1) return name;
    return arena_format(a, "%s and %s more", name, text_number(more, names - 1));
}

NUMEL_MUST static const char *detail_of(struct arena *a, const struct tally_line *l)
{
    const char *names = names_and_more(a, l->first, l->names);
    if (!names || !l->note || !l->note[0]) return names;
    return arena_format(a, "%s%s%s", names, names[0] ? "; " : "", l->note);
}

bool tally_close(struct tally *t, uint64_t plus, uint64_t minus, int64_t *left)
{
    int64_t sum = 0, total = 0;
    *left = 0;
    if (!tally_sum(t, &total, plus, minus)) return false;
    for (size_t i = 0; i < t->count; i++) {
        struct tally_line *l = t->lines[i];
        if (__builtin_add_overflow(sum, l->elements, &sum)) return too_large(t);
        if (!l->detail) l->detail = detail_of(t->arena, l);
        if (!l->detail) return error_nomem(t->error);
    }
    return !__builtin_sub_overflow(total, sum, left) || too_large(t);
}

const struct line_code line_unexplained = { "unexplained", "unexplained", false };

bool tally_rest(struct tally *t, int64_t left)
{
    struct tally_line *l = left ? tally_new(t, &line_unexplained) : NULL;
    if (l) l->elements = left, l->detail = "";
    return error_free(t->error);
}
