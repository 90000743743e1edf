/*
 * change_kinds.c -- groups differences: missing layers and experts, a kind of tensor that every layer lacks,
 * kinds with another shape, kinds that are not expected.
 */
#include "subject/change_internal.h"

#include <stdlib.h>

/* Tensors with the same key: "model.layers.2", "model.layers.*.experts.5",
 * "model.layers.*.mlp.up_proj.weight". */
struct kind {
    numel_str key; /* first, as names.h requires */
    uint32_t expected, open;
    size_t first; /* the first open difference */
};

struct kinds {
    struct kind *items;
    size_t count, cap;
    struct names by_key;
};

enum level { LAYER, EXPERT, KIND };

/* ---- keys --------------------------------------------------------------------------------- */

/* Where the n-th number between dots ends, counting from 1; 0 if there are fewer numbers. */
static size_t behind_number(numel_str name, unsigned n)
{
    for (size_t i = 0, from = 0; i <= name.n; i++) {
        if (i < name.n && name.p[i] != '.') continue;
        numel_str part = text_slice(name, from, i);
        if (text_is_number(part) && --n == 0) return i;
        from = i + 1;
    }
    return 0;
}

/* {NULL, 0} if the name has too few numbers, or for NOMEM (b->failed). */
static numel_str key_of(struct buffer *b, numel_str name, enum level level)
{
    size_t first = behind_number(name, 1), second = behind_number(name, 2);
    b->n = 0;
    if (level == LAYER) return first ? (numel_str){ name.p, first } : (numel_str){ NULL, 0 };
    if (level == EXPERT && (!second || !first)) return (numel_str){ NULL, 0 };
    if (level == KIND) text_starred(b, name);
    if (level == EXPERT) {
        text_starred(b, (numel_str){ name.p, first });
        buffer_add(b, name.p + first, second - first);
    }
    return (numel_str){ b->p, b->n };
}

NUMEL_MUST static bool kind_of(struct changing *g, struct kinds *all, struct buffer *b, numel_str name,
                               enum level level, struct kind **out)
{
    numel_str key = key_of(b, name, level);
    *out = NULL;
    if (b->failed) return error_nomem(g->error);
    if (!key.n) return true;
    uint32_t at = names_find(&all->by_key, all->items, key);
    if (at == NAMES_ABSENT) {
        void *p = all->items;
        char *text = arena_text(&g->scratch, key.p, key.n);
        if (!text) return error_nomem(g->error);
        if (!memory_grow(g->scratch.memory, &p, &all->cap, all->count + 1, sizeof *all->items, g->error))
            return false;
        all->items = p;
        all->items[all->count] = (struct kind){ .key = { text, key.n }, .first = SIZE_MAX };
        if (!names_reserve(&all->by_key, all->count + 1, g->error)) return false;
        at = names_enter(&all->by_key, all->items, all->count++);
    }
    *out = &all->items[at];
    return true;
}

static bool is_missing(const struct changing *g, size_t i) { return i < g->d->missing; }

/* Makes the kinds at that level. The differences are [from, to). */
NUMEL_MUST static bool kinds_make(struct changing *g, struct kinds *all, enum level level, size_t from,
                                  size_t to)
{
    struct buffer b;
    struct kind *k;
    bool ok = true;
    *all = (struct kinds){ .items = NULL };
    names_init(&all->by_key, g->scratch.memory, sizeof *all->items);
    buffer_init(&b, g->scratch.memory);
    for (uint32_t i = 0; ok && i < g->m->x->row_count; i++) {
        const struct model_row r = model_row(g->m, i);
        if (r.tensor == NAMES_ABSENT && !r.missing) continue;
        ok = kind_of(g, all, &b, r.name, level, &k);
        if (ok && k) k->expected++;
    }
    for (size_t i = from; ok && i < to; i++) {
        if (!change_is_open(g, i)) continue;
        ok = kind_of(g, all, &b, change_name_of(g, i), level, &k);
        if (ok && k && k->first == SIZE_MAX) k->first = i;
        if (ok && k) k->open++;
    }
    buffer_done(&b);
    return ok;
}

static void kinds_done(struct changing *g, struct kinds *all)
{
    names_done(&all->by_key);
    memory_release(g->scratch.memory, all->items);
}

/* ---- words -------------------------------------------------------------------------------- */

/* Ascending numbers as text: "2", "2 and 3", "4 to 7", "1, 4 and 9 to 11". */
NUMEL_MUST static const char *change_numbers(struct arena *a, const uint32_t *n, size_t count)
{
    struct buffer b;
    buffer_init(&b, a->memory);
    for (size_t i = 0; i < count;) {
        size_t k = i;
        while (k + 1 < count && n[k + 1] == n[k] + 1) k++;
        const char *sep = i == 0 ? "" : k + 1 < count ? ", " : " and ";
        if (k == i) buffer_format(&b, "%s%" PRIu32, sep, n[i]);
        else if (k == i + 1 && i == 0 && k + 1 == count)
            buffer_format(&b, "%" PRIu32 " and %" PRIu32, n[i], n[k]);
        else buffer_format(&b, "%s%" PRIu32 " to %" PRIu32, sep, n[i], n[k]);
        i = k + 1;
    }
    return buffer_keep(&b, a);
}

/* The noun for the numbers after a front: "layer" for "model.layers.". */
static const char *noun_of(numel_str front)
{
    static const char *const nouns[][2] = {
        { "layers.", "layer" }, { "layer.", "layer" },  { "h.", "layer" },        { "blk.", "block" },
        { "block.", "block" },  { "blocks.", "block" }, { "experts.", "expert" }, { "resblocks.", "block" },
    };
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++)
        if (text_ends(front, nouns[i][0])) return nouns[i][1];
    return NULL;
}

static uint32_t number_at_end(numel_str key, numel_str *front)
{
    size_t at = key.n;
    uint32_t n = 0;
    while (at && key.p[at - 1] >= '0' && key.p[at - 1] <= '9') at--;
    *front = (numel_str){ key.p, at };
    for (; at < key.n && n < UINT32_MAX / 10 - 1; at++) n = n * 10 + (uint32_t)(key.p[at] - '0');
    return n;
}

/* ---- whole layers, whole experts ---------------------------------------------------------- */

static bool is_gone(const struct kind *k) { return k->open && k->open >= k->expected; }

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* "layers 2 and 3 are missing", "experts 4 to 7 are missing in each layer", "all 12 ... are missing" */
NUMEL_MUST static const char *gone_text(struct changing *g, numel_str front, const uint32_t *n, size_t count,
                                        bool all, uint64_t tensors)
{
    char shown[TEXT_QUOTE], number[TEXT_COUNT];
    const char *noun = noun_of(front), *list = change_numbers(&g->scratch, n, count);
    const char *be = count == 1 ? "is" : "are";
    if (!list) return NULL;
    text_quote(shown, front);
    text_count(number, tensors, "tensor");
    if (all) return arena_format(g->arena, "all %s that begin with %s are missing", number, shown);
    if (!noun) return arena_format(g->arena, "%s%s %s missing (%s)", shown, list, be, number);
    bool expert = strcmp(noun, "expert") == 0;
    return arena_format(g->arena, "%s%s %s %s missing%s (%s that begin with %s)", noun, count == 1 ? "" : "s",
                        list, be, expert ? " in each layer" : "", number, shown);
}

NUMEL_MUST static bool mark_front(struct changing *g, const struct kinds *all, numel_str front,
                                  enum level level, uint32_t cause)
{
    struct buffer b;
    numel_str own;
    buffer_init(&b, g->scratch.memory);
    for (size_t i = 0; i < g->d->missing && !b.failed; i++) {
        numel_str key = key_of(&b, change_name_of(g, i), level);
        uint32_t at = key.n ? names_find(&all->by_key, all->items, key) : NAMES_ABSENT;
        if (at == NAMES_ABSENT || !is_gone(&all->items[at])) continue;
        (void)number_at_end(all->items[at].key, &own);
        if (text_same(own, front)) change_mark(g, i, cause);
    }
    bool ok = !b.failed;
    buffer_done(&b);
    return ok || error_nomem(g->error);
}

/* Adds one cause for everything missing after one front. */
NUMEL_MUST static bool tell_front(struct changing *g, struct kinds *all, size_t at, enum level level)
{
    numel_str front, own;
    uint32_t cause, *n = arena_alloc(&g->scratch, all->count * sizeof *n);
    size_t count = 0, others = 0;
    uint64_t tensors = 0;
    if (!n) return error_nomem(g->error);
    (void)number_at_end(all->items[at].key, &front);
    for (size_t i = 0; i < all->count; i++) {
        uint32_t number = number_at_end(all->items[i].key, &own);
        if (!text_same(own, front)) continue;
        others += !is_gone(&all->items[i]);
        if (!is_gone(&all->items[i])) continue;
        n[count++] = number;
        tensors += all->items[i].open;
    }
    qsort(n, count, sizeof *n, by_number);
    const char *text = gone_text(g, front, n, count, !others && count > 1, tensors);
    if (!change_add(g, level == LAYER ? "layers-missing" : "experts-missing", text, &cause)) return false;
    if (cause) g->out->causes[cause - 1].lacks = true;
    return mark_front(g, all, front, level, cause);
}

NUMEL_MUST static bool tell_gone(struct changing *g, enum level level)
{
    struct kinds all;
    bool ok = kinds_make(g, &all, level, 0, g->d->missing);
    for (size_t i = 0; ok && i < all.count; i++) {
        const struct kind *k = &all.items[i];
        if (is_gone(k) && k->open > 1 && change_is_open(g, k->first)) ok = tell_front(g, &all, i, level);
    }
    kinds_done(g, &all);
    return ok;
}

/* ---- kinds -------------------------------------------------------------------------------- */

NUMEL_MUST static bool mark_kind(struct changing *g, numel_str key, size_t from, size_t to, uint32_t cause)
{
    struct buffer b;
    buffer_init(&b, g->scratch.memory);
    for (size_t i = from; i < to && !b.failed; i++)
        if (change_is_open(g, i) && text_same(key_of(&b, change_name_of(g, i), KIND), key))
            change_mark(g, i, cause);
    bool ok = !b.failed;
    buffer_done(&b);
    return ok || error_nomem(g->error);
}

/* Splits "model.layers.*.self_attn.q_proj.bias" into its front, "model.layers.", and the part after the
 * number. */
static bool halves(numel_str key, numel_str *front, numel_str *tail)
{
    const char *star = memchr(key.p, '*', key.n);
    if (!star || star + 2 >= key.p + key.n) return false;
    *front = text_span(key.p, star);
    *tail = text_behind(key, star + 2);
    return true;
}

static bool is_everywhere(const struct kind *k) { return k->open > 1 && k->open >= k->expected; }

/* "each of 32 layers lacks self_attn.q_proj.bias, self_attn.k_proj.bias": everything that each layer with
 * this front lacks. */
NUMEL_MUST static const char *everywhere_text(struct changing *g, struct kinds *all, size_t at)
{
    enum { NAMED = 4 };
    numel_str front, tail, own;
    struct buffer b;
    char shown[TEXT_QUOTE];
    const struct kind *first = &all->items[at];
    unsigned n = 0;
    buffer_init(&b, g->scratch.memory);
    if (!halves(first->key, &front, &tail)) return NULL;
    const char *noun = noun_of(front);
    buffer_format(&b, "each of %" PRIu32 " %ss lacks ", first->open, noun ? noun : "part");
    for (size_t i = at; i < all->count; i++) {
        const struct kind *k = &all->items[i];
        if (!is_everywhere(k) || k->open != first->open || !halves(k->key, &own, &tail)) continue;
        if (!text_same(own, front) || ++n > NAMED) continue;
        buffer_format(&b, "%s%s", n > 1 ? ", " : "", text_bare(shown, tail));
    }
    if (n > NAMED) buffer_format(&b, " and %u more", n - NAMED);
    if (!noun) buffer_format(&b, " (%s)", text_bare(shown, front));
    return buffer_keep(&b, g->arena);
}

NUMEL_MUST static bool tell_everywhere(struct changing *g, struct kinds *all, size_t at)
{
    numel_str front, tail, own;
    uint32_t cause;
    struct kind first = all->items[at];
    if (!halves(first.key, &front, &tail)) return true;
    if (!change_add(g, "kind-missing", everywhere_text(g, all, at), &cause)) return false;
    if (cause) g->out->causes[cause - 1].lacks = true;
    for (size_t i = at; i < all->count; i++) {
        const struct kind *k = &all->items[i];
        if (!is_everywhere(k) || k->open != first.open || !halves(k->key, &own, &tail)) continue;
        if (text_same(own, front) && !mark_kind(g, k->key, 0, g->d->missing, cause)) return false;
    }
    return true;
}

NUMEL_MUST static const char *kind_text(struct changing *g, const struct kind *k)
{
    char name[TEXT_QUOTE], is[TEXT_QUOTE], wanted[TEXT_QUOTE], n[TEXT_COUNT];
    const struct gap *gap = k->first < g->out->gap_count ? &g->d->gaps[k->first] : NULL;
    text_quote(name, k->open == 1 ? change_name_of(g, k->first) : k->key);
    text_count(n, k->open, "tensor");
    if (is_missing(g, k->first))
        return k->open == 1
                   ? arena_format(g->arena, "tensor %s is missing", name)
                   : arena_format(g->arena, "%s of %" PRIu32 " are missing: %s", n, k->expected, name);
    if (!gap) {
        enum cause cause = model_tensor(g->m, g->d->unexpected[k->first - g->out->gap_count]).cause;
        return arena_format(g->arena, "%s %s not expected (%s): %s", n, k->open == 1 ? "is" : "are",
                            cause_text(cause), name);
    }
    const numel_tensor *t = &g->m->ck->registry.tensors[gap->tensor];
    if (gap->fit == FIT_TYPE)
        return arena_format(g->arena, "%s: %s %s the type %.40s, expected %s", name, n,
                            k->open == 1 ? "has" : "have", t->dtype->name, text_bare(wanted, gap->types));
    return arena_format(g->arena, "%s: %s %s the shape %s, expected %s", name, n,
                        k->open == 1 ? "has" : "have", text_dims(is, t->dims, t->ndim),
                        text_dims(wanted, gap->dims, gap->ndim));
}

/* True if so few tensors differ that listing them says more. */
static bool are_few(const struct changing *g, const struct kind *k)
{
    enum { FEW = 3, IN_ALL = 8 };
    return k->open <= FEW && g->out->gap_count + g->out->unexpected_count <= IN_ALL;
}

NUMEL_MUST static bool tell_kind(struct changing *g, const struct kind *k, size_t from, size_t to)
{
    const char *code = is_missing(g, k->first)        ? "tensors-missing"
                       : k->first < g->out->gap_count ? "shapes-differ"
                                                      : "tensors-unexpected";
    uint32_t cause;
    if (!change_add(g, code, kind_text(g, k), &cause) || !mark_kind(g, k->key, from, to, cause)) return false;
    if (cause) g->out->causes[cause - 1].lacks = is_missing(g, k->first);
    if (cause) g->out->causes[cause - 1].alone = k->open == 1 || are_few(g, k);
    return true;
}

NUMEL_MUST static bool tell_kinds(struct changing *g, size_t from, size_t to)
{
    struct kinds all;
    bool ok = kinds_make(g, &all, KIND, from, to);
    for (size_t i = 0; ok && i < all.count; i++) {
        const struct kind *k = &all.items[i];
        if (!k->open || !change_is_open(g, k->first)) continue;
        if (is_missing(g, k->first) && is_everywhere(k)) ok = tell_everywhere(g, &all, i);
        if (ok && change_is_open(g, k->first)) ok = tell_kind(g, k, from, to);
    }
    kinds_done(g, &all);
    return ok;
}

/* ---- tensors in two files ----------------------------------------------------------------- */

static bool is_repeated(const struct changing *g, size_t i)
{
    return change_is_open(g, i) &&
           model_tensor(g->m, g->d->unexpected[i - g->out->gap_count]).cause == CAUSE_REPEATED;
}

NUMEL_MUST static bool tell_repeated(struct changing *g)
{
    size_t from = g->out->gap_count, to = from + g->out->unexpected_count;
    char n[TEXT_COUNT];
    uint64_t count = 0;
    uint32_t cause;
    for (size_t i = from; i < to; i++) count += is_repeated(g, i);
    if (count < 2) return true;
    const char *text = arena_format(g->arena, "%s are in two files", text_count(n, count, "tensor"));
    if (!change_add(g, "tensors-repeated", text, &cause)) return false;
    for (size_t i = from; i < to; i++)
        if (is_repeated(g, i)) change_mark(g, i, cause);
    return true;
}

/* ---- all of it ---------------------------------------------------------------------------- */

/* Adds one cause for all remaining kinds. */
NUMEL_MUST static bool tell_rest(struct changing *g)
{
    uint64_t n = 0;
    size_t all = g->out->gap_count + g->out->unexpected_count;
    char count[TEXT_NUMBER];
    for (size_t i = 0; i < all; i++) n += change_is_open(g, i);
    if (!n || g->out->count >= CHANGE_CAUSES) return true;
    const char *text =
        arena_format(g->arena, "%s more tensor%s", text_number(count, n), n == 1 ? " differs" : "s differ");
    if (!text) return error_nomem(g->error);
    g->out->causes[g->out->count++] = (struct change_cause){ .code = "tensors-differ", .text = text };
    for (size_t i = 0; i < all; i++) change_mark(g, i, g->out->count);
    return true;
}

bool change_kinds(struct changing *g)
{
    size_t gaps = g->out->gap_count, missing = g->m->ck->missing ? 0 : g->d->missing;
    return tell_repeated(g) && (!missing || (tell_gone(g, LAYER) && tell_gone(g, EXPERT))) &&
           tell_kinds(g, 0, missing) && tell_kinds(g, g->d->missing, gaps) &&
           tell_kinds(g, gaps, gaps + g->out->unexpected_count) &&
           (g->out->count < CHANGE_CAUSES - 1 || tell_rest(g));
}
