/*
 * layout_invert.c -- finds the outputs and inputs of a weight from the tensors stored for it: a layout in
 * reverse.
 *
 * Every dim of a layout grows with O and with I. If a dim depends on one of them, the sizes that give its
 * stored value form an interval, found by bisection. The intervals of all tensors are intersected, and the
 * sizes left must give every dim exactly. The symbols run through their values as in layout_solve.c. With
 * whole packed words, several sizes may fit: the largest is used, which is the one without padding. Sizes
 * that differ by more than padding (4 bits in groups of 64, or 8 bits in groups of 32 with half as many
 * inputs) are separate solutions.
 */
#include "formula/layout_internal.h"

enum { SIZE_MOST = 1 << 30, SIZES_TRIED = 64 };

struct range {
    int64_t least, most;
};

struct inversion {
    struct solving s; /* must be first: branches end in finish() */
    const struct layout_seen *seen;
    struct layout_solutions *best;
    const numel_tensor *found[LAYOUT_LINES]; /* in this branch, by line */
    bool in_force[LAYOUT_LINES];
    uint32_t sized[LAYOUT_STEPS]; /* in this branch: a step's expression that depends on sizes, or 0 */
    struct range out, in;
};

/* ---- dependence on sizes ---------------------------------------------------------------------- */

enum { ON_OUT = 1, ON_IN = 2, ON_ALL = 4 };

static unsigned rests_on(const struct solving *s, uint32_t node, int depth)
{
    const struct layout *l = s->l;
    const struct node *n = &l->base->nodes[node];
    unsigned on = 0;
    if (!node || depth > SPEC_DEPTH) return 0;
    if (n->kind == NODE_SYMBOL) {
        uint64_t symbol = (uint64_t)n->number;
        if (symbol == SYMBOLS_BUILT_IN + GIVEN_O) return ON_OUT;
        if (symbol == SYMBOLS_BUILT_IN + GIVEN_I) return ON_IN;
        if (symbol == SYMBOLS_BUILT_IN + GIVEN_N) return ON_ALL;
        for (unsigned i = 0; i < l->step_count; i++)
            if (l->steps[i].symbol == symbol)
                on |=
                    rests_on(s, l->steps[i].kind == STEP_LET ? l->steps[i].expr : s->computed[i], depth + 1);
        return on;
    }
    const uint32_t parts[3] = { n->a, n->b, n->c };
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t k = parts[i]; k; k = l->base->nodes[k].next) on |= rests_on(s, k, depth + 1);
    return on;
}

static void find_sized(struct inversion *v)
{
    const struct solving *s = &v->s;
    for (unsigned i = 0; i < s->l->step_count; i++) {
        uint32_t expr = s->l->steps[i].kind == STEP_LET ? s->l->steps[i].expr : s->computed[i];
        v->sized[i] = rests_on(s, expr, 0) ? expr : 0;
    }
}

/* ---- trying sizes ----------------------------------------------------------------------------- */

/* Binds the symbols of sizes, and those that depend on them. */
static bool bind_sizes(struct inversion *v, int64_t out, int64_t in)
{
    struct solving *s = &v->s;
    bool ok = solving_sizes(s, out, in);
    for (unsigned i = 0; ok && i < s->l->step_count; i++) {
        struct value x;
        uint32_t expr = v->sized[i];
        if (!expr) continue;
        ok = eval(&s->env, expr, &x);
        if (ok) env_bind(&s->env, s->l->steps[i].symbol, &x);
    }
    return ok;
}

/* The value of a dim at these sizes; -1 if it cannot be computed. */
static int64_t dim_at(struct inversion *v, uint32_t node, int64_t out, int64_t in)
{
    numel_error mine = { 0 };
    struct value x;
    v->s.env.error = &mine;
    bool ok = bind_sizes(v, out, in) && eval_int(&v->s.env, node, 0, "a size", &x);
    v->s.env.error = v->s.error;
    if (mine.code == NUMEL_E_NOMEM) error_nomem(v->s.error);
    return ok ? x.i : -1;
}

/* A dim that grows with one of the sizes, and the value searched for. */
struct growth {
    struct inversion *v;
    uint32_t node;
    bool out, above;
    uint64_t stored;
};

static int64_t grown(const struct growth *g, int64_t size)
{
    return g->out ? dim_at(g->v, g->node, size, 1) : dim_at(g->v, g->node, 1, size);
}

static bool reached(const struct growth *g, int64_t size)
{
    int64_t is = grown(g, size);
    return is > 0 && ((uint64_t)is > g->stored || (!g->above && (uint64_t)is == g->stored));
}

/* The size that gives about the stored value if the dim is proportional to it, as most are. */
static int64_t guess(const struct growth *g)
{
    enum { SAMPLE = 4096 };
    int64_t is = grown(g, SAMPLE), about;
    if (is <= 0 || g->stored > INT64_MAX || __builtin_mul_overflow((int64_t)g->stored, SAMPLE, &about))
        return 1;
    about /= is;
    return about < 1 ? 1 : about > SIZE_MOST ? SIZE_MOST : about;
}

/* The first size at which the dim is at least the stored value (if `above`: more than it). Strides grow from
 * `near` until they enclose the size; then it bisects. */
static int64_t first_at(const struct growth *g, int64_t near)
{
    int64_t low = 1, high = SIZE_MOST;
    bool down = reached(g, near);
    if (down) high = near;
    else low = near + 1;
    for (int64_t stride = 1, at; low < high; stride *= 8) {
        at = down ? high - stride : low + stride;
        if (at < low || at >= high) break;
        bool yes = reached(g, at);
        if (yes) high = at;
        else low = at + 1;
        if (yes != down) break;
    }
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (reached(g, middle)) high = middle;
        else low = middle + 1;
    }
    return low < SIZE_MOST ? low : SIZE_MOST;
}

static bool narrow(struct inversion *v, uint32_t node, bool out, uint64_t stored)
{
    struct range *r = out ? &v->out : &v->in;
    struct growth g = { .v = v, .node = node, .out = out, .stored = stored };
    if (r->most - r->least < SIZES_TRIED) return true; /* few enough to try all */
    int64_t least = first_at(&g, guess(&g));
    g.above = true;
    int64_t most = first_at(&g, least) - 1;
    if (least > r->least) r->least = least;
    if (most < r->most) r->most = most;
    return r->least <= r->most;
}

static uint32_t lead_of(const struct inversion *v, unsigned line)
{
    return v->s.l->lines[line].flat ? 0 : v->seen->module.lead_count;
}

/* True if every dim of every tensor is exact, and the layout's `only` and `plain` lines allow the sizes. */
static bool exact(struct inversion *v, int64_t out, int64_t in)
{
    const struct layout *l = v->s.l;
    for (unsigned i = 0; i < l->line_count; i++)
        for (unsigned k = 0; v->in_force[i] && v->found[i] && k < l->lines[i].ndim; k++)
            if (!(l->lines[i].any >> k & 1) &&
                dim_at(v, l->lines[i].dims[k], out, in) != (int64_t)v->found[i]->dims[lead_of(v, i) + k])
                return false;
    numel_error mine = { 0 };
    v->s.env.error = &mine;
    bool ok = bind_sizes(v, out, in) && solving_allowed(&v->s) && !solving_plain(&v->s);
    v->s.env.error = v->s.error;
    if (mine.code == NUMEL_E_NOMEM) error_nomem(v->s.error);
    return ok;
}

/* ---- one branch ------------------------------------------------------------------------------- */

static bool line_fits(struct inversion *v, unsigned i)
{
    const struct layout_line *line = &v->s.l->lines[i];
    const struct layout_module *m = &v->seen->module;
    numel_str name, types;
    bool yes = true;
    v->found[i] = NULL;
    v->in_force[i] = !line->when || (eval_bool(&v->s.env, line->when, &yes, NULL) && yes);
    if (!v->in_force[i]) return true;
    if (!solving_text(&v->s, line->name, &name) || !solving_text(&v->s, line->types, &types)) return false;
    const numel_tensor *t = v->seen->find(v->seen->ctx, name);
    if (!t) return line->need != NEED_ALWAYS;
    if (t->ndim != lead_of(v, i) + line->ndim || !layout_type_fits(types, t->dtype->name)) return false;
    for (uint32_t k = 0; k < lead_of(v, i); k++)
        if (t->dims[k] != m->lead[k]) return false;
    v->found[i] = t;
    return true;
}

/* Uses sizes stored in the data of small tensors, if they are within the ranges that dims allow. */
static bool ask_sizes(struct inversion *v)
{
    for (unsigned i = 0; i < v->s.l->witness_count; i++) {
        const struct layout_witness *w = &v->s.l->witnesses[i];
        bool out = w->symbol == SYMBOLS_BUILT_IN + GIVEN_O, in = w->symbol == SYMBOLS_BUILT_IN + GIVEN_I;
        struct range *r = out ? &v->out : &v->in;
        struct value size;
        bool said = out || in;
        if (said && !solving_hear(&v->s, w->expr, &size, &said)) return false;
        if (said && size.kind == VALUE_INT && size.i >= r->least && size.i <= r->most)
            *r = (struct range){ size.i, size.i };
    }
    return true;
}

/* Counts witnesses whose value differs from this branch's. */
static bool ask_others(struct inversion *v, unsigned *against)
{
    *against = 0;
    for (unsigned i = 0; i < v->s.l->witness_count; i++) {
        const struct layout_witness *w = &v->s.l->witnesses[i];
        struct value x;
        bool said;
        if (!solving_hear(&v->s, w->expr, &x, &said)) return false;
        *against += said && !value_same(&x, &v->s.env.bound[w->symbol]);
    }
    return true;
}

static bool ranges(struct inversion *v)
{
    const struct layout *l = v->s.l;
    v->out = v->in = (struct range){ 1, SIZE_MOST };
    for (unsigned i = 0; i < l->line_count; i++)
        for (unsigned k = 0; v->found[i] && k < l->lines[i].ndim; k++) {
            unsigned on = l->lines[i].any >> k & 1 ? 0 : rests_on(&v->s, l->lines[i].dims[k], 0);
            if ((on == ON_OUT || on == ON_IN) &&
                !narrow(v, l->lines[i].dims[k], on == ON_OUT, v->found[i]->dims[lead_of(v, i) + k]))
                return false;
        }
    return ask_sizes(v) && v->out.most < SIZE_MOST && v->in.most < SIZE_MOST;
}

/* Sets bits and group. A group larger than a row counts as one row. */
static void say(struct inversion *v, struct layout_solution *s)
{
    numel_error mine = { 0 };
    v->s.env.error = &mine; /* exact() has bound the sizes */
    solving_number(&v->s, v->s.l->bits, &s->bits);
    solving_number(&v->s, v->s.l->group, &s->group);
    if (s->group > s->in) s->group = s->in;
    v->s.env.error = v->s.error;
    if (mine.code == NUMEL_E_NOMEM) error_nomem(v->s.error);
}

static bool is_known(const struct layout_solutions *all, const struct layout_solution *s)
{
    for (unsigned i = 0; i < all->count; i++) {
        const struct layout_solution *x = &all->items[i];
        if (x->layout == s->layout && x->out == s->out && x->in == s->in && x->bits == s->bits &&
            x->group == s->group)
            return true;
    }
    return false;
}

static void keep(struct inversion *v, int64_t out, int64_t in)
{
    struct layout_solutions *best = v->best;
    struct layout_solution found = { .layout = v->s.l,
                                     .weight = v->seen->weight,
                                     .out = out,
                                     .in = in,
                                     .lead_count = v->seen->module.lead_count };
    for (unsigned i = 0; i < v->s.l->line_count; i++)
        if (v->found[i] && v->s.l->lines[i].role != LAYOUT_BIAS) found.tensors[found.count++] = v->found[i];
    if (!ask_others(v, &found.against) || !found.count) return;
    const struct layout_solution *other = best->count ? &best->items[0] : &found;
    if (found.count < other->count || (found.count == other->count && found.against > other->against)) return;
    if (found.count > other->count || found.against < other->against) best->count = 0;
    say(v, &found);
    if (best->count < LAYOUT_SOLUTIONS && !is_known(best, &found)) best->items[best->count++] = found;
}

/* False if only auxiliary tensors are there: they do not stand for a weight. */
static bool is_valued(const struct inversion *v)
{
    const struct layout *l = v->s.l;
    for (unsigned i = 0; i < l->line_count; i++)
        if (v->found[i] && l->lines[i].role == LAYOUT_VALUE && l->lines[i].need == NEED_ALWAYS) return true;
    return false;
}

/* The end of a branch: all symbols have a value. */
NUMEL_MUST static bool finish(struct solving *s)
{
    struct inversion *v = (struct inversion *)s;
    numel_error mine = { 0 };
    bool fits = true;
    s->env.error = &mine;
    for (unsigned i = 0; fits && i < s->l->line_count; i++) fits = line_fits(v, i);
    s->env.error = s->error;
    if (mine.code == NUMEL_E_NOMEM) return error_nomem(s->error);
    if (!fits || !is_valued(v)) return true;
    find_sized(v);
    s->env.relaxed = true; /* remainders are allowed while sizes are tried */
    fits = ranges(v);
    s->env.relaxed = false;
    for (int64_t o = v->out.most; fits && o >= v->out.least && o > v->out.most - SIZES_TRIED; o--)
        for (int64_t i = v->in.most; fits && i >= v->in.least && i > v->in.most - SIZES_TRIED; i--)
            if (exact(v, o, i)) {
                keep(v, o, i);
                fits = false;
            }
    return error_free(s->error);
}

bool layout_invert(struct layout_solutions *best, const struct layout *l, struct config *c,
                   const struct layout_seen *seen, struct arena *a, numel_error *e)
{
    struct inversion v = { .seen = seen, .best = best };
    if (seen->asking) seen->asking->nearby = seen->module.nearby;
    v.s = (struct solving){ .l = l, .m = &seen->module, .arena = a, .error = e, .finish = finish };
    v.s.env = (struct env){
        .spec = l->base, .config = c, .arena = a, .asking = seen->asking, .silent = true, .relaxed = true
    };
    numel_str names[LAYOUT_LINES];
    unsigned count;
    if (l->opaque) return true; /* it has no sizes */
    if (!layout_required(l, c, a, names, &count, e)) return false;
    for (unsigned i = 0; i < count; i++)
        if (!seen->find(seen->ctx, names[i])) return true;
    if (!env_init(&v.s.env, e)) return false;
    return !solving_bind(&v.s) || solving_branch(&v.s, 0);
}
