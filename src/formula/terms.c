/*
 * terms.c -- the formula of an expansion; see terms.h.
 *
 * Sites become runs: one tensor line with one size expression, in some iterations of a loop. Runs give the
 * number of iterations in symbols, then the expression; a term is all runs of one role.
 */
#include "formula/terms.h"

#include "base/num.h"

#include <string.h>

struct run {
    const struct site *first;
    struct poly each;      /* without the stack */
    uint64_t elements;     /* of one tensor, without the stack */
    uint64_t turns, times; /* times: iterations, each with its stack */
    int64_t last; /* iteration of a loop that is not nested; with folded iterations not the last site's */
    enum evidence evidence;
    size_t next; /* run of the same line + 1 */
};

struct piece { /* of the expression: turns * (sum) */
    struct poly turns, sum;
};

struct work {
    struct expansion *x;
    struct terms *terms;
    numel_error *error;
    struct run *runs;
    size_t run_count, run_cap;
    size_t *of_line; /* by line: its first run + 1 */
    struct piece *pieces;
    size_t piece_count, piece_cap;
    size_t term_cap, symbol_cap;
};

/* The polynomial, or the number if its value differs. */
static struct poly sure(struct work *w, struct poly p, uint64_t value)
{
    int64_t v;
    if (poly_value(&w->x->factors, p, &v) && v >= 0 && (uint64_t)v == value) return p;
    return value <= INT64_MAX ? poly_number(&w->x->factors, (int64_t)value) : (struct poly){ .lost = true };
}

/* ---- runs ------------------------------------------------------------------------------------- */

static uint64_t one_tensor(const struct site *s) { return s->stacked ? s->elements / s->stack : s->elements; }

static struct run *find_run(struct work *w, const struct site *s, struct poly each)
{
    for (size_t i = w->of_line[s->line]; i; i = w->runs[i - 1].next) {
        struct run *r = &w->runs[i - 1];
        if (r->first->part == s->part && text_same(r->first->role, s->role) && r->elements == one_tensor(s) &&
            r->first->stack == s->stack && poly_same(r->each, each))
            return r;
    }
    return NULL;
}

NUMEL_MUST static bool add_site(struct work *w, const struct site *s)
{
    struct poly each = sure(w, s->each, one_tensor(s));
    struct run *r = find_run(w, s, each);
    uint64_t turns = site_turns(s), times;
    if (!r) {
        if (!memory_grow(w->x->arena.memory, (void **)&w->runs, &w->run_cap, w->run_count + 1,
                         sizeof *w->runs, w->error))
            return false;
        r = &w->runs[w->run_count++];
        *r = (struct run){ .first = s, .each = each, .elements = one_tensor(s), .next = w->of_line[s->line] };
        w->of_line[s->line] = w->run_count;
    }
    if (s->turn && s->turn->last > r->last) r->last = s->turn->last;
    if (s->evidence > r->evidence) r->evidence = s->evidence;
    return (num_mul(&times, turns, s->stack) && num_add(&r->times, r->times, times) &&
            num_add(&r->turns, r->turns, turns)) ||
           error_set(w->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "a term does not fit");
}

/* ---- number of iterations in symbols ---------------------------------------------------------- */

static struct poly lost_poly(void) { return (struct poly){ .lost = true }; }

/* The polynomial for `bound` from a condition such as `i < X`, with X constant in the loop; lost if there is
 * none. */
static struct poly bound_in(struct work *w, uint32_t node, uint32_t symbol, int64_t bound)
{
    const struct spec *s = w->x->spec;
    const struct node *n = &s->nodes[node];
    struct poly p;
    if (n->kind >= NODE_EQ && n->kind <= NODE_GE && s->nodes[n->a].kind == NODE_SYMBOL &&
        s->nodes[n->a].number == symbol) {
        int64_t one = n->kind == NODE_GT || n->kind == NODE_LE;
        struct value v;
        if (!eval(&w->x->env, n->b, &v) || v.kind != VALUE_INT || v.varies) return lost_poly();
        if ((n->kind == NODE_EQ || n->kind == NODE_NE) && v.i != bound) one = 1;
        if (v.i != bound - one) return lost_poly();
        p = size_poly(w->x, n->b);
        return one ? poly_add(&w->x->factors, p, poly_number(&w->x->factors, 1)) : p;
    }
    if (n->kind < NODE_NOT || n->kind > NODE_AND) return lost_poly();
    uint32_t parts[3] = { n->a, n->b, n->c };
    for (unsigned i = 0; i < 3; i++)
        if (parts[i] && !(p = bound_in(w, parts[i], symbol, bound)).lost) return p;
    return lost_poly();
}

/* The polynomial for an end of a run: an end of the loop, or one named by a condition around the tensor. */
static struct poly end_poly(struct work *w, const struct run *r, int64_t bound)
{
    const struct spec *s = w->x->spec;
    const struct turn *turn = r->first->turn;
    const struct line *line = &s->lines[r->first->line];
    uint32_t symbol = s->lines[turn->loop->line].symbol, at = line->parent;
    struct poly p = line->tensor->when ? bound_in(w, line->tensor->when, symbol, bound) : lost_poly();
    if (bound == turn->loop->from) return turn->loop->from_poly;
    if (bound == turn->loop->to) return turn->loop->to_poly;
    while (p.lost && at != NO_LINE && at != turn->loop->line) {
        const struct line *up = &s->lines[at];
        bool choice = up->kind == LINE_IF || up->kind == LINE_ELSE || up->kind == LINE_EXTRA;
        if (choice && up->expr[0]) p = bound_in(w, up->expr[0], symbol, bound);
        at = up->kind == LINE_ELSE || up->kind == LINE_OR ? up->previous : up->parent;
    }
    return p;
}

static struct poly turns_poly(struct work *w, const struct run *r)
{
    struct factors *f = &w->x->factors;
    struct poly all = poly_number(f, 1);
    uint64_t product = 1;
    for (const struct turn *t = r->first->turn; t; t = t->outer) {
        all = poly_multiply(f, all, poly_subtract(f, t->loop->to_poly, t->loop->from_poly));
        if (!num_mul(&product, product, (uint64_t)(t->loop->to - t->loop->from))) product = 0;
    }
    if (product == r->turns) return sure(w, all, r->turns);
    numel_error *kept = w->x->env.error, mine = { 0 };
    w->x->env.error = &mine; /* a condition that fails here gives no name */
    const struct turn *first = r->first->turn;
    bool unbroken = first && !first->outer && (uint64_t)(r->last - first->at) == r->turns - 1;
    if (unbroken) all = poly_subtract(f, end_poly(w, r, r->last + 1), end_poly(w, r, first->at));
    w->x->env.error = kept;
    if (mine.code == NUMEL_E_NOMEM) error_nomem(kept);
    return sure(w, all, r->turns);
}

/* ---- the expression --------------------------------------------------------------------------- */

static bool add_piece(struct work *w, struct poly turns, struct poly sum)
{
    int64_t one;
    bool outside = poly_is_number(turns, &one) && one == 1;
    for (size_t i = 0; i < w->piece_count; i++) {
        struct piece *p = &w->pieces[i];
        struct poly both = poly_same(p->turns, turns) ? poly_add(&w->x->factors, p->sum, sum) : lost_poly();
        if (both.lost || (outside && both.n > 1)) continue; /* such a piece is a monomial */
        p->sum = both;
        return true;
    }
    if (!memory_grow(w->x->arena.memory, (void **)&w->pieces, &w->piece_cap, w->piece_count + 1,
                     sizeof *w->pieces, w->error))
        return false;
    w->pieces[w->piece_count++] = (struct piece){ turns, sum };
    return true;
}

NUMEL_MUST static bool add_run(struct work *w, const struct run *r)
{
    struct factors *f = &w->x->factors;
    struct poly turns = turns_poly(w, r);
    struct poly sum = poly_multiply(f, sure(w, r->first->times, r->first->stack), r->each);
    int64_t one;
    if (sum.lost) return error_set(w->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "the formula is too large");
    if (!(poly_is_number(turns, &one) && one == 1)) return add_piece(w, turns, sum);
    for (uint32_t i = 0; i < sum.n; i++)
        if (!add_piece(w, turns, (struct poly){ &sum.items[i], 1, false })) return false;
    return true;
}

static void print_piece(struct work *w, const struct piece *p, struct buffer *b)
{
    const struct factors *f = &w->x->factors;
    int64_t one;
    bool outside = poly_is_number(p->turns, &one) && one == 1;
    if (b->n) buffer_text(b, " + ");
    if (!outside) {
        if (p->turns.n > 1) buffer_char(b, '(');
        poly_print(f, p->turns, b);
        buffer_text(b, p->turns.n > 1 ? ")*" : "*");
    }
    if (!outside && p->sum.n > 1) buffer_char(b, '(');
    poly_print(f, p->sum, b);
    if (!outside && p->sum.n > 1) buffer_char(b, ')');
}

static const char *keep_text(struct work *w, struct buffer *b)
{
    char *text = b->failed ? NULL : arena_text(&w->terms->arena, b->p, b->n);
    if (!text) error_nomem(w->error);
    buffer_done(b);
    return text;
}

static bool expression(struct work *w)
{
    struct buffer b;
    int64_t sum = 0, turns, part;
    const struct factors *f = &w->x->factors;
    bool same = true;
    buffer_init(&b, w->x->arena.memory);
    for (size_t i = 0; i < w->piece_count; i++) {
        const struct piece *p = &w->pieces[i];
        print_piece(w, p, &b);
        same = same && poly_value(f, p->turns, &turns) && poly_value(f, p->sum, &part) &&
               !__builtin_mul_overflow(turns, part, &part) && !__builtin_add_overflow(sum, part, &sum);
    }
    if (!same || (uint64_t)sum != w->x->totals.parameters) {
        b.n = 0;
        buffer_format(&b, "%" PRIu64, w->x->totals.parameters);
    } else if (!b.n) {
        buffer_char(&b, '0');
    }
    w->terms->expression = keep_text(w, &b);
    w->terms->total = w->x->totals.parameters;
    return w->terms->expression != NULL;
}

/* ---- terms and symbols ------------------------------------------------------------------------ */

NUMEL_MUST static bool add_term(struct work *w, const struct run *r)
{
    struct terms *t = w->terms;
    struct buffer b;
    uint64_t total;
    bool buffer = r->first->kind == TENSOR_BUF;
    buffer_init(&b, w->x->arena.memory);
    poly_print(&w->x->factors, r->each, &b);
    const char *expr = keep_text(w, &b);
    if (!expr) return false;
    if (!num_mul(&total, r->elements, r->times))
        return error_set(w->error, NUMEL_E_OVERFLOW, NUMEL_NOWHERE, "a term does not fit");
    for (size_t i = 0; i < t->count; i++) {
        struct term *m = &t->items[i];
        if (!text_same(m->role, r->first->role) || strcmp(m->expr, expr) != 0 || m->each != r->elements ||
            m->buffer != buffer)
            continue;
        m->times += r->times;
        m->total += total; /* fits: part of the expansion's total */
        if (r->evidence > m->evidence) m->evidence = r->evidence;
        return true;
    }
    if (!memory_grow(t->arena.memory, (void **)&t->items, &w->term_cap, t->count + 1, sizeof *t->items,
                     w->error))
        return false;
    t->items[t->count++] = (struct term){
        .role = r->first->role,
        .expr = expr,
        .each = r->elements,
        .times = r->times,
        .total = total,
        .buffer = buffer,
        .evidence = r->evidence,
    };
    return true;
}

NUMEL_MUST static bool add_symbol(struct work *w, size_t i)
{
    const struct value *v = &w->x->env.bound[i];
    numel_str name = w->x->spec->symbols[i].name;
    struct terms *t = w->terms;
    if (!memory_grow(t->arena.memory, (void **)&t->symbols, &w->symbol_cap, t->symbol_count + 1,
                     sizeof *t->symbols, w->error))
        return false;
    const char *from = v->key ? v->key : "";
    char *by = v->by && v->key ? arena_format(&t->arena, "%s.%s", v->by, v->key)
                               : arena_text(&t->arena, from, strlen(from));
    char *text = arena_text(&t->arena, name.p, name.n);
    if (!by || !text) return error_nomem(w->error);
    t->symbols[t->symbol_count++] = (struct term_symbol){ text, v->i, by, v->evidence };
    return true;
}

NUMEL_MUST static bool make(struct work *w)
{
    struct expansion *x = w->x;
    w->of_line = arena_alloc(&x->arena, x->spec->line_count * sizeof *w->of_line + 1);
    if (!w->of_line) return error_nomem(w->error);
    memset(w->of_line, 0, x->spec->line_count * sizeof *w->of_line);
    for (size_t i = 0; i < x->site_count; i++)
        if (x->sites[i].counted && !add_site(w, &x->sites[i])) return false;
    for (size_t i = 0; i < w->run_count; i++) {
        if (!add_term(w, &w->runs[i])) return false;
        if (w->runs[i].first->kind != TENSOR_BUF && !add_run(w, &w->runs[i])) return false;
    }
    for (size_t i = 0; i < x->spec->symbol_count; i++)
        if (x->shown[i] && x->env.is_bound[i] && x->env.bound[i].kind == VALUE_INT && !add_symbol(w, i))
            return false;
    if (x->factors.failed) return error_nomem(w->error);
    return error_free(w->error) && expression(w);
}

bool terms_of(struct terms *out, struct expansion *x, numel_error *e)
{
    struct work w = { .x = x, .terms = out, .error = e };
    *out = (struct terms){ 0 };
    arena_init(&out->arena, x->arena.memory);
    x->env.error = e;
    bool ok = make(&w);
    memory_release(x->arena.memory, w.runs);
    memory_release(x->arena.memory, w.pieces);
    if (!ok) terms_done(out);
    return ok;
}

void terms_done(struct terms *t)
{
    memory_release(t->arena.memory, t->items);
    memory_release(t->arena.memory, t->symbols);
    arena_done(&t->arena);
    t->items = NULL;
    t->symbols = NULL;
    t->count = t->symbol_count = 0;
}
