/* against.c -- joins two comparisons by the tensors of their base. */
#include "diff/against.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum against_closer closer_of(const struct against_row *r)
{
    double b = distance_relative(&r->d[0]), c = distance_relative(&r->d[1]);
    if (isnan(b) || isnan(c)) return AGAINST_NONE;
    return b < c ? AGAINST_B : c < b ? AGAINST_C : AGAINST_SAME;
}

/* How unlike the two are, by the shares of their squared distances; the undefined first. */
static double unlike(const struct against_row *r)
{
    double b = distance_relative(&r->d[0]), c = distance_relative(&r->d[1]);
    if (isnan(b) || isnan(c)) return 2;
    return b + c > 0 ? fabs(b - c) / (b + c) : 0;
}

static int by_unlike(const void *p, const void *q)
{
    const struct against_row *a = p, *b = q;
    double x = unlike(a), y = unlike(b);
    if (x > y || x < y) return x > y ? -1 : 1;
    return text_natural(a->name, b->name);
}

/* The distance of a pair; of an equal one 0, over the other pair's elements. */
static struct distance distance_of(const struct compare_pair *p, const struct compare_pair *other)
{
    if (p->d.differing) return p->d;
    return (struct distance){ .elements = other->d.elements, .a = other->d.a };
}

static bool is_measured(const struct compare_pair *p) { return p->d.differing == 0 || p->measured; }

static void add(struct against_row *to, const struct against_row *r)
{
    to->tensors += r->tensors;
    for (int w = 0; w < 2; w++) distance_join(&to->d[w], &r->d[w]);
}

static void add_pair(struct against *x, const struct diff_values *b, const struct diff_values *c, uint32_t i,
                     uint32_t j)
{
    const struct compare_pair *p = &b->c.pairs[i], *q = &c->c.pairs[j];
    if (p->state != COMPARE_DONE || q->state != COMPARE_DONE || !is_measured(p) || !is_measured(q)) {
        x->not_compared++;
        return;
    }
    if (!p->d.differing && !q->d.differing) {
        x->equal++;
        return;
    }
    struct against_row *r = &x->tensors[x->tensor_count++];
    *r = (struct against_row){ .name = value_tensor(b, i, A)->name,
                               .dtype = { value_tensor(b, i, B)->dtype->name,
                                          value_tensor(c, j, B)->dtype->name },
                               .tensors = 1,
                               .d = { distance_of(p, q), distance_of(q, p) } };
    r->closer = closer_of(r);
    x->closer[r->closer]++;
    add(&x->layers[b->layer_of[i]], r);
    add(&x->all, r);
}

/* Drops layers without a tensor that counts. */
static void settle(struct against *x, const struct diff_values *b)
{
    for (size_t i = 0; i < b->layer_count; i++) {
        if (x->layers[i].tensors == 0) continue;
        struct against_row r = x->layers[i];
        r.name = b->layers[i].name;
        r.closer = closer_of(&r);
        x->layers[x->layer_count++] = r;
    }
    x->all.closer = closer_of(&x->all);
    if (x->tensor_count) qsort(x->tensors, x->tensor_count, sizeof *x->tensors, by_unlike);
}

bool against_make(struct against *x, const struct diff_values *b, const struct diff_values *c,
                  struct arena *a, numel_error *e)
{
    uint32_t *of = NULL;
    size_t count = 0;
    *x = (struct against){ .equal = 0 };
    x->layers = arena_zeroed(a, (b->layer_count + 1) * sizeof *x->layers);
    x->tensors = arena_zeroed(a, (b->c.count + 1) * sizeof *x->tensors);
    of = compare_by_tensor(&c->c, a, &count);
    if (!x->layers || !x->tensors || !of) return error_nomem(e);
    for (uint32_t i = 0; i < b->c.count; i++) {
        uint32_t tensor = b->c.pairs[i].tensor[A];
        uint32_t j = tensor < count ? of[tensor] : UINT32_MAX;
        if (j == UINT32_MAX) x->not_compared++;
        else add_pair(x, b, c, i, j);
    }
    settle(x, b);
    return true;
}
