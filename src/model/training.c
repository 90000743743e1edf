/*
 * training.c -- splits the names of a training checkpoint, and compares what they mean with the shapes.
 *
 * First each name is looked at alone: is it a weight's, or has it one of the words below before or after one?
 * Then the weights are indexed by name, without wrappers, and each other tensor is compared with its weight.
 */
#include "model/training_internal.h"

#include "base/num.h"
#include "base/text.h"
#include "registry/dtype.h"

#include <stdlib.h>
#include <string.h>

/* ---- weights ------------------------------------------------------------------------------ */

static enum training_part part_of(const struct told *x)
{
    return x->word == COPY_WORD     ? TRAINING_COPY
           : x->word == UNTOLD_WORD ? TRAINING_UNTOLD
           : told_weight(x)         ? TRAINING_WEIGHT
                                    : training_word(x->word)->part;
}

/* Number of weights whose names begin with this text. */
static size_t count_starts(const struct taking *g, const char *start)
{
    size_t n = strlen(start), count = 0;
    for (size_t i = 0; i < g->r->count; i++) {
        numel_str s = g->told[i].base;
        count += told_weight(&g->told[i]) && s.n > n && memcmp(s.p, start, n) == 0;
    }
    return count;
}

/* Removes a layer that torch inserts between the parts of a name; `front`: also at its start. */
NUMEL_MUST static bool drop_layer(struct taking *g, numel_str *name, const char *layer, bool front)
{
    size_t n = strlen(layer);
    for (size_t at = 0; at + n < name->n;) {
        bool begins = at == 0 ? front : name->p[at - 1] == '.';
        if (!begins || memcmp(name->p + at, layer, n) != 0) {
            at++;
            continue;
        }
        *name = arena_join(g->arena, (numel_str){ name->p, at }, text_from(*name, at + n), text_of(""));
        if (!name->p) return error_nomem(g->error);
    }
    return true;
}

/* The word of a layer around the whole model precedes all weights, or none. */
NUMEL_MUST static bool drop_layers(struct taking *g)
{
    for (size_t l = 0; l < TRAINING_LAYERS; l++) {
        const char *layer = training_layer_text((unsigned)l);
        bool all = count_starts(g, layer) == g->weight_count;
        for (size_t i = 0; i < g->r->count; i++) {
            struct told *x = &g->told[i];
            if (!x->numbered && !drop_layer(g, &x->base, layer, all || !told_weight(x))) return false;
        }
    }
    return true;
}

/* Removes a wrapper from all weights, once. "model." may belong to the model itself, unless some names
 * have it twice. */
static bool drop_wrapper(struct taking *g)
{
    const char *wrapper;
    for (unsigned w = 0; (wrapper = training_wrapper_text(w)) != NULL; w++) {
        size_t all = g->weight_count ? count_starts(g, wrapper) : 0;
        if (!all || all != g->weight_count) continue;
        if (strcmp(wrapper, "model.") == 0 && !count_starts(g, "model.model.")) continue;
        for (size_t i = 0; i < g->r->count; i++)
            if (told_weight(&g->told[i])) training_drop_one(&g->told[i].base, wrapper);
        return true;
    }
    return false;
}

/* NovoGrad keeps a single number for each weight. */
static bool is_square(const struct told *x)
{
    return x->word < COPY_WORD && strcmp(training_word(x->word)->name, "exp_avg_sq") == 0;
}

static void find_squares(struct taking *g)
{
    size_t all = 0, scalars = 0;
    for (size_t i = 0; i < g->r->count; i++) {
        if (!is_square(&g->told[i])) continue;
        all++;
        scalars += g->r->tensors[i].elements == 1;
    }
    g->scalar_squares = all && scalars == all;
}

static void count_told(struct taking *g)
{
    g->weight_count = g->moments = g->untold = g->copy_count = g->settings = 0;
    for (size_t i = 0; i < g->r->count; i++) {
        const struct told *x = &g->told[i];
        g->weight_count += told_weight(x);
        g->copy_count += x->word == COPY_WORD;
        g->moments += part_of(x) == TRAINING_MOMENT;
        g->untold += x->word == UNTOLD_WORD;
        g->settings += training_settings(x->word) && !x->base.n;
    }
}

/* Without known states, a numbered tensor with an unknown word is a module's own. */
static void be_modules(struct taking *g)
{
    for (size_t i = 0; i < g->r->count; i++) {
        struct told *x = &g->told[i];
        if (x->word == UNTOLD_WORD && x->numbered)
            *x = (struct told){ .base = g->r->tensors[i].name, .word = UINT32_MAX };
    }
    count_told(g);
}

/* Copies of missing weights are the weights. */
static void be_weights(struct taking *g)
{
    for (size_t i = 0; i < g->r->count; i++)
        if (g->told[i].word == COPY_WORD && !g->told[i].numbered) g->told[i].word = UINT32_MAX;
    count_told(g);
}

NUMEL_MUST static bool name_weights(struct taking *g)
{
    size_t n = g->r->count;
    if (!drop_layers(g)) return false;
    while (drop_wrapper(g)) continue;
    if (!g->moments && !g->untold && !g->copy_count) return true; /* nothing looks them up */
    if (!names_reserve(&g->weights, n, g->error)) return false;
    for (size_t i = 0; i < n; i++)
        if (told_weight(&g->told[i])) names_enter(&g->weights, g->told, i);
    return true;
}

uint32_t training_weight(const struct taking *g, numel_str base)
{
    char full[600];
    uint32_t at = names_find(&g->weights, g->told, base);
    for (unsigned round = 0; at == NAMES_ABSENT && round < 4; round++) {
        if (!training_drop_one(&base, "module.") && !training_drop_one(&base, "model.")) break;
        at = names_find(&g->weights, g->told, base);
    }
    numel_str longer = text_join(full, sizeof full, text_of("model."), base, (numel_str){ NULL, 0 });
    return at == NAMES_ABSENT && longer.p ? names_find(&g->weights, g->told, longer) : at;
}

/* ---- shapes ------------------------------------------------------------------------------- */

/* Counts are whole numbers, or floats that hold them exactly up to the end of any training. */
static bool is_count(const numel_tensor *t)
{
    static const char *const names[] = { "F32", "F64", "I64", "I32", "U64", "U32" };
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) found |= strcmp(t->dtype->name, names[i]) == 0;
    return found;
}

/* Moments are floats, or bytes if a quantizer stores them so. A copy may have its weight's type: a batch
 * norm has a count. */
static bool fits_type(enum training_form form, const numel_tensor *t, const numel_tensor *w)
{
    enum dtype_kind kind = dtype_kind(t->dtype);
    bool bytes = form == FORM_BYTES && kind == DTYPE_INTEGER && t->bytes == t->elements;
    bool flag = strcmp(t->dtype->name, "BOOL") == 0;
    if (form == FORM_ONE) return is_count(t);
    if (form == FORM_FLAG) return flag;
    if (form == FORM_SETTING) return flag || is_count(t);
    return bytes || kind == DTYPE_FLOAT || kind == DTYPE_UNKNOWN || (w && kind == dtype_kind(w->dtype));
}

/* Number of axes along which it has one element instead of the weight's; more than w->ndim if it differs
 * in another way. */
static unsigned meaned_axes(const numel_tensor *t, const numel_tensor *w)
{
    unsigned axes = 0;
    for (uint32_t i = 0; i < w->ndim; i++)
        if (t->dims[i] != w->dims[i]) axes += t->dims[i] == 1 ? 1 : w->ndim + 1;
    return axes;
}

/* AdEMAMix keeps a fast and a slow mean in one tensor. */
static bool is_double(const numel_tensor *t, const numel_tensor *w)
{
    return t->ndim == w->ndim + 1 && t->dims[0] == 2 && dims_same(t->dims + 1, w->dims, w->ndim);
}

static bool is_blocks(uint64_t n, uint64_t elements)
{
    return n == (elements + 255) / 256 || n == (elements + 2047) / 2048;
}

/* Does the moment have the shape that one of this weight must have? Adafactor's are means along one of the
 * last two axes. */
bool training_fits(enum training_form form, const numel_tensor *t, const numel_tensor *w)
{
    uint32_t n = w->ndim;
    switch (form) {
    case FORM_SAME: return t->ndim == n && dims_same(t->dims, w->dims, n);
    case FORM_BYTES: return is_double(t, w) || (t->ndim == n && dims_same(t->dims, w->dims, n));
    case FORM_ROWS: return n >= 2 && t->ndim == n - 1 && dims_same(t->dims, w->dims, n - 1);
    case FORM_COLUMNS:
        return n >= 2 && t->ndim == n - 1 && dims_same(t->dims, w->dims, n - 2) &&
               t->dims[n - 2] == w->dims[n - 1];
    case FORM_ROWS_KEPT:
        return n >= 2 && t->ndim == n && dims_same(t->dims, w->dims, n - 1) && t->dims[n - 1] == 1;
    case FORM_COLUMNS_KEPT:
        return n >= 2 && t->ndim == n && dims_same(t->dims, w->dims, n - 2) && t->dims[n - 2] == 1 &&
               t->dims[n - 1] == w->dims[n - 1];
    case FORM_MEANS: return n >= 2 && t->ndim == n && meaned_axes(t, w) == 1;
    case FORM_BLOCKS:
        return is_blocks(t->ndim ? t->dims[t->ndim - 1] : 0, w->elements) &&
               (t->ndim == 1 || (t->ndim == 2 && t->dims[0] == 2));
    case FORM_CODES: return t->ndim == 1 && t->elements == 256;
    default: return t->elements == 1;
    }
}

static enum training_form form_of(const struct taking *g, const struct told *x)
{
    if (x->word == UNTOLD_WORD) return FORM_FACTOR;
    if (x->word == COPY_WORD) return FORM_SAME;
    if (g->scalar_squares && is_square(x)) return FORM_FACTOR;
    return training_word(x->word)->form;
}

static bool has_shape(enum training_form form) { return form == FORM_SAME || form == FORM_BYTES; }

/* ---- by number ---------------------------------------------------------------------------- */

static int by_shape(const numel_tensor *a, const numel_tensor *b)
{
    if (a->ndim != b->ndim) return a->ndim < b->ndim ? -1 : 1;
    for (uint32_t i = 0; i < a->ndim; i++)
        if (a->dims[i] != b->dims[i]) return a->dims[i] < b->dims[i] ? -1 : 1;
    return 0;
}

/* A number stands for one weight. The numbers of each kind are matched with weights of the same shape. */
struct shaped {
    const numel_tensor *t;
    uint64_t number;
    uint32_t kind; /* 0: a weight; 1: states; 2: copies */
};

static int shaped_order(const void *a, const void *b)
{
    const struct shaped *x = a, *y = b;
    int way = by_shape(x->t, y->t);
    if (!way) way = x->kind < y->kind ? -1 : x->kind > y->kind;
    return way ? way : x->number < y->number ? -1 : x->number > y->number;
}

static uint64_t number_of(numel_str s)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s.n; i++) n = n * 10 + (uint64_t)(s.p[i] - '0');
    return n;
}

/* Lists the weights, and for each number the tensors of a weight's own shape. */
static size_t list_shapes(const struct taking *g, struct shaped *list)
{
    size_t n = 0;
    for (size_t i = 0; i < g->r->count; i++) {
        const struct told *x = &g->told[i];
        bool same = !told_weight(x) && x->numbered && has_shape(form_of(g, x));
        if (!told_weight(x) && !same) continue;
        list[n++] = (struct shaped){ &g->r->tensors[i], same ? number_of(x->base) : 0,
                                     told_weight(x)         ? 0
                                     : x->word == COPY_WORD ? 2
                                                            : 1 };
    }
    return n;
}

/* Settles a run of tensors with one shape: numbers in excess of the weights of this shape are OFF. */
static void settle_run(struct taking *g, const struct shaped *run, size_t n)
{
    size_t weights = 0, taken = 0;
    for (size_t i = 0; i < n; i++) {
        weights += run[i].kind == 0;
        if (run[i].kind == 0) continue;
        bool first = i == 0 || run[i - 1].kind != run[i].kind || run[i - 1].number != run[i].number;
        if (i && run[i - 1].kind != run[i].kind) taken = 0;
        taken += first;
        size_t at = (size_t)(run[i].t - g->r->tensors);
        g->t->parts[at] =
            (uint8_t)(taken <= weights || !g->weight_count ? part_of(&g->told[at]) : TRAINING_OFF);
    }
}

NUMEL_MUST static bool settle_numbered(struct taking *g)
{
    const numel_allocator *m = g->arena->memory;
    struct shaped *list = memory_resize(m, NULL, (g->r->count + 1) * sizeof *list);
    if (!list) return error_nomem(g->error);
    size_t n = list_shapes(g, list);
    if (n) qsort(list, n, sizeof *list, shaped_order);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && by_shape(list[from].t, list[to].t) == 0;) to++;
        settle_run(g, list + from, to - from);
    }
    memory_release(m, list);
    return true;
}

/* ---- each against its weight -------------------------------------------------------------- */

/* Is it the step of one weight, whose name has several parts? An optimizer's own step belongs to none. */
static bool is_of_weight(const struct taking *g, const struct told *x)
{
    unsigned dots = 0;
    for (size_t i = 0; i < x->base.n; i++) dots += x->base.p[i] == '.';
    return g->weight_count && (dots || text_ends(x->base, ".weight") || text_ends(x->base, ".bias"));
}

static enum training_part settle(const struct taking *g, size_t i)
{
    const struct told *x = &g->told[i];
    const numel_tensor *t = &g->r->tensors[i];
    if (told_weight(x)) return TRAINING_WEIGHT;
    uint32_t at = g->weight_count && !x->numbered ? training_weight(g, x->base) : NAMES_ABSENT;
    const numel_tensor *w = at == NAMES_ABSENT ? NULL : &g->r->tensors[at];
    if (x->word == UNTOLD_WORD) return w || x->numbered ? TRAINING_UNTOLD : TRAINING_OFF;
    if (!fits_type(form_of(g, x), t, w)) return TRAINING_OFF;
    if (form_of(g, x) >= FORM_ONE)
        return t->elements == 1 && (w || !is_of_weight(g, x)) ? TRAINING_STEP : TRAINING_OFF;
    if (x->numbered) /* other forms of a number depend on one of its weight's shape */
        return has_shape(form_of(g, x)) ? (enum training_part)g->t->parts[i] : part_of(x);
    if (!g->weight_count) return part_of(x);
    return w && training_fits(form_of(g, x), t, w) ? part_of(x) : TRAINING_OFF;
}

/* Without weights, the moments of one weight must have the same shape. */
NUMEL_MUST static bool settle_alone(struct taking *g)
{
    struct names bases;
    names_init(&bases, g->arena->memory, sizeof *g->told);
    bool ok = names_reserve(&bases, g->r->count, g->error);
    for (size_t i = 0; ok && i < g->r->count; i++) {
        const struct told *x = &g->told[i];
        if (g->t->parts[i] != TRAINING_MOMENT || !has_shape(form_of(g, x))) continue;
        uint32_t first = names_enter(&bases, g->told, i);
        if (!training_fits(FORM_SAME, &g->r->tensors[i], &g->r->tensors[first]))
            g->t->parts[i] = TRAINING_OFF;
    }
    names_done(&bases);
    return ok;
}

NUMEL_MUST static bool settle_all(struct taking *g)
{
    struct training *t = g->t;
    if (!settle_numbered(g)) return false;
    for (size_t i = 0; i < g->r->count; i++) t->parts[i] = (uint8_t)settle(g, i);
    if ((!g->weight_count && !settle_alone(g)) || !training_settle_sets(g)) return false;
    for (size_t i = 0; i < g->r->count; i++) {
        struct training_sum *s = &t->sums[t->parts[i]];
        s->tensors++;
        if (!num_add(&s->elements, s->elements, g->r->tensors[i].elements) ||
            !num_add(&s->bytes, s->bytes, g->r->tensors[i].bytes))
            return error_set(g->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE,
                             "sums of the parts do not fit in 64 bits");
    }
    return true;
}

/* ---- the view ----------------------------------------------------------------------------- */

bool training_hides(numel_str name) { return name.n && name.p[0] == 1; }

static bool is_renamed(const struct taking *g)
{
    for (size_t i = 0; i < g->r->count; i++)
        if (told_weight(&g->told[i]) && !text_same(g->told[i].base, g->r->tensors[i].name)) return true;
    return false;
}

NUMEL_MUST static bool make_view(struct taking *g)
{
    struct training *t = g->t;
    registry_init(&t->own, g->arena);
    t->view = &t->own;
    for (size_t i = 0; i < g->r->count; i++) {
        numel_tensor x = g->r->tensors[i];
        char *hidden = t->parts[i] == TRAINING_WEIGHT ? NULL : arena_format(g->arena, "\x01%zu", i);
        if (!hidden && t->parts[i] != TRAINING_WEIGHT) return error_nomem(g->error);
        x.name = hidden ? text_of(hidden) : g->told[i].base;
        if (!registry_add(&t->own, &x, g->error)) return false;
    }
    return registry_commit_firsts(&t->own, g->error);
}

/* Is the evidence more than an accident: moments, or copies of half of the weights? */
static bool is_evident(const struct taking *g)
{
    const struct training_sum *s = g->t->sums;
    bool states = s[TRAINING_MOMENT].tensors > 0 || s[TRAINING_UNTOLD].tensors > 0 ||
                  (g->settings && s[TRAINING_WEIGHT].tensors);
    return states || (s[TRAINING_COPY].tensors && s[TRAINING_COPY].tensors * 2 >= s[TRAINING_WEIGHT].tensors);
}

NUMEL_MUST static bool take(struct taking *g)
{
    struct training *t = g->t;
    count_told(g);
    find_squares(g);
    if (g->untold && !g->moments) be_modules(g);
    if (!g->weight_count && !g->moments && g->copy_count) be_weights(g);
    if (!name_weights(g)) return false;
    bool renamed = is_renamed(g);
    if (!g->moments && !g->untold && !g->copy_count && !g->settings && !renamed) return true;
    t->parts = arena_alloc(g->arena, g->r->count + 1);
    if (!t->parts) return error_nomem(g->error);
    memset(t->parts, 0, g->r->count + 1);
    if (!settle_all(g)) return false;
    t->any = is_evident(g);
    t->alone = t->any && !g->weight_count;
    t->wrapped = renamed;
    if (!t->any) memset(t->parts, 0, g->r->count + 1);
    for (size_t i = 0; !t->any && i < g->r->count; i++)
        if (!told_weight(&g->told[i]))
            g->told[i] = (struct told){ .base = g->r->tensors[i].name, .word = UINT32_MAX };
    return (!t->any && !renamed) || make_view(g);
}

bool training_make(struct training *t, const struct registry *r, struct arena *a, numel_error *e)
{
    struct taking g = { .t = t, .r = r, .arena = a, .error = e };
    *t = (struct training){ .view = r };
    if (training_plain(&g)) return true;
    g.told = memory_resize(a->memory, NULL, (r->count + 1) * sizeof *g.told);
    if (!g.told) return error_nomem(e);
    names_init(&g.weights, a->memory, sizeof *g.told);
    for (size_t i = 0; i < r->count; i++) training_tell(&g, &g.told[i], &r->tensors[i]);
    bool ok = take(&g);
    names_done(&g.weights);
    memory_release(a->memory, g.told);
    return ok;
}

void training_done(struct training *t)
{
    if (t->own.memory) registry_done(&t->own);
}

const char *training_name(enum training_part p)
{
    static const char *const names[TRAINING_PARTS] = { "weights", "optimizer", "ema",
                                                       "steps",   "unmatched", "unknown" };
    return names[p];
}
