/* alike.c -- how many iterations of a loop give the same result; see alike.h. */
#include "formula/alike.h"

#include "base/num.h"

#include <string.h>

/* ---- lines that bind symbols ------------------------------------------------------------------ */

/* Gathers `let` and `for` lines by symbol, in order: a counting sort. */
bool alike_init(struct alike *a, const struct spec *s, struct arena *arena, numel_error *e)
{
    size_t n = s->symbol_count, total = 0;
    *a = (struct alike){ .clock = 0 };
    size_t *from = arena_alloc(arena, (n + 1) * sizeof *from);
    a->bound = arena_alloc(arena, n * sizeof *a->bound);
    a->moving = arena_alloc(arena, n * sizeof *a->moving);
    a->is_moving = arena_alloc(arena, n * sizeof *a->is_moving);
    if (!from || !a->bound || !a->moving || !a->is_moving) return error_nomem(e);
    memset(from, 0, (n + 1) * sizeof *from);
    memset(a->bound, 0, n * sizeof *a->bound);
    memset(a->is_moving, 0, n * sizeof *a->is_moving);
    for (size_t i = 0; i < s->line_count; i++)
        if (s->lines[i].kind == LINE_LET || s->lines[i].kind == LINE_FOR)
            from[s->lines[i].symbol + 1]++, total++;
    for (size_t i = 0; i < n; i++) from[i + 1] += from[i];
    a->lets = arena_alloc(arena, total * sizeof *a->lets);
    if (!a->lets) return error_nomem(e);
    for (uint32_t i = 0; i < s->line_count; i++)
        if (s->lines[i].kind == LINE_LET || s->lines[i].kind == LINE_FOR)
            a->lets[from[s->lines[i].symbol]++] = (struct alike_let){ s->lines[i].symbol, i };
    a->let_count = total;
    return true;
}

/* True if a line of the loop binds the symbol. */
static bool is_given_in(const struct alike *a, const struct alike_loop *l, uint32_t symbol)
{
    size_t from = 0, to = a->let_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct alike_let *x = &a->lets[middle];
        if (x->symbol < symbol || (x->symbol == symbol && x->line <= l->line)) from = middle + 1;
        else to = middle;
    }
    return from < a->let_count && a->lets[from].symbol == symbol && a->lets[from].line < l->close;
}

/* ---- loops ------------------------------------------------------------------------------------ */

static struct alike_loop *innermost(struct alike *a) { return &a->loops[a->depth - 1]; }

void alike_enter(struct alike *a, uint32_t line, uint32_t close)
{
    a->loops[a->depth++] = (struct alike_loop){ .line = line, .close = close };
}

void alike_start(struct alike *a, int64_t i, int64_t to)
{
    struct alike_loop *l = innermost(a);
    l->start = i;
    l->until = to;
    l->period = 1;
    l->looked = a->clock;
}

void alike_turn(struct alike *a, int64_t i, struct value *v)
{
    struct alike_loop *l = innermost(a);
    l->at = i;
    l->began = ++a->clock;
    v->step = 1;
    v->loop = (uint8_t)(a->depth - 1);
}

/* Skips symbols bound before the scan began: these iterations did not bind them (`if i < 5`, `let last = i`).
 * For the others the product fits: see alike_arithmetic(). */
void alike_advance(struct env *env, int64_t turns)
{
    const struct alike *a = env->alike;
    for (size_t i = 0; i < a->moving_count; i++) {
        struct value *v = &env->bound[a->moving[i]];
        bool here = v->step && v->loop == a->depth - 1;
        if (here && a->bound[a->moving[i]] > a->loops[v->loop].looked) v->i += v->step * turns;
    }
}

void alike_leave(struct env *env)
{
    struct alike *a = env->alike;
    size_t kept = 0;
    for (size_t i = 0; i < a->moving_count; i++) {
        uint32_t symbol = a->moving[i];
        struct value *v = &env->bound[symbol];
        if (v->loop == a->depth - 1) v->step = 0;
        a->is_moving[symbol] = v->step != 0;
        if (v->step) a->moving[kept++] = symbol;
    }
    a->moving_count = kept;
    a->depth--;
}

static void end_at(struct alike_loop *l, int64_t turn)
{
    if (turn < l->until) l->until = turn;
}

/* The result changes in k iterations. */
static void end_in(struct alike_loop *l, int64_t k)
{
    int64_t turn;
    if (!__builtin_add_overflow(l->at, k, &turn)) end_at(l, turn);
}

void alike_settle(struct env *env, struct value *v)
{
    if (v->step) end_in(&env->alike->loops[v->loop], 1);
    v->step = 0;
}

void alike_alone(struct alike *a)
{
    for (unsigned d = 0; d < a->depth; d++) end_in(&a->loops[d], 1);
}

/* ---- symbols ---------------------------------------------------------------------------------- */

void alike_bound(struct env *env, uint32_t symbol)
{
    struct alike *a = env->alike;
    a->bound[symbol] = ++a->clock;
    if (!env->bound[symbol].step || a->is_moving[symbol]) return;
    a->is_moving[symbol] = true;
    a->moving[a->moving_count++] = symbol;
}

void alike_read(struct alike *a, uint32_t symbol)
{
    for (unsigned d = a->depth; d-- > 0 && a->bound[symbol] < a->loops[d].began;)
        if (is_given_in(a, &a->loops[d], symbol)) end_in(&a->loops[d], 1);
}

/* ---- operations ------------------------------------------------------------------------------- */

/* Adds the period of v % n to that of the loop. False if it has none, or one that is too long. */
static bool add_period(struct alike *a, const struct value *v, int64_t n)
{
    struct alike_loop *l = &a->loops[v->loop];
    if (v->i < 0 || v->step < 1 || n < 1) return false;
    int64_t period = n / (int64_t)num_gcd((uint64_t)n, (uint64_t)v->step);
    if (period > ALIKE_PERIOD) return false;
    period *= l->period / (int64_t)num_gcd((uint64_t)l->period, (uint64_t)period);
    if (period > ALIKE_PERIOD) return false;
    return l->period = period, true;
}

/* Finds the step of the result. False if it does not move by a constant step. */
static bool find_step(enum node_kind kind, const struct value *a, const struct value *b, int64_t *step)
{
    if (a->step && b->step && a->loop != b->loop) return false;
    switch (kind) {
    case NODE_ADD: return !__builtin_add_overflow(a->step, b->step, step);
    case NODE_SUB: return !__builtin_sub_overflow(a->step, b->step, step);
    case NODE_MUL:
        return !(a->step && b->step) &&
               !__builtin_mul_overflow(a->step ? a->step : b->step, a->step ? b->i : a->i, step);
    default: return false;
    }
}

/* Ends the range where the value leaves 64 bits: from there each iteration is walked, and refused. */
static void end_with(struct alike *a, const struct value *v)
{
    int64_t up = v->i < 0 ? INT64_MAX : INT64_MAX - v->i, down = v->i > 0 ? INT64_MAX : INT64_MAX + v->i;
    if (v->step > 0) end_in(&a->loops[v->loop], up / v->step);
    if (v->step < 0) end_in(&a->loops[v->loop], v->step == INT64_MIN ? 0 : down / -v->step);
}

void alike_arithmetic(struct env *env, enum node_kind kind, struct value *a, struct value *b,
                      struct value *out)
{
    int64_t step;
    if (!a->step && !b->step) return;
    if (find_step(kind, a, b, &step)) {
        out->step = step;
        out->loop = a->step ? a->loop : b->loop;
        end_with(env->alike, out);
    } else if (!(kind == NODE_MOD && !b->step && add_period(env->alike, a, b->i))) {
        alike_settle(env, a);
        alike_settle(env, b);
    }
}

/* Number of iterations until `d` crosses zero, in *k; false if it never does. */
static bool until_sign(int64_t d, int64_t step, int64_t *k)
{
    if ((d < 0) != (step > 0) || step == INT64_MIN || d == INT64_MIN) return false;
    *k = d < 0 ? (-d - 1) / step + 1 : d / -step + 1;
    return true;
}

void alike_compare(struct env *env, enum node_kind kind, struct value *a, struct value *b)
{
    int64_t d, k, step;
    if (!a->step && !b->step) return;
    if (a->kind != VALUE_INT || b->kind != VALUE_INT) return; /* never equal */
    bool equality = kind == NODE_EQ || kind == NODE_NE;
    if (!find_step(NODE_SUB, a, b, &step) || __builtin_sub_overflow(a->i, b->i, &d) ||
        __builtin_sub_overflow(d, !equality && (kind == NODE_LE || kind == NODE_GT), &d)) {
        alike_settle(env, a);
        alike_settle(env, b);
        return;
    }
    if (!step) return;
    struct alike_loop *l = &env->alike->loops[a->step ? a->loop : b->loop];
    if (!equality && until_sign(d, step, &k)) end_in(l, k);
    if (equality && d == 0) end_in(l, 1);
    if (equality && d && d != INT64_MIN && d % step == 0 && -d / step > 0) end_in(l, -d / step);
}

void alike_index(struct env *env, const struct value *list, struct value *i)
{
    if (!i->step || (list->kind != VALUE_LIST && list->kind != VALUE_TEXT && list->kind != VALUE_OBJECT))
        return;
    if (list->kind != VALUE_LIST || !list->list.items || i->step < 1) {
        alike_settle(env, i);
        return;
    }
    struct alike_loop *l = &env->alike->loops[i->loop];
    const struct value *items = list->list.items;
    uint64_t at = (uint64_t)i->i, n = list->list.n, step = (uint64_t)i->step;
    int64_t k = 1;
    while (k < l->until - l->at && step < n - at && value_equal(&items[at + step], &items[i->i]))
        at += step, k++;
    end_in(l, k);
}

void alike_in(struct env *env, const struct value *list, struct value *i)
{
    if (!i->step) return;
    if (list->kind == VALUE_NULL) return;
    if (list->kind != VALUE_LIST || !list->list.items || i->step < 1) {
        alike_settle(env, i);
        return;
    }
    struct alike_loop *l = &env->alike->loops[i->loop];
    for (uint64_t k = 0; k < list->list.n; k++) {
        const struct value *v = &list->list.items[k];
        int64_t d;
        if (v->kind != VALUE_INT || __builtin_sub_overflow(v->i, i->i, &d)) continue;
        if (d == 0) end_in(l, 1);
        else if (d > 0 && d % i->step == 0) end_in(l, d / i->step);
    }
}
