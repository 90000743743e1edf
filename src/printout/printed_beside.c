/*
 * printed_beside.c -- comparing: looks up each parameter of the path in the printed tree, and classifies each
 * printed parameter by the result.
 *
 * Holdings of a group of alternatives are placed together, by the alternative whose names the tree has. Sums
 * go up from the last module to the first; equal amounts of absent and strange cancel out there.
 */
#include "printout/printed.h"

#include "base/num.h"
#include "base/text.h"
#include "model/meaning.h"

enum { TABLES = 64, ADAPTER_DEPTH = 8 };

struct shown { /* by parameter of the printout */
    uint64_t found, held, copies;
};

struct placing {
    struct printed_beside *b;
    const struct printout *p;
    struct printed_index index;
    struct shown *shown;
    uint32_t first;          /* parameter of the print */
    uint32_t tables[TABLES]; /* embeddings that are held: a head may be tied to them */
    unsigned table_count;
    bool overflow;
};

static void plus(struct placing *w, uint64_t *to, uint64_t n)
{
    if (!num_add(to, *to, n)) w->overflow = true;
}

static struct beside *own_of(struct placing *w, uint32_t module)
{
    return &w->b->own[module - w->b->x->module];
}

/* ---- holdings ----------------------------------------------------------------------------- */

/* Places a holding that ends at a module: may the module hold more than it shows? A module that shows sizes
 * shows all, except torch's MultiheadAttention and parametrized ones. */
static void place_unseen(struct placing *w, struct place at, const struct holding *h)
{
    const struct module *m = &w->p->modules[at.module];
    struct beside *own = own_of(w, at.module);
    bool silent = m->shows == SHOWS_NO_SIZE || m->shows == SHOWS_CHILDREN;
    bool parametrized = text_ends(h->name, ".original0") || text_ends(h->name, ".weight_g");
    if (at.inside && m->shows == SHOWS_NO_SIZE) {
        plus(w, &own->sizeless, h->elements);
        own->sizeless_tensors++;
    } else if (at.inside && (silent || parametrized)) {
        plus(w, &own->bare, h->elements);
        if (own->bare_tensors++ == 0) own->first_bare = h->name;
    } else {
        plus(w, &own->strange, h->elements);
        if (own->strange_tensors++ == 0) own->first_strange = h->name;
    }
}

static void place_at(struct placing *w, const struct holding *h, struct place at)
{
    bool found = at.parameter != NAMES_ABSENT;
    if (!found && (h->kind == HOLDING_COPY || h->kind == HOLDING_BESIDE)) return;
    if (found) w->b->resolved++;
    if (h->kind != HOLDING_COPY) plus(w, &w->b->held, h->elements);
    if (!found) {
        place_unseen(w, at, h);
        return;
    }
    struct shown *s = &w->shown[at.parameter - w->first];
    if (h->kind == HOLDING_COPY) {
        plus(w, &s->copies, h->elements);
    } else {
        plus(w, &s->held, h->elements);
        s->found++;
    }
}

struct choice { /* an alternative of a group */
    uint64_t elements;
    bool held, all_placed;
};

static struct choice weigh(struct placing *w, const struct holding *h, size_t n, uint32_t alternative)
{
    struct choice c = { .all_placed = true };
    for (size_t i = 0; i < n; i++) {
        if (h[i].alternative != alternative) continue;
        struct place at = printed_find(&w->index, h[i].name);
        plus(w, &c.elements, h[i].elements);
        c.held |= h[i].kind == HOLDING_PARAMETER;
        c.all_placed &= at.inside; /* true for a shown parameter too */
    }
    return c;
}

/* Places the held alternative, unless the tree lacks its names and has those of another of the same size. */
static void place_group(struct placing *w, const struct holding *h, size_t n)
{
    enum { ALTERNATIVES = 8 };
    struct choice c[ALTERNATIVES];
    uint32_t count = 0, held = 0;
    for (size_t i = 0; i < n; i++) count = (uint32_t)num_max(count, h[i].alternative + 1u);
    count = (uint32_t)num_min(count, ALTERNATIVES);
    for (uint32_t a = 0; a < count; a++) {
        c[a] = weigh(w, h, n, a);
        if (c[a].held) held = a;
    }
    uint32_t taken = held;
    for (uint32_t a = 0; a < count && !c[held].all_placed; a++)
        if (c[a].all_placed && c[a].elements == c[held].elements) taken = a;
    for (size_t i = 0; i < n; i++) {
        bool parameter = taken == held ? h[i].kind == HOLDING_PARAMETER : h[i].alternative == taken;
        if (parameter || h[i].kind == HOLDING_COPY) place_at(w, &h[i], printed_find(&w->index, h[i].name));
    }
}

static void place_holdings(struct placing *w, const struct holdings *h)
{
    size_t n;
    for (size_t i = 0; i < h->count; i += n) {
        const struct holding *x = &h->items[i];
        for (n = 1; x->group != NO_GROUP && i + n < h->count && x[n].group == x->group; n++) continue;
        if (x->group != NO_GROUP) place_group(w, x, n);
        else place_at(w, x, printed_find(&w->index, x->name));
    }
}

/* ---- printed parameters ------------------------------------------------------------------- */

/* Is the module a part of what PEFT adds to a model? */
static bool is_adapter(const struct placing *w, uint32_t module)
{
    for (int up = 0; up < ADAPTER_DEPTH; up++) {
        if (meaning_names_adapter(w->p->modules[module].name)) return true;
        if (w->p->modules[module].parent == module) return false;
        module = w->p->modules[module].parent;
    }
    return false;
}

static bool same_dims(const struct parameter *a, const struct parameter *b)
{
    return a->ndim == b->ndim && memcmp(a->dims, b->dims, a->ndim * sizeof *a->dims) == 0;
}

/* A matrix that is not held, with the shape of a table that is: a shared embedding, a tied head. */
static bool is_shared_table(const struct placing *w, const struct module *m, const struct parameter *q)
{
    bool may = text_glob("*Embedding*", m->class) || text_glob("*head*", m->name) ||
               text_glob("*decoder*", m->name) || text_glob("*output*", m->name);
    for (unsigned i = 0; may && q->ndim == 2 && i < w->table_count; i++)
        if (same_dims(&w->p->parameters[w->tables[i]], q)) return true;
    return false;
}

/* Classifies all printed copies of one parameter. */
static void settle(struct placing *w, uint32_t module, uint32_t q)
{
    const struct module *m = &w->p->modules[module];
    const struct parameter *x = &w->p->parameters[q];
    const struct shown *s = &w->shown[q - w->first];
    struct beside *own = own_of(w, module);
    uint64_t printed = x->elements * m->times; /* fits: printout_read() summed it */
    plus(w, &own->printed, printed);
    plus(w, &own->shown, m->times);
    plus(w, &own->found, s->found);
    if (!w->b->h) return;
    plus(w, &own->held, s->held);
    uint64_t tied = s->found ? 0 : num_min(s->copies, printed), rest = printed - tied;
    plus(w, &own->tied, tied);
    uint64_t whole;
    if (!num_mul(&whole, s->found, x->elements)) whole = UINT64_MAX;
    if (s->found == 0 && x->assumed) {
        plus(w, &own->assumed, rest);
    } else if (s->found == 0) {
        bool shared = rest && is_shared_table(w, m, x);
        plus(w, shared ? &own->tied : is_adapter(w, module) ? &own->adapters : &own->absent, rest);
    } else if (s->held == whole && s->held < rest) {
        plus(w, &own->absent, rest - s->held);
    } else if (s->held < rest) {
        plus(w, &own->smaller, rest - s->held);
    } else {
        plus(w, &own->larger, s->held - rest);
    }
}

static void collect_tables(struct placing *w)
{
    for (uint32_t m = w->b->x->module; m < w->b->x->end; m++) {
        const struct module *x = &w->p->modules[m];
        bool table = x->parameters == 1 && text_glob("*Embedding*", x->class) &&
                     w->shown[x->parameter - w->first].found;
        if (table && w->table_count < TABLES) w->tables[w->table_count++] = x->parameter;
    }
}

const struct parameter *printed_table(const struct printout *p, const struct printed *x)
{
    const struct parameter *best = NULL;
    for (uint32_t m = x->module; m < x->end; m++) {
        const struct module *e = &p->modules[m];
        if (e->parameters != 1 || e->times != 1 || !text_glob("*Embedding*", e->class)) continue;
        const struct parameter *q = &p->parameters[e->parameter];
        if (q->ndim == 2 && (!best || q->elements > best->elements)) best = q;
    }
    return best;
}

/* ---- subtrees ----------------------------------------------------------------------------- */

static void add_up(struct placing *w, struct beside *to, const struct beside *from)
{
    for (size_t i = 0; i < BESIDE_COUNTS; i++) plus(w, &to->counts[i], from->counts[i]);
    if (!to->first_strange.n) to->first_strange = from->first_strange;
}

/* If absent and strange are the same amount, the parameters are held divided differently than printed. */
static void regroup(struct placing *w, uint32_t module)
{
    const struct printed *x = w->b->x;
    struct beside *sum = &w->b->sum[module - x->module];
    if (sum->absent == 0 || sum->absent != sum->strange) return;
    plus(w, &w->b->regrouped, sum->absent);
    for (uint32_t m = module; m < w->p->modules[module].end; m++) {
        struct beside *parts[] = { &w->b->own[m - x->module], &w->b->sum[m - x->module] };
        for (int i = 0; i < 2; i++) {
            plus(w, &parts[i]->held, parts[i]->absent); /* each was printed, and is held */
            if (parts[i]->absent || parts[i]->strange) parts[i]->regrouped = true;
            parts[i]->absent = parts[i]->strange = 0;
        }
    }
}

/* From the last module to the first, since children follow their parents. */
static void sum_up(struct placing *w)
{
    const struct printed *x = w->b->x;
    for (uint32_t m = x->end; m-- > x->module;) {
        struct beside *sum = &w->b->sum[m - x->module];
        uint32_t parent = w->p->modules[m].parent;
        add_up(w, sum, own_of(w, m));
        regroup(w, m);
        if (m != x->module) add_up(w, &w->b->sum[parent - x->module], sum);
    }
}

bool printed_beside_make(struct printed_beside *b, const struct printout *p, const struct printed *x,
                         const struct holdings *h, struct arena *a, numel_error *e)
{
    size_t modules = x->end - x->module;
    struct placing w = { .b = b, .p = p, .first = p->modules[x->module].parameter };
    size_t parameters = p->parameter_count - w.first;
    *b = (struct printed_beside){ .p = p, .x = x, .h = h };
    b->own = arena_zeroed(a, 2 * modules * sizeof *b->own);
    w.shown = arena_zeroed(a, (parameters + 1) * sizeof *w.shown);
    if (!b->own || !w.shown || !printed_index_make(&w.index, p, x, a, e)) return error_nomem(e);
    b->sum = b->own + modules;
    if (h) printed_learn_prefix(&w.index, h);
    if (h) place_holdings(&w, h);
    if (h) collect_tables(&w);
    for (uint32_t m = x->module; m < x->end; m++)
        for (uint32_t i = 0; i < p->modules[m].parameters; i++) settle(&w, m, p->modules[m].parameter + i);
    sum_up(&w);
    return !w.overflow || error_set(e, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the sums do not fit in 64 bits");
}
