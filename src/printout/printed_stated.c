/*
 * printed_stated.c -- the parts of a printed model that people count in more than one way, and which ways of
 * counting them meet a number.
 */
#include "printout/printed_stated.h"

#include "base/num.h"
#include "base/text.h"

enum { COPIES = 8, DIMS = 48 };

/* What can be counted in more than one way, in one printed model. */
struct parts {
    const struct printed_beside *b;
    const struct module *modules;
    uint64_t printed, half; /* half: of the weights in 4-bit layers */
    uint64_t table;         /* elements of a table that is printed more than once */
    unsigned copies;        /* how often more */
    uint64_t norms, width;  /* norms without a size; the width of the first table */
    uint64_t adapters;      /* printed in PEFT's modules */
    uint64_t dims[DIMS];    /* sizes that are printed, each once */
    unsigned dim_count;
    struct arena *a;
    numel_error *e;
};

/* ---- parts -------------------------------------------------------------------------------- */

static void add_dims(struct parts *w, const struct parameter *q)
{
    for (uint32_t d = 0; d < q->ndim; d++) {
        unsigned i = 0;
        while (i < w->dim_count && w->dims[i] != q->dims[d]) i++;
        if (i == w->dim_count && i < DIMS) w->dims[w->dim_count++] = q->dims[d];
    }
}

static bool under_adapter(const struct parts *w, uint32_t m)
{
    for (int up = 0; up < 4 && w->modules[m].parent != m; up++, m = w->modules[m].parent)
        if (text_glob("lora_*", w->modules[m].name) || text_glob("ia3_*", w->modules[m].name) ||
            text_equal(w->modules[m].name, "prompt_encoder"))
            return true;
    return false;
}

static void collect(struct parts *w)
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

struct way {
    unsigned shared; /* copies of the table taken off */
    bool packed, trained, bare_model;
    uint64_t norm_width; /* 0: norms are left out */
    unsigned cost;
};

static bool meets(const struct stated *s, uint64_t n) { return n >= s->low && n <= s->high; }

/* What that way counts; false when it does not fit or makes no sense. */
static bool count(const struct parts *w, const struct way *way, uint64_t trainable, uint64_t *n)
{
    uint64_t off = way->shared * w->table + (way->packed ? w->half : 0) + (way->bare_model ? w->adapters : 0),
             norms;
    if (off > w->printed) return false;
    *n = w->printed - off;
    return num_mul(&norms, w->norms, way->norm_width) && num_add(n, *n, norms) &&
           num_add(n, *n, way->trained ? trainable : 0);
}

static void phrase(struct buffer *b, const char *text)
{
    if (b->n) buffer_text(b, ", ");
    buffer_text(b, text);
}

static const char *way_text(const struct parts *w, const struct way *way)
{
    struct buffer b;
    char n[TEXT_NUMBER], m[TEXT_NUMBER];
    buffer_init(&b, w->a->memory);
    if (way->shared) {
        unsigned times = w->copies + 1 - way->shared;
        phrase(&b, "a table printed ");
        buffer_format(&b, "%u times counted ", w->copies + 1);
        if (times == 1) buffer_text(&b, "once");
        else buffer_format(&b, "%u times", times);
    }
    if (way->packed) phrase(&b, "4-bit weights as bytes");
    if (way->bare_model) phrase(&b, "without adapters");
    if (way->norm_width) {
        phrase(&b, "");
        buffer_format(&b, "%s norms of %s", text_number(n, w->norms), text_number(m, way->norm_width));
    }
    if (way->trained) phrase(&b, "the trainable ones besides");
    if (!b.n) phrase(&b, "what is printed");
    const char *text = b.failed ? NULL : arena_text(w->a, b.p, b.n);
    buffer_done(&b);
    return text;
}

/* Tries all ways; the cheapest that meets, or else, of those below the number, the nearest. */
static bool best_way(const struct parts *w, const struct stated *s, uint64_t trainable, struct way *best,
                     uint64_t *below)
{
    bool found = false;
    *below = 0;
    for (unsigned shared = 0; shared <= w->copies; shared++)
        for (unsigned bits = 0; bits < 8; bits++)
            for (unsigned norm = 0; norm < 3; norm++) {
                struct way y = { .shared = shared,
                                 .packed = bits & 1,
                                 .trained = bits & 2,
                                 .bare_model = bits & 4,
                                 .norm_width = norm * w->width };
                uint64_t n;
                bool sense = (!y.packed || w->half) && (!y.trained || trainable) &&
                             (!y.bare_model || w->adapters) && (!norm || (w->norms && w->width));
                if (!sense || !count(w, &y, trainable, &n)) continue;
                y.cost = shared + y.packed + y.trained + y.bare_model + norm;
                if (meets(s, n) && (!found || y.cost < best->cost)) {
                    *best = y;
                    found = true;
                }
                if (n < s->low && n > *below) *below = n;
            }
    return found;
}

/* ---- other numbers ------------------------------------------------------------------------ */

/* A module, with all below it, that counts as much in each copy. */
static const char *module_of(const struct parts *w, const struct stated *s)
{
    char name[TEXT_QUOTE];
    for (uint32_t m = w->b->x->module + 1; m < w->b->x->end; m++) {
        const struct module *x = &w->modules[m];
        uint64_t n = beside_sum(w->b, m)->printed;
        if (x->times && n % x->times == 0 && n / x->times && meets(s, n / x->times))
            return arena_format(w->a, "each module %s, line %" PRIu32, text_quote(name, x->name), x->line);
        if (n && meets(s, n))
            return arena_format(w->a, "all of module %s, line %" PRIu32, text_quote(name, x->name), x->line);
    }
    return NULL;
}

/* A number that is no coincidence: of two printed sizes. */
static const char *product_of(const struct parts *w, uint64_t n)
{
    char a[TEXT_NUMBER], b[TEXT_NUMBER], c[TEXT_NUMBER];
    for (unsigned i = 0; i < w->dim_count; i++)
        for (unsigned j = i; j < w->dim_count; j++)
            if (w->dims[i] > 1 && w->dims[j] > 1 && w->dims[i] <= UINT64_MAX / w->dims[j] &&
                w->dims[i] * w->dims[j] == n)
                return arena_format(w->a, "%s more, %s x %s: a parameter outside of modules?",
                                    text_number(a, n), text_number(b, w->dims[i]),
                                    text_number(c, w->dims[j]));
    return arena_format(w->a, "%s more", text_number(a, n));
}

/* Of the trainable parameters only adapters are a way of counting. */
static const char *of_trainable(const struct parts *w, const struct stated *s, bool *about)
{
    *about = true;
    if (w->adapters && meets(s, w->adapters)) return "the adapters";
    if (meets(s, w->printed)) return "what is printed";
    *about = false;
    return NULL;
}

static bool judge(struct parts *w, struct stated_row *r, uint64_t trainable)
{
    const struct stated *s = r->stated;
    struct way way = { .shared = 0 };
    uint64_t below;
    bool about = true;
    r->difference = (int64_t)(s->low + (s->high - s->low) / 2) - (int64_t)w->printed;
    if (s->kind != STATED_TOTAL) {
        r->meets = of_trainable(w, s, &about);
        if (!about && s->kind == STATED_FROZEN && s->high == 0) r->meets = "none";
        if (!r->meets) r->remark = "the printout does not say what is trained";
        return true;
    }
    if (best_way(w, s, trainable, &way, &below))
        return (r->meets = way_text(w, &way)) != NULL || error_nomem(w->e);
    if (w->b->h && meets(s, w->b->h->parameters)) r->meets = "the parameters of the path";
    else if (w->b->h && meets(s, w->b->held)) r->meets = "what the path holds";
    else r->meets = module_of(w, s);
    if (!r->meets && below) r->remark = product_of(w, s->low - below);
    return r->meets || r->remark || !below || error_nomem(w->e);
}

/* The trainable parameters that are stated nearest before a total, or right behind it. */
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
    struct parts w = { .b = b, .modules = b->p->modules, .a = a, .e = e };
    size_t n = b->p->stated_count;
    *r = (struct stated_rows){ .items = arena_alloc(a, (n + 1) * sizeof *r->items) };
    if (!r->items) return error_nomem(e);
    collect(&w);
    for (size_t i = 0; i < n; i++) {
        struct stated_row *row = &r->items[r->count++];
        *row = (struct stated_row){ .stated = &b->p->stated[i] };
        if (!judge(&w, row, trainable_near(b->p, i))) return false;
        r->unmet += !row->meets && row->stated->kind == STATED_TOTAL;
    }
    return true;
}
