/*
 * training_sets.c -- checks that an optimizer's states of each weight are complete.
 *
 *     exp_avg, exp_avg_sq, step                for each weight
 *     exp_avg_sq_row, exp_avg_sq_col, step     for two axes; exp_avg_sq, step for one
 *     momentum_buffer                          for weights that Muon updates; the first three for the others
 *
 * All weights with the same number of axes have the same states. Groups of weights that are updated in
 * another way have other states, but never a subset: a weight with a subset is incomplete, and its states
 * become OFF. Some words require another word, whatever the other weights have. For weights of one type, a
 * moment has one type.
 */
#include "model/training_internal.h"

#include "base/text.h"
#include "registry/dtype.h"

#include <string.h>

enum { WORD_SETS = 2, KINDS = 256 };

struct kept {
    uint64_t all[WORD_SETS], words[WORD_SETS]; /* by word; `words` without those that small weights lack */
    uint32_t ndim;                             /* of the largest of its tensors */
    bool moments, off;
    const numel_tensor *same, *rows, *columns; /* for a number: a moment of the weight's shape, and means */
    enum training_form means[2];               /* of both */
};

struct sets {
    struct taking *g;
    struct names bases;
    struct kept *kept; /* by the first tensor of a base */
    struct kept kinds[KINDS];
    size_t kind_count;
    bool more; /* more kinds than any optimizer has */
};

static bool is_state(const struct told *x) { return x->word < COPY_WORD && x->base.n; }

static void mark(uint64_t *words, unsigned word)
{
    if (word / 64 < WORD_SETS) words[word / 64] |= UINT64_C(1) << word % 64;
}

static bool has(const uint64_t *words, unsigned word)
{
    return word / 64 < WORD_SETS && words[word / 64] >> word % 64 & 1;
}

static bool is_any(const uint64_t *words) { return words[0] || words[1]; }

static struct kept *kept_of(const struct sets *s, size_t i)
{
    uint32_t at = names_find(&s->bases, s->g->told, s->g->told[i].base);
    return at == NAMES_ABSENT ? NULL : &s->kept[at];
}

/* The number of axes of the weight; from the shape of a moment if only a number is known. */
static uint32_t axes_of(const struct taking *g, size_t i)
{
    const struct told *x = &g->told[i];
    uint32_t at = x->numbered ? NAMES_ABSENT : training_weight(g, x->base), n = g->r->tensors[i].ndim;
    if (at != NAMES_ABSENT) return g->r->tensors[at].ndim;
    switch (training_word(x->word)->form) {
    case FORM_SAME: return g->r->tensors[i].elements > 1 ? n : 0;
    case FORM_ROWS:
    case FORM_COLUMNS: return n + 1;
    case FORM_ROWS_KEPT:
    case FORM_COLUMNS_KEPT:
    case FORM_MEANS: return n;
    default: return 0;
    }
}

static void keep_shapes(struct kept *k, enum training_form form, const numel_tensor *t)
{
    if (form == FORM_SAME) k->same = t;
    if (form == FORM_ROWS || form == FORM_ROWS_KEPT) k->rows = t, k->means[0] = form;
    if (form == FORM_COLUMNS || form == FORM_COLUMNS_KEPT) k->columns = t, k->means[1] = form;
}

NUMEL_MUST static bool gather(struct sets *s)
{
    struct taking *g = s->g;
    names_init(&s->bases, g->arena->memory, sizeof *g->told);
    if (!names_reserve(&s->bases, g->r->count, g->error)) return false;
    for (size_t i = 0; i < g->r->count; i++) {
        const struct told *x = &g->told[i];
        if (!is_state(x)) continue;
        struct kept *k = &s->kept[names_enter(&s->bases, g->told, i)];
        const struct training_word *w = training_word(x->word);
        mark(k->all, x->word);
        if (w->form != FORM_BLOCKS && w->form != FORM_CODES) mark(k->words, x->word);
        k->moments |= w->part == TRAINING_MOMENT;
        if (axes_of(g, i) > k->ndim) k->ndim = axes_of(g, i);
        if (x->numbered) keep_shapes(k, w->form, &g->r->tensors[i]);
    }
    return true;
}

/* ---- one held against the others ----------------------------------------------------------- */

static bool same_words(const struct kept *a, const struct kept *b)
{
    return memcmp(a->words, b->words, sizeof a->words) == 0;
}

static bool is_part_of(const struct kept *a, const struct kept *b)
{
    for (unsigned i = 0; i < WORD_SETS; i++)
        if (a->words[i] & ~b->words[i]) return false;
    return !same_words(a, b);
}

static void list_kinds(struct sets *s)
{
    for (size_t i = 0; i < s->g->r->count; i++) {
        const struct kept *k = &s->kept[i];
        size_t n = 0;
        if (!is_any(k->words)) continue; /* not the first of a base */
        while (n < s->kind_count && (s->kinds[n].ndim != k->ndim || !same_words(&s->kinds[n], k))) n++;
        if (n < s->kind_count) continue;
        if (s->kind_count == KINDS) s->more = true;
        else s->kinds[s->kind_count++] = *k;
    }
}

/* Is there only a step for the weight, although the optimizer keeps moments? */
static bool is_idle(const struct sets *s, const struct told *x, const struct kept *k)
{
    bool of_weight = x->numbered || training_weight(s->g, x->base) != NAMES_ABSENT;
    return !k->moments && of_weight && s->g->moments;
}

static bool is_incomplete(const struct sets *s, const struct told *x, const struct kept *k)
{
    bool part = s->more || is_idle(s, x, k);
    for (size_t i = 0; k->moments && i < s->kind_count && !part; i++)
        part = (!k->ndim || s->kinds[i].ndim == k->ndim) && is_part_of(k, &s->kinds[i]);
    return part;
}

static void find_incomplete(struct sets *s)
{
    for (size_t i = 0; i < s->g->r->count; i++) {
        struct kept *k = &s->kept[i];
        if (is_any(k->all)) k->off = is_incomplete(s, &s->g->told[i], k);
    }
}

/* ---- words that need another --------------------------------------------------------------- */

/* A state is in bytes exactly if its scales are stored with it. For small weights, bitsandbytes keeps
 * floats. */
static bool lacks_scales(const struct sets *s, size_t i, const struct names *scales)
{
    const numel_tensor *t = &s->g->r->tensors[i];
    bool bytes = t->bytes == t->elements;
    return bytes == (names_find(scales, s->g->told, s->g->told[i].base) == NAMES_ABSENT);
}

NUMEL_MUST static bool enter_word(struct taking *g, struct names *list, unsigned word)
{
    names_init(list, g->arena->memory, sizeof *g->told);
    if (!names_reserve(list, g->r->count, g->error)) return false;
    for (size_t i = 0; i < g->r->count; i++)
        if (g->told[i].word == word && g->told[i].base.n) names_enter(list, g->told, i);
    return true;
}

NUMEL_MUST static bool find_unscaled(struct sets *s)
{
    static const char *const scaled[][2] = { { "state1", "absmax1" }, { "state2", "absmax2" } };
    bool ok = true;
    for (size_t k = 0; ok && k < sizeof scaled / sizeof *scaled; k++) {
        struct names scales;
        unsigned state = training_word_of(text_of(scaled[k][0]), true);
        ok = enter_word(s->g, &scales, training_word_of(text_of(scaled[k][1]), true));
        for (size_t i = 0; ok && i < s->g->r->count; i++)
            if (s->g->told[i].word == state && s->g->told[i].base.n && lacks_scales(s, i, &scales))
                s->g->t->parts[i] = TRAINING_OFF;
        names_done(&scales);
    }
    return ok;
}

static void find_widowed(struct sets *s)
{
    for (size_t i = 0; i < s->g->r->count; i++) {
        const struct told *x = &s->g->told[i];
        struct kept *k = is_state(x) ? kept_of(s, i) : NULL;
        for (unsigned n = 0; k && n < 2; n++) {
            const char *with = training_word(x->word)->with[n];
            if (with && !has(k->all, training_word_of(text_of(with), true))) k->off = true;
        }
    }
}

/* ---- means of a number's ------------------------------------------------------------------- */

static bool are_means_of(const struct kept *k, const numel_tensor *w)
{
    return training_fits(k->means[0], k->rows, w) && training_fits(k->means[1], k->columns, w);
}

/* Are they means of some weight? It is unknown which. */
static bool are_means(const struct kept *k, const numel_tensor *const *shapes, size_t count)
{
    if (k->same) return are_means_of(k, k->same);
    size_t i = 0;
    while (i < count && !are_means_of(k, shapes[i])) i++;
    return i < count;
}

static size_t list_weights(const struct taking *g, const numel_tensor **shapes)
{
    size_t count = 0;
    for (size_t i = 0; i < g->r->count && count < KINDS; i++) {
        const numel_tensor *t = &g->r->tensors[i];
        size_t n = told_weight(&g->told[i]) && t->ndim >= 2 ? 0 : count;
        while (n < count && (shapes[n]->ndim != t->ndim || !dims_same(shapes[n]->dims, t->dims, t->ndim)))
            n++;
        if (n == count && told_weight(&g->told[i]) && t->ndim >= 2) shapes[count++] = t;
    }
    return count;
}

static void find_strange_means(struct sets *s)
{
    const numel_tensor *shapes[KINDS];
    size_t count = list_weights(s->g, shapes);
    for (size_t i = 0; i < s->g->r->count; i++) {
        struct kept *k = &s->kept[i];
        if (k->rows && k->columns && (k->same || s->g->weight_count)) k->off |= !are_means(k, shapes, count);
    }
}

/* ---- types --------------------------------------------------------------------------------- */

struct typed {
    const numel_dtype *weight, *moment;
    unsigned word;
};

static bool is_typed(const struct told *x)
{
    return is_state(x) && !x->numbered && training_word(x->word)->part == TRAINING_MOMENT &&
           training_word(x->word)->form != FORM_BYTES;
}

static void find_retyped(struct sets *s)
{
    enum { TYPES = 128 };
    struct typed seen[TYPES];
    size_t count = 0;
    for (size_t i = 0; i < s->g->r->count; i++) {
        const struct told *x = &s->g->told[i];
        uint32_t at = is_typed(x) ? training_weight(s->g, x->base) : NAMES_ABSENT;
        if (at == NAMES_ABSENT) continue;
        const numel_dtype *w = s->g->r->tensors[at].dtype, *m = s->g->r->tensors[i].dtype;
        size_t n = 0;
        while (n < count && (seen[n].word != x->word || seen[n].weight != w)) n++;
        if (n == count && count < TYPES) seen[count++] = (struct typed){ w, m, x->word };
        else if (n < count && seen[n].moment != m) s->g->t->parts[i] = TRAINING_OFF;
    }
}

/* ---- all ----------------------------------------------------------------------------------- */

static void leave_out(struct sets *s)
{
    for (size_t i = 0; i < s->g->r->count; i++) {
        const struct kept *k = is_state(&s->g->told[i]) ? kept_of(s, i) : NULL;
        if (k && k->off) s->g->t->parts[i] = TRAINING_OFF;
    }
}

bool training_settle_sets(struct taking *g)
{
    struct sets *s = arena_alloc(g->arena, sizeof *s);
    if (!s) return error_nomem(g->error);
    *s = (struct sets){ .g = g };
    s->kept = memory_resize(g->arena->memory, NULL, (g->r->count + 1) * sizeof *s->kept);
    if (!s->kept) return error_nomem(g->error);
    memset(s->kept, 0, (g->r->count + 1) * sizeof *s->kept);
    bool ok = gather(s);
    if (ok) {
        list_kinds(s);
        find_incomplete(s);
        find_widowed(s);
        find_strange_means(s);
        find_retyped(s);
        leave_out(s);
        ok = find_unscaled(s);
    }
    names_done(&s->bases);
    memory_release(g->arena->memory, s->kept);
    return ok;
}
