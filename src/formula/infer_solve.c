/*
 * infer_solve.c -- solves the equations of a trial.
 *
 * Each product of unknowns (E, H*D, K*D) is a column of a linear system, each equation a row. The system is
 * kept reduced: every row has a column that no other row has. A row with one column left gives that product
 * its value; a product of one unknown gives the unknown. That turns other products into numbers, and the
 * system is solved again until nothing new is found. Equations that more axes support come first; one that
 * contradicts earlier ones is dropped and counted.
 */
#include "formula/infer_internal.h"

#include "base/num.h"

#include <stdlib.h>

struct row {
    int64_t c[INFER_COLUMNS], right;
    unsigned pivot;
    struct origin origin;
};

struct system {
    struct monomial columns[INFER_COLUMNS];
    unsigned width, height;
    struct row rows[INFER_COLUMNS];
};

int solve_factor(const struct trial *s, numel_str path)
{
    for (size_t i = 0; i < s->factors.count; i++)
        if (text_same(s->factors.items[i].text, path)) return (int)i;
    return -1;
}

int64_t solve_gcd(int64_t a, int64_t b)
{
    uint64_t g = num_gcd(num_size(a), num_size(b));
    return g > INT64_MAX ? 1 : (int64_t)g;
}

/* Divides a row by the common divisor. */
static void plain(const struct system *y, struct row *r)
{
    int64_t g = r->right;
    for (unsigned i = 0; i < y->width; i++) g = solve_gcd(g, r->c[i]);
    if (g < 2) return;
    r->right /= g;
    for (unsigned i = 0; i < y->width; i++) r->c[i] /= g;
}

static bool cross(int64_t *x, int64_t by, int64_t y, int64_t times)
{
    int64_t a, b;
    return !__builtin_mul_overflow(*x, by, &a) && !__builtin_mul_overflow(y, times, &b) &&
           !__builtin_sub_overflow(a, b, x);
}

/* Eliminates column `at` from r, using `by`. */
static bool eliminate(const struct system *y, struct row *r, const struct row *by, unsigned at)
{
    int64_t a = r->c[at], b = by->c[at];
    if (!a) return true;
    int64_t g = solve_gcd(a, b);
    if (g < 1) return false;
    a /= g;
    b /= g;
    for (unsigned i = 0; i < y->width; i++)
        if (!cross(&r->c[i], b, by->c[i], a)) return false;
    if (!cross(&r->right, b, by->right, a)) return false;
    r->origin.text = NULL;
    plain(y, r);
    return true;
}

static int column(struct system *y, const struct monomial *m)
{
    for (unsigned i = 0; i < y->width; i++)
        if (y->columns[i].n == m->n && memcmp(y->columns[i].factor, m->factor, m->n * sizeof *m->factor) == 0)
            return (int)i;
    if (y->width == INFER_COLUMNS) return -1;
    y->columns[y->width] = *m;
    return (int)y->width++;
}

/* Replaces solved unknowns by numbers and sorts the rest. False: too many products, or overflow. */
static bool substitute(const struct trial *s, struct system *y, const struct equation *q, struct row *r)
{
    *r = (struct row){ .right = q->right, .origin = q->origin };
    for (uint32_t i = 0; i < q->left.n; i++) {
        const struct monomial *m = &q->left.items[i];
        struct monomial rest = { .n = 0 };
        int64_t c = m->coefficient;
        for (unsigned k = 0; k < m->n; k++) {
            unsigned at = rest.n;
            if (s->is_solved[m->factor[k]]) {
                if (__builtin_mul_overflow(c, s->solved[m->factor[k]], &c)) return false;
                continue;
            }
            for (; at && rest.factor[at - 1] > m->factor[k]; at--) rest.factor[at] = rest.factor[at - 1];
            rest.factor[at] = m->factor[k];
            rest.n++;
        }
        int at = rest.n ? column(y, &rest) : -1;
        if (rest.n && at < 0) return false;
        if (rest.n ? __builtin_add_overflow(r->c[at], c, &r->c[at])
                   : __builtin_sub_overflow(r->right, c, &r->right))
            return false;
    }
    return true;
}

/* False if it contradicts the rows so far. */
static bool insert(struct system *y, struct row *r)
{
    unsigned at = 0;
    for (unsigned i = 0; i < y->height; i++)
        if (!eliminate(y, r, &y->rows[i], y->rows[i].pivot)) return true; /* overflow: the row is not used */
    while (at < y->width && !r->c[at]) at++;
    if (at == y->width) return r->right == 0;
    if (y->height == INFER_COLUMNS) return true;
    r->pivot = at;
    plain(y, r);
    for (unsigned i = 0; i < y->height; i++) {
        struct row changed = y->rows[i];
        if (eliminate(y, &changed, r, at)) y->rows[i] = changed;
    }
    y->rows[y->height++] = *r;
    return true;
}

/* The integer root of v; false if there is none. */
static bool root(int64_t v, unsigned power, int64_t *out)
{
    int64_t low = 0, high = v;
    if (power == 1) return *out = v, v >= 0;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2, p = 1;
        bool over = false;
        for (unsigned i = 0; i < power && !over; i++) over = __builtin_mul_overflow(p, middle, &p);
        if (over || p > v) high = middle - 1;
        else low = middle;
    }
    int64_t p = 1;
    for (unsigned i = 0; i < power; i++)
        if (__builtin_mul_overflow(p, low, &p)) return false;
    return *out = low, v >= 0 && p == v;
}

static bool whole(const struct row *r, int64_t *out)
{
    int64_t c = r->c[r->pivot];
    if (c == 0 || (c == -1 && r->right == INT64_MIN) || r->right % c) return false;
    return *out = r->right / c, true;
}

/* Reads values off the rows. Returns the number of unknowns solved. */
static unsigned harvest(struct trial *s, const struct system *y)
{
    unsigned found = 0;
    s->fact_count = 0;
    for (unsigned i = 0; i < y->height; i++) {
        const struct row *r = &y->rows[i];
        const struct monomial *m = &y->columns[r->pivot];
        unsigned others = 0;
        int64_t v;
        for (unsigned k = 0; k < y->width; k++) others += k != r->pivot && r->c[k] != 0;
        if (others) continue;
        bool single = true;
        for (unsigned k = 1; k < m->n; k++) single &= m->factor[k] == m->factor[0];
        if (!whole(r, &v) || v < 0 || (single && !root(v, m->n, &v))) {
            s->score.conflicts++;
        } else if (!single) {
            s->facts[s->fact_count++] = (struct fact){ *m, v };
        } else if (!s->is_solved[m->factor[0]]) {
            s->is_solved[m->factor[0]] = true;
            s->solved[m->factor[0]] = v;
            s->origins[m->factor[0]] = r->origin;
            found++;
        }
    }
    return found;
}

static int heavier(const void *a, const void *b)
{
    const struct equation *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    if (x->right != y->right) return x->right < y->right ? -1 : 1;
    if (x->origin.axis != y->origin.axis) return x->origin.axis < y->origin.axis ? -1 : 1;
    return strcmp(x->origin.text, y->origin.text);
}

NUMEL_MUST static bool solution_new(struct trial *s)
{
    size_t n = s->factors.count;
    if (!s->system) s->system = memory_resize(s->arena.memory, NULL, sizeof *s->system);
    s->is_solved = arena_alloc(&s->arena, n * sizeof *s->is_solved);
    s->solved = arena_alloc(&s->arena, n * sizeof *s->solved);
    s->origins = arena_alloc(&s->arena, n * sizeof *s->origins);
    if (!s->system || !s->is_solved || !s->solved || !s->origins) return error_nomem(s->f->error);
    memset(s->is_solved, 0, n * sizeof *s->is_solved);
    return true;
}

bool solve(struct trial *s)
{
    if (!solution_new(s)) return false;
    if (s->equation_count) qsort(s->equations, s->equation_count, sizeof *s->equations, heavier);
    for (unsigned found = 1; found;) {
        struct row r;
        s->system->width = s->system->height = 0;
        s->score.conflicts = 0;
        for (size_t i = 0; i < s->equation_count; i++)
            if (substitute(s, s->system, &s->equations[i], &r) && !insert(s->system, &r))
                s->score.conflicts += s->equations[i].weight;
        found = harvest(s, s->system);
    }
    return true;
}
