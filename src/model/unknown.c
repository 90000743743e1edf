/*
 * unknown.c -- terms of an unknown architecture, from its shapes. The leaves of the fold are visited twice:
 * once to find the largest ones and the repeated sizes, once to make their terms. The expression has one
 * bracket for each outermost number of repeats, as in terms.h.
 */
#include "model/unknown.h"

#include "base/num.h"
#include "base/text.h"
#include "registry/fold.h"

#include <stdlib.h>

enum { PIECES = 32, NOTES = 24, TOLD = 4, MISSES = 8, OWN_SIZES = 16, OWN_REPEATS = 4, LEAST_SIZE = 8 };

struct size_seen {
    uint64_t value, times;
};

struct piece { /* one summand of the expression: turns * (sum) */
    struct poly turns, sum;
};

struct inferring {
    struct unknown *out;
    struct arena *arena;
    struct phrases words;
    struct factors factors;
    struct buffer name;
    uint64_t *totals; /* of all leaves; then the smallest that is shown */
    size_t leaf_count, at_least_room;
    uint64_t at_least;
    struct size_seen *sizes; /* of leaves, then of repeats, if the configuration has no names for them */
    size_t size_count, size_cap;
    struct piece pieces[PIECES];
    unsigned piece_count;
    const struct phrase *noted[NOTES];
    unsigned noted_count;
    uint64_t misses[MISSES];
    unsigned miss_count;
    bool more_notes, more_misses, lost;
    uint64_t rest_tensors, rest;
    numel_error *error;
};

typedef bool leaf_fn(struct inferring *g, const struct fold_node *leaf, struct poly outer, struct poly inner);

/* ---- surveying the sizes ------------------------------------------------------------------ */

static bool see(struct inferring *g, uint64_t value, uint64_t times)
{
    void *p = g->sizes;
    if (!memory_grow(g->arena->memory, &p, &g->size_cap, g->size_count + 1, sizeof *g->sizes, g->error))
        return false;
    g->sizes = p;
    g->sizes[g->size_count++] = (struct size_seen){ value, times };
    return true;
}

static bool survey(struct inferring *g, const struct fold_node *node, bool sizes)
{
    for (const struct fold_node *c = node->child; c; c = c->next) {
        if (!sizes && c->repeats > 1 && !see(g, c->repeats, 2)) return false;
        if (!survey(g, c, sizes)) return false;
        if (!c->tensor) continue;
        for (uint32_t i = 0; sizes && i < c->tensor->ndim; i++)
            if (!see(g, c->tensor->dims[i], c->times)) return false;
    }
    return true;
}

static int by_size_down(const void *a, const void *b)
{
    const struct size_seen *x = a, *y = b;
    return x->value > y->value ? -1 : x->value < y->value;
}

/* The largest repeated sizes become symbols: d1, d2, ... or n1, n2, ... */
NUMEL_MUST static bool name_sizes(struct inferring *g, const struct fold_node *root, bool sizes)
{
    unsigned named = 0;
    g->size_count = 0;
    if (!survey(g, root, sizes)) return false;
    if (g->size_count) qsort(g->sizes, g->size_count, sizeof *g->sizes, by_size_down);
    for (size_t i = 0, j; i < g->size_count && named < (sizes ? OWN_SIZES : OWN_REPEATS); i = j) {
        uint64_t times = 0;
        for (j = i; j < g->size_count && g->sizes[j].value == g->sizes[i].value; j++)
            times += g->sizes[j].times > 1 ? 2 : 1;
        if (times < 2 || g->sizes[i].value > INT64_MAX || (sizes && g->sizes[i].value < LEAST_SIZE)) continue;
        const char *name = arena_format(g->arena, "%c%u", sizes ? 'd' : 'n', ++named);
        if (!name) return error_nomem(g->error);
        phrases_add_word(&g->words, name, sizes ? "a size that repeats" : "repeats of names",
                         (int64_t)g->sizes[i].value, !sizes);
    }
    return true;
}

NUMEL_MUST static bool make_words(struct inferring *g, struct config *c, const struct fold_node *root)
{
    const struct config_number *numbers;
    unsigned n;
    if (!config_numbers(c, g->arena, &numbers, &n, g->error)) return false;
    for (unsigned nested = 0; nested < 2; nested++) /* top-level keys get the short names */
        for (unsigned i = 0; i < n; i++)
            if ((strchr(numbers[i].key, '.') != NULL) == nested) phrases_add_number(&g->words, &numbers[i]);
    if (!n && (!name_sizes(g, root, true) || !name_sizes(g, root, false))) return false;
    return phrases_make(&g->words, g->arena, g->error);
}

/* ---- notes -------------------------------------------------------------------------------- */

NUMEL_MUST static bool add_note(struct inferring *g, const char *text)
{
    if (!text) return error_nomem(g->error);
    if (g->out->note_count < NOTES) g->out->notes[g->out->note_count++] = text;
    return true;
}

static bool print_phrase(struct inferring *g, const struct phrase *x, struct buffer *b)
{
    bool used[WORD_COUNT];
    for (unsigned i = 0; i < WORD_COUNT; i++) used[i] = g->words.words[i].used;
    poly_print(&g->factors, phrase_poly(&g->words, &g->factors, x), b);
    for (unsigned i = 0; i < WORD_COUNT; i++) g->words.words[i].used = used[i];
    const struct word_of *w = &g->words.words[x->a];
    bool alone = x->k == 1 && x->b == NO_WORD && !x->m && !x->plus && !x->minus && x->divide < 2;
    if (alone && strcmp(w->name, w->from) != 0) buffer_format(b, " (%s)", w->from);
    return !b->failed && !g->factors.failed;
}

/* "2,880 is E (hidden_size), and also F (intermediate_size)" */
static bool note_ambiguity(struct inferring *g, const struct phrase *x, const struct phrase *const *others,
                           unsigned n)
{
    char number[TEXT_NUMBER];
    struct buffer b;
    for (unsigned i = 0; i < g->noted_count; i++)
        if (g->noted[i] == x) return true;
    if (!n) return true;
    if (g->noted_count == NOTES - 4) return g->more_notes = true;
    g->noted[g->noted_count++] = x;
    buffer_init(&b, g->arena->memory);
    buffer_format(&b, "%s is taken as ", text_number(number, x->value));
    bool ok = print_phrase(g, x, &b);
    for (unsigned i = 0; ok && i < n; i++) {
        buffer_text(&b, i ? ", " : "; it also equals ");
        ok = print_phrase(g, others[i], &b);
    }
    ok = ok && !b.failed ? add_note(g, arena_text(g->arena, b.p, b.n)) : error_nomem(g->error);
    buffer_done(&b);
    return ok;
}

static void note_miss(struct inferring *g, uint64_t value)
{
    unsigned i = 0;
    while (i < g->miss_count && g->misses[i] != value) i++;
    if (value <= 4 || i < g->miss_count) return;
    if (i == MISSES) g->more_misses = true;
    else g->misses[g->miss_count++] = value;
}

static bool say_misses(struct inferring *g)
{
    char number[TEXT_NUMBER];
    struct buffer b;
    if (!g->miss_count) return true;
    buffer_init(&b, g->arena->memory);
    buffer_text(&b, "no formula for");
    for (unsigned i = 0; i < g->miss_count; i++)
        buffer_format(&b, "%s %s", i ? ";" : "", text_number(number, g->misses[i]));
    buffer_text(&b, g->more_misses ? "; and more" : "");
    bool ok = b.failed ? error_nomem(g->error) : add_note(g, arena_text(g->arena, b.p, b.n));
    buffer_done(&b);
    return ok;
}

/* ---- a number in symbols ------------------------------------------------------------------ */

NUMEL_MUST static bool number_poly(struct inferring *g, enum phrase_use use, uint64_t value, struct poly *out)
{
    const struct phrase *others[TOLD];
    unsigned n = TOLD;
    const struct phrase *x = NULL;
    buffer_char(&g->name, 0); /* terminates the name for phrases_find() */
    if (g->name.failed) return error_nomem(g->error);
    buffer_drop(&g->name, 1);
    if (value > 1) x = phrases_find(&g->words, use, value, g->name.p, others, &n);
    if (x) *out = phrase_poly(&g->words, &g->factors, x);
    else if (value <= INT64_MAX) *out = poly_number(&g->factors, (int64_t)value);
    else *out = (struct poly){ .lost = true };
    if (!x) note_miss(g, value);
    if (g->factors.failed) return error_nomem(g->error);
    return !x || note_ambiguity(g, x, others, n);
}

/* Returns the polynomial, or the number if their values differ. */
static struct poly sure(struct inferring *g, struct poly p, uint64_t value)
{
    int64_t v;
    if (poly_value(&g->factors, p, &v) && v >= 0 && (uint64_t)v == value) return p;
    return value <= INT64_MAX ? poly_number(&g->factors, (int64_t)value) : (struct poly){ .lost = true };
}

static const char *poly_text(struct inferring *g, struct poly p, uint64_t value)
{
    struct buffer b;
    buffer_init(&b, g->arena->memory);
    if (p.lost) buffer_format(&b, "%" PRIu64, value);
    else poly_print(&g->factors, p, &b);
    const char *text = b.failed || g->factors.failed ? NULL : arena_text(g->arena, b.p, b.n);
    buffer_done(&b);
    if (!text) error_nomem(g->error);
    return text;
}

/* ---- walking ------------------------------------------------------------------------------ */

NUMEL_MUST static bool walk(struct inferring *g, const struct fold_node *node, struct poly outer,
                            struct poly inner, leaf_fn *each)
{
    for (const struct fold_node *c = node->child; c; c = c->next) {
        size_t length = g->name.n;
        struct poly o = outer, i = inner, turns;
        int64_t one;
        if (length && c->label[0]) buffer_char(&g->name, '.');
        buffer_text(&g->name, c->label);
        if (each && c->repeats > 1 && c->elements >= g->at_least) {
            if (!number_poly(g, PHRASE_REPEATS, c->repeats, &turns)) return false;
            if (poly_is_number(o, &one) && one == 1) o = turns;
            else i = poly_multiply(&g->factors, i, turns);
        }
        if (!walk(g, c, o, i, each)) return false;
        if (c->tensor && !each) g->totals[g->leaf_count++] = c->elements;
        if (c->tensor && each && !each(g, c, o, i)) return false;
        g->name.n = length;
    }
    return !g->name.failed || error_nomem(g->error);
}

static int by_total_down(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

/* Chooses the leaves to show: all above at_least, and at_least_room of those equal to it. */
NUMEL_MUST static bool choose_leaves(struct inferring *g, const struct fold_node *root, size_t tensors)
{
    struct poly none = { .lost = true };
    g->totals = memory_resize(g->arena->memory, NULL, (tensors + 1) * sizeof *g->totals);
    if (!g->totals) return error_nomem(g->error);
    if (!walk(g, root, none, none, NULL)) return false;
    if (g->leaf_count) qsort(g->totals, g->leaf_count, sizeof *g->totals, by_total_down);
    g->at_least_room = UNKNOWN_TERMS;
    if (g->leaf_count <= UNKNOWN_TERMS) return true;
    g->at_least = g->totals[UNKNOWN_TERMS - 1];
    for (size_t i = 0; g->totals[i] > g->at_least; i++) g->at_least_room--;
    return true;
}

/* ---- terms -------------------------------------------------------------------------------- */

static void add_piece(struct inferring *g, struct poly turns, struct poly sum)
{
    unsigned i = 0;
    while (i < g->piece_count && !poly_same(g->pieces[i].turns, turns)) i++;
    if (turns.lost || sum.lost || i == PIECES) {
        g->lost = true;
        return;
    }
    if (i == g->piece_count) g->pieces[g->piece_count++] = (struct piece){ turns, sum };
    else g->pieces[i].sum = poly_add(&g->factors, g->pieces[i].sum, sum);
    g->lost |= g->pieces[i].sum.lost;
}

NUMEL_MUST static bool add_term(struct inferring *g, const struct fold_node *leaf, struct poly each)
{
    struct terms *t = &g->out->terms;
    const char *name = arena_text(g->arena, g->name.p, g->name.n);
    const char *expr = poly_text(g, each, leaf->tensor->elements);
    if (!name || !expr) return error_nomem(g->error);
    t->items[t->count++] = (struct term){ .role = text_of(name),
                                          .expr = expr,
                                          .each = leaf->tensor->elements,
                                          .times = leaf->times,
                                          .total = leaf->elements,
                                          .evidence = EVIDENCE_INFERRED };
    return true;
}

NUMEL_MUST static bool take_leaf(struct inferring *g, const struct fold_node *leaf, struct poly outer,
                                 struct poly inner)
{
    const numel_tensor *t = leaf->tensor;
    bool shown = leaf->elements > g->at_least;
    if (leaf->elements == g->at_least || g->leaf_count <= UNKNOWN_TERMS) {
        shown = g->at_least_room > 0;
        if (shown && g->leaf_count > UNKNOWN_TERMS) g->at_least_room--;
    }
    if (!shown) {
        g->rest_tensors += leaf->times;
        return num_add(&g->rest, g->rest, leaf->elements) ||
               error_set(g->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "too many elements");
    }
    struct poly each = poly_number(&g->factors, 1), dim, all;
    for (uint32_t i = 0; i < t->ndim; i++) {
        if (!number_poly(g, PHRASE_SIZE, t->dims[i], &dim)) return false;
        each = poly_multiply(&g->factors, each, dim);
    }
    each = sure(g, each, t->elements);
    all = poly_multiply(&g->factors, inner, each);
    int64_t a, b;
    bool exact = poly_value(&g->factors, all, &a) && poly_value(&g->factors, outer, &b) &&
                 !__builtin_mul_overflow(a, b, &a) && (uint64_t)a == leaf->elements;
    if (exact) add_piece(g, outer, all);
    else add_piece(g, poly_number(&g->factors, 1), sure(g, (struct poly){ .lost = true }, leaf->elements));
    return add_term(g, leaf, each);
}

NUMEL_MUST static bool add_rest(struct inferring *g)
{
    struct terms *t = &g->out->terms;
    if (!g->rest_tensors) return true;
    const char *name = arena_format(g->arena, "... and %" PRIu64 " smaller tensors", g->rest_tensors);
    struct poly number = sure(g, (struct poly){ .lost = true }, g->rest);
    const char *expr = poly_text(g, number, g->rest);
    if (!name || !expr) return error_nomem(g->error);
    add_piece(g, poly_number(&g->factors, 1), number);
    t->items[t->count++] = (struct term){ .role = text_of(name),
                                          .expr = expr,
                                          .each = g->rest,
                                          .times = 1,
                                          .total = g->rest,
                                          .evidence = EVIDENCE_INFERRED };
    return true;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static bool piece_value(struct inferring *g, const struct piece *p, uint64_t *sum)
{
    int64_t turns, each;
    uint64_t all;
    return poly_value(&g->factors, p->turns, &turns) && poly_value(&g->factors, p->sum, &each) &&
           turns >= 0 && each >= 0 && num_mul(&all, (uint64_t)turns, (uint64_t)each) &&
           num_add(sum, *sum, all);
}

static void print_piece(struct inferring *g, const struct piece *p, struct buffer *b)
{
    int64_t one;
    if (b->n) buffer_text(b, " + ");
    if (poly_is_number(p->turns, &one) && one == 1) {
        poly_print(&g->factors, p->sum, b);
        return;
    }
    buffer_text(b, p->turns.n > 1 ? "(" : "");
    poly_print(&g->factors, p->turns, b);
    buffer_text(b, p->turns.n > 1 ? ")*" : "*");
    buffer_text(b, p->sum.n > 1 ? "(" : "");
    poly_print(&g->factors, p->sum, b);
    buffer_text(b, p->sum.n > 1 ? ")" : "");
}

/* If the expression does not equal the stored number, the number is shown instead. */
NUMEL_MUST static bool express(struct inferring *g, uint64_t stored)
{
    struct buffer b;
    uint64_t sum = 0;
    bool same = !g->lost;
    buffer_init(&b, g->arena->memory);
    for (unsigned i = 0; same && i < g->piece_count; i++) {
        same = piece_value(g, &g->pieces[i], &sum);
        if (same) print_piece(g, &g->pieces[i], &b);
    }
    if (!same || sum != stored || !b.n) {
        b.n = 0;
        buffer_format(&b, "%" PRIu64, stored);
    }
    struct terms *t = &g->out->terms;
    t->expression = b.failed || g->factors.failed ? NULL : arena_text(g->arena, b.p, b.n);
    t->total = stored;
    buffer_done(&b);
    return t->expression || error_nomem(g->error);
}

static void list_symbols(struct inferring *g)
{
    struct terms *t = &g->out->terms;
    for (unsigned i = 0; i < g->words.word_count; i++) {
        const struct word_of *w = &g->words.words[i];
        if (w->used)
            t->symbols[t->symbol_count++] =
                (struct term_symbol){ w->name, w->value, w->from, EVIDENCE_INFERRED };
    }
}

NUMEL_MUST static bool infer_formula(struct inferring *g, const numel_checkpoint *ck, struct config *c,
                                     const struct fold_node *root)
{
    struct poly one;
    if (!make_words(g, c, root) || !choose_leaves(g, root, ck->registry.count)) return false;
    g->name.n = 0;
    one = poly_number(&g->factors, 1);
    if (!walk(g, root, one, one, take_leaf) || !add_rest(g) || !express(g, ck->stored)) return false;
    list_symbols(g);
    if (g->more_notes && !add_note(g, "more sizes have other interpretations")) return false;
    return say_misses(g) &&
           add_note(g,
                    "inferred: expressions that give the right numbers, for names that numel does not know; "
                    "sizes that are equal by chance cannot be told apart");
}

bool unknown_make(struct unknown *u, const numel_checkpoint *ck, struct config *c, struct arena *a,
                  numel_error *e)
{
    struct inferring *g = arena_alloc(a, sizeof *g);
    struct arena work; /* the fold is not needed afterwards */
    struct fold fold;
    *u = (struct unknown){ .notes = arena_alloc(a, NOTES * sizeof *u->notes) };
    u->terms.items = arena_alloc(a, (UNKNOWN_TERMS + 1) * sizeof *u->terms.items);
    u->terms.symbols = arena_alloc(a, WORD_COUNT * sizeof *u->terms.symbols);
    if (!g || !u->notes || !u->terms.items || !u->terms.symbols) return error_nomem(e);
    *g = (struct inferring){ .out = u, .arena = a, .error = e };
    arena_init(&work, a->memory);
    factors_init(&g->factors, a);
    buffer_init(&g->name, a->memory);
    bool ok = fold_build(&fold, &ck->registry, &work, e) && infer_formula(g, ck, c, fold.root);
    if (!ok && g->factors.failed) error_nomem(e);
    buffer_done(&g->name);
    factors_done(&g->factors);
    memory_release(a->memory, g->totals);
    memory_release(a->memory, g->sizes);
    arena_done(&work);
    return ok;
}
