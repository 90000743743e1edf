/*
 * printed_stated.c -- totals stated next to a printed model, and how they were counted.
 *
 * The printed parameters are one sum; tables, 4-bit weights, norms, adapters are choices on top of it
 * (statement/search.h). Reports show the cheapest way that gives the number. If there is none, the number may
 * be of the path or of one module; if not, the nearest way below it may leave the product of two sizes, which
 * looks like a parameter that belongs to no module.
 */
#include "printout/printed_stated.h"

#include "base/num.h"
#include "base/text.h"
#include "model/meaning.h"
#include "statement/search.h"

enum { COPIES = 8, DIMS = 48 };

/* The parts of one printed model that can be counted in more than one way. */
struct single_parts {
    const struct printed_beside *b;
    const struct module *modules;
    uint64_t printed, half; /* half: of the weights in 4-bit layers */
    uint64_t table;         /* elements of a table that is printed more than once */
    unsigned copies;        /* its further copies */
    uint64_t norms, width;  /* norms without a size; the width of the largest table */
    uint64_t adapters;      /* printed in PEFT's modules */
    uint64_t trainable;     /* stated near the number */
    uint64_t dims[DIMS];    /* printed sizes, without duplicates */
    unsigned dim_count;
    struct arena *a;
    numel_error *e;
};

/* ---- parts -------------------------------------------------------------------------------- */

static void add_dims(struct single_parts *w, const struct parameter *q)
{
    for (uint32_t d = 0; d < q->ndim; d++) {
        unsigned i = 0;
        while (i < w->dim_count && w->dims[i] != q->dims[d]) i++;
        if (i == w->dim_count && i < DIMS) w->dims[w->dim_count++] = q->dims[d];
    }
}

static bool under_adapter(const struct single_parts *w, uint32_t m)
{
    for (int up = 0; up < 4 && w->modules[m].parent != m; up++, m = w->modules[m].parent)
        if (meaning_names_adapter(w->modules[m].name)) return true;
    return false;
}

static void collect(struct single_parts *w)
{
    const struct printout *p = w->b->p;
    const struct parameter *table = printed_table(w->b->p, w->b->x);
    for (uint32_t m = w->b->x->module; m < w->b->x->end; m++) {
        const struct module *x = &w->modules[m];
        const struct parameter *q = x->parameters ? &p->parameters[x->parameter] : NULL;
        if (x->shows == SHOWS_NO_SIZE && x->kind == MODULE_NORM) w->norms += x->times;
        for (uint32_t i = 0; i < x->parameters; i++) add_dims(w, &q[i]);
        if (under_adapter(w, m)) w->adapters += x->elements * x->times;
        if (!q || q->ndim != 2 || x->times != 1) continue;
        if (table && q != table && memcmp(table->dims, q->dims, 2 * sizeof *q->dims) == 0)
            w->copies += w->copies < COPIES;
    }
    w->table = table ? table->elements : 0;
    w->width = table ? table->dims[1] : 0;
    w->printed = w->b->x->elements;
    w->half = w->b->x->packed4 / 2;
}

/* ---- ways --------------------------------------------------------------------------------- */

/* Choices on top of the printed sum. A norm's size is not printed: it is assumed to have the width of the
 * table, with or without a bias. */
enum choice {
    NORMS,
    NORMS_WITH_BIAS,
    PACKED,
    TRAINED,
    BARE_MODEL,
    SHARED, /* one copy of the table left out; the following choices: two, three, ... */
    CHOICES = SHARED + COPIES
};

#define BIT(choice) (UINT64_C(1) << (choice))

static unsigned shared_of(uint64_t taken)
{
    return taken >> SHARED ? (unsigned)__builtin_ctzll(taken >> SHARED) + 1 : 0;
}

static unsigned norm_vectors(uint64_t taken)
{
    return taken & BIT(NORMS) ? 1 : taken & BIT(NORMS_WITH_BIAS) ? 2 : 0;
}

static enum search_next begin_printed(void *ctx, struct search_way *way, uint64_t *usable)
{
    const struct single_parts *w = ctx;
    way->value = w->printed;
    if (w->norms && w->width) *usable |= BIT(NORMS) | BIT(NORMS_WITH_BIAS);
    if (w->half) *usable |= BIT(PACKED);
    if (w->trainable) *usable |= BIT(TRAINED);
    if (w->adapters) *usable |= BIT(BARE_MODEL);
    *usable |= (BIT(w->copies) - 1) << SHARED;
    return SEARCH_DEEPER;
}

/* False if it does not fit, or leaves out more than is printed. */
static bool count_printed(void *ctx, struct search_way *way)
{
    const struct single_parts *w = ctx;
    uint64_t off, norms;
    if (!num_mul(&off, shared_of(way->taken), w->table) ||
        !num_add(&off, off, way->taken & BIT(PACKED) ? w->half : 0) ||
        !num_add(&off, off, way->taken & BIT(BARE_MODEL) ? w->adapters : 0) || off > w->printed ||
        !num_mul(&norms, w->norms, w->width) || !num_mul(&norms, norms, norm_vectors(way->taken)))
        return false;
    return num_add(&way->value, w->printed - off, norms) &&
           num_add(&way->value, way->value, way->taken & BIT(TRAINED) ? w->trainable : 0);
}

static unsigned price_of(void *ctx, uint64_t taken, unsigned choice)
{
    (void)ctx, (void)taken;
    return choice >= SHARED ? choice - SHARED + 1 : choice == NORMS_WITH_BIAS ? 2 : 1;
}

static bool cheapest_way(struct single_parts *w, const struct stated *s, uint64_t *taken, uint64_t *below)
{
    const struct search ways = { .ctx = w,
                                 .sums = 1,
                                 .choices = CHOICES,
                                 .price_most = UINT32_MAX,
                                 .choices_most = CHOICES,
                                 .ways_most = UINT64_MAX,
                                 .apart = { BIT(NORMS) | BIT(NORMS_WITH_BIAS), ~(BIT(SHARED) - 1) },
                                 .begin = begin_printed,
                                 .count = count_printed,
                                 .price = price_of };
    struct search_way best = { .taken = 0 };
    bool found = search_cheapest(&ways, s->low, s->high, &best, below);
    *taken = best.taken;
    return found;
}

static void phrase(struct buffer *b, const char *text)
{
    if (b->n) buffer_text(b, ", ");
    buffer_text(b, text);
}

NUMEL_MUST static const char *way_text(const struct single_parts *w, uint64_t taken)
{
    struct buffer b;
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    unsigned shared = shared_of(taken), vectors = norm_vectors(taken), times = w->copies + 1 - shared;
    buffer_init(&b, w->a->memory);
    if (shared) {
        phrase(&b, "a table printed ");
        buffer_format(&b, "%u times counted ", w->copies + 1);
        if (times == 1) buffer_text(&b, "once");
        else buffer_format(&b, "%u times", times);
    }
    if (taken & BIT(PACKED)) phrase(&b, "4-bit weights as bytes");
    if (taken & BIT(BARE_MODEL)) phrase(&b, "without adapters");
    if (vectors) {
        phrase(&b, "");
        buffer_format(&b, "%s norms of %s", text_number(n, w->norms), text_number(m, vectors * w->width));
    }
    if (taken & BIT(TRAINED)) phrase(&b, "plus the trainable ones again");
    if (!b.n) phrase(&b, "the printed parameters");
    return buffer_keep(&b, w->a);
}

/* ---- other numbers ------------------------------------------------------------------------ */

/* Other sums that a number may be: the path's, or a module's subtree's, for one copy or all copies. */
enum { OF_PARAMETERS, OF_HELD, OF_MODULES };

static uint32_t module_at(const struct single_parts *w, size_t sum)
{
    return w->b->x->module + 1 + (uint32_t)((sum - OF_MODULES) / 2);
}

static bool is_each(size_t sum) { return (sum - OF_MODULES) % 2 == 0; }

static enum search_next begin_other(void *ctx, struct search_way *way, uint64_t *usable)
{
    const struct single_parts *w = ctx;
    (void)usable;
    if (way->sum < OF_MODULES) {
        if (!w->b->h) return SEARCH_BACK;
        way->value = way->sum == OF_PARAMETERS ? w->b->h->parameters : w->b->held;
        return SEARCH_DEEPER;
    }
    uint32_t m = module_at(w, way->sum);
    uint64_t n = beside_sum(w->b, m)->printed, times = w->modules[m].times;
    if (is_each(way->sum) && (times == 0 || n % times)) return SEARCH_BACK;
    way->value = is_each(way->sum) ? n / times : n;
    return way->value ? SEARCH_DEEPER : SEARCH_BACK;
}

/* *text is NULL if it is none of them. NOMEM. */
NUMEL_MUST static bool other_text(struct single_parts *w, const struct stated *s, const char **text)
{
    const struct search others = { .ctx = w,
                                   .sums = OF_MODULES + 2 * (size_t)(w->b->x->end - w->b->x->module - 1),
                                   .ways_most = UINT64_MAX,
                                   .begin = begin_other };
    struct search_way best;
    char name[TEXT_QUOTE];
    *text = NULL;
    if (!search_cheapest(&others, s->low, s->high, &best, NULL)) return true;
    if (best.sum < OF_MODULES) {
        *text = best.sum == OF_PARAMETERS ? "the parameters of the path" : "everything in the path";
        return true;
    }
    const struct module *m = &w->modules[module_at(w, best.sum)];
    *text = arena_format(w->a, "%s module %s, line %" PRIu32, is_each(best.sum) ? "each" : "all of",
                         text_quote(name, m->name), m->line);
    return *text || error_nomem(w->e);
}

/* The remainder, and the two printed sizes whose product it is, if any: that is seldom chance. */
NUMEL_MUST static const char *product_of(const struct single_parts *w, uint64_t n)
{
    char a[TEXT_NUMBER], b[TEXT_NUMBER], c[TEXT_NUMBER];
    for (unsigned i = 0; i < w->dim_count; i++)
        for (unsigned j = i; j < w->dim_count; j++)
            if (w->dims[i] > 1 && w->dims[j] > 1 && w->dims[i] <= UINT64_MAX / w->dims[j] &&
                w->dims[i] * w->dims[j] == n)
                return arena_format(w->a, "%s more, %s x %s: a parameter outside modules?", text_number(a, n),
                                    text_number(b, w->dims[i]), text_number(c, w->dims[j]));
    return arena_format(w->a, "%s more", text_number(a, n));
}

/* Trainable parameters are the adapters or all printed parameters; NULL: neither. */
static const char *of_trainable(const struct single_parts *w, const struct stated *s)
{
    const struct search_sum sums[] = { { "the printed parameters", w->printed },
                                       { "the adapters", w->adapters } };
    const char *adapters = w->adapters ? search_what(sums + 1, 1, s->low, s->high) : NULL;
    return adapters ? adapters : search_what(sums, 1, s->low, s->high);
}

NUMEL_MUST static bool judge(struct single_parts *w, struct stated_row *r)
{
    const struct stated *s = r->stated;
    uint64_t taken, below;
    r->difference = (int64_t)(s->low + (s->high - s->low) / 2) - (int64_t)w->printed;
    if (s->kind != STATED_TOTAL) {
        r->meets = of_trainable(w, s);
        if (!r->meets && s->kind == STATED_FROZEN && s->high == 0) r->meets = "none";
        if (!r->meets) r->remark = "the printout does not show what is trained";
        return true;
    }
    if (cheapest_way(w, s, &taken, &below))
        return (r->meets = way_text(w, taken)) != NULL || error_nomem(w->e);
    if (!other_text(w, s, &r->meets)) return false;
    if (r->meets || below == 0) return true;
    r->remark = product_of(w, s->low - below);
    return r->remark || error_nomem(w->e);
}

/* The trainable parameters stated nearest to a total, within three numbers; 0: none. */
static uint64_t trainable_near(const struct printout *p, size_t i)
{
    for (size_t k = 0; k < 4; k++) {
        if (i >= k && p->stated[i - k].kind == STATED_TRAINABLE) return p->stated[i - k].low;
        if (i + k < p->stated_count && p->stated[i + k].kind == STATED_TRAINABLE) return p->stated[i + k].low;
    }
    return 0;
}

bool stated_rows_make(struct stated_rows *r, const struct printed_beside *b, struct arena *a, numel_error *e)
{
    struct single_parts w = { .b = b, .modules = b->p->modules, .a = a, .e = e };
    size_t n = b->p->stated_count;
    *r = (struct stated_rows){ .items = arena_alloc(a, (n + 1) * sizeof *r->items) };
    if (!r->items) return error_nomem(e);
    collect(&w);
    for (size_t i = 0; i < n; i++) {
        struct stated_row *row = &r->items[r->count++];
        *row = (struct stated_row){ .stated = &b->p->stated[i] };
        w.trainable = trainable_near(b->p, i);
        if (!judge(&w, row)) return false;
        r->unmet += !row->meets && row->stated->kind == STATED_TOTAL;
    }
    return true;
}
