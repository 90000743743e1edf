/* poly.c -- sums and products of monomials, kept in order of appearance; see poly.h. */
#include "formula/poly.h"

#include "base/text.h"

#include <string.h>

static const struct poly lost = { NULL, 0, true };

void factors_init(struct factors *f, struct arena *a) { *f = (struct factors){ .arena = a }; }
void factors_done(struct factors *f) { memory_release(f->arena->memory, f->items); }

static bool same_factors(const struct monomial *a, const struct monomial *b)
{
    unsigned used = 0;
    if (a->n != b->n) return false;
    for (unsigned i = 0; i < a->n; i++) {
        unsigned k = 0;
        while (k < b->n && (a->factor[i] != b->factor[k] || used >> k & 1)) k++;
        if (k == b->n) return false;
        used |= 1u << k;
    }
    return true;
}

/* Adds a monomial to the n so far; false if the polynomial is lost. */
static bool collect(struct monomial *items, uint32_t *n, const struct monomial *m)
{
    for (uint32_t i = 0; i < *n; i++)
        if (same_factors(&items[i], m))
            return !__builtin_add_overflow(items[i].coefficient, m->coefficient, &items[i].coefficient);
    if (*n == POLY_MONOMIALS) return false;
    items[(*n)++] = *m;
    return true;
}

static struct poly keep(struct factors *f, const struct monomial *items, uint32_t n)
{
    struct monomial *copy = arena_alloc(f->arena, n * sizeof *copy + 1);
    uint32_t kept = 0;
    if (!copy) return f->failed = true, lost;
    for (uint32_t i = 0; i < n; i++)
        if (items[i].coefficient) copy[kept++] = items[i];
    return (struct poly){ copy, kept, false };
}

struct poly poly_number(struct factors *f, int64_t n)
{
    struct monomial m = { .coefficient = n };
    return keep(f, &m, 1);
}

struct poly poly_factor(struct factors *f, numel_str text, int64_t value)
{
    numel_error e = { 0 };
    struct monomial m = { .coefficient = 1, .n = 1 };
    size_t i = 0;
    while (i < f->count && !(text_same(f->items[i].text, text) && f->items[i].value == value)) i++;
    if (i == UINT16_MAX) return lost;
    if (i == f->count) {
        if (!memory_grow(f->arena->memory, (void **)&f->items, &f->cap, i + 1, sizeof *f->items, &e))
            return f->failed = true, lost;
        f->items[f->count++] = (struct factor){ text, value };
    }
    m.factor[0] = (uint16_t)i;
    return keep(f, &m, 1);
}

static struct poly combine(struct factors *f, struct poly a, struct poly b, bool negative)
{
    struct monomial items[POLY_MONOMIALS];
    uint32_t n = 0;
    if (a.lost || b.lost || a.n > POLY_MONOMIALS) return lost;
    for (uint32_t i = 0; i < a.n; i++) items[n++] = a.items[i];
    for (uint32_t i = 0; i < b.n; i++) {
        struct monomial m = b.items[i];
        if (negative && __builtin_sub_overflow(0, m.coefficient, &m.coefficient)) return lost;
        if (!collect(items, &n, &m)) return lost;
    }
    return keep(f, items, n);
}

struct poly poly_add(struct factors *f, struct poly a, struct poly b) { return combine(f, a, b, false); }

struct poly poly_subtract(struct factors *f, struct poly a, struct poly b) { return combine(f, a, b, true); }

struct poly poly_multiply(struct factors *f, struct poly a, struct poly b)
{
    struct monomial items[POLY_MONOMIALS];
    uint32_t n = 0;
    if (a.lost || b.lost) return lost;
    for (uint32_t i = 0; i < a.n; i++)
        for (uint32_t k = 0; k < b.n; k++) {
            struct monomial m = a.items[i];
            const struct monomial *x = &b.items[k];
            if (m.n + x->n > POLY_FACTORS ||
                __builtin_mul_overflow(m.coefficient, x->coefficient, &m.coefficient))
                return lost;
            for (unsigned j = 0; j < x->n && m.n < POLY_FACTORS; j++) m.factor[m.n++] = x->factor[j];
            if (!collect(items, &n, &m)) return lost;
        }
    return keep(f, items, n);
}

struct poly poly_divide(struct factors *f, struct poly a, int64_t k)
{
    struct monomial items[POLY_MONOMIALS];
    if (a.lost || k < 1 || a.n > POLY_MONOMIALS) return lost;
    for (uint32_t i = 0; i < a.n; i++) {
        items[i] = a.items[i];
        if (items[i].coefficient % k) return lost;
        items[i].coefficient /= k;
    }
    return keep(f, items, a.n);
}

struct poly poly_part(const struct factors *f, struct poly a, uint32_t from, uint64_t v)
{
    for (uint32_t i = 0; !a.lost && i < a.n; i++) {
        struct poly one = { &a.items[(from + i) % a.n], 1, false };
        int64_t worth;
        if (poly_value(f, one, &worth) && worth >= 0 && (uint64_t)worth == v) return one;
    }
    return lost;
}

bool poly_same(struct poly a, struct poly b)
{
    if (a.lost || b.lost || a.n != b.n) return false;
    for (uint32_t i = 0; i < a.n; i++) {
        uint32_t k = 0;
        while (k < b.n &&
               !(a.items[i].coefficient == b.items[k].coefficient && same_factors(&a.items[i], &b.items[k])))
            k++;
        if (k == b.n) return false;
    }
    return true;
}

bool poly_is_number(struct poly a, int64_t *n)
{
    if (a.lost || a.n > 1 || (a.n && a.items[0].n)) return false;
    *n = a.n ? a.items[0].coefficient : 0;
    return true;
}

static bool value_with(const struct factors *f, struct poly a, const numel_str *text, int64_t with,
                       int64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; !a.lost && i < a.n; i++) {
        int64_t v = a.items[i].coefficient;
        for (unsigned k = 0; k < a.items[i].n; k++) {
            const struct factor *x = &f->items[a.items[i].factor[k]];
            int64_t worth = text && text_same(x->text, *text) ? with : x->value;
            if (__builtin_mul_overflow(v, worth, &v)) return false;
        }
        if (__builtin_add_overflow(*out, v, out)) return false;
    }
    return !a.lost;
}

bool poly_value(const struct factors *f, struct poly a, int64_t *out)
{
    return value_with(f, a, NULL, 0, out);
}

bool poly_value_with(const struct factors *f, struct poly a, numel_str text, int64_t v, int64_t *out)
{
    return value_with(f, a, &text, v, out);
}

static void print_monomial(const struct factors *f, const struct monomial *m, bool first, struct buffer *b)
{
    bool negative = m->coefficient < 0;
    uint64_t size = negative ? -(uint64_t)m->coefficient : (uint64_t)m->coefficient;
    const char *sign = first ? "" : " + ";
    if (negative) sign = first ? "-" : " - ";
    buffer_text(b, sign);
    if (size != 1 || m->n == 0) buffer_format(b, "%" PRIu64 "%s", size, m->n ? "*" : "");
    for (unsigned k = 0; k < m->n;) { /* equal neighbours become a power */
        unsigned same = 1;
        while (k + same < m->n && m->factor[k + same] == m->factor[k]) same++;
        numel_str text = f->items[m->factor[k]].text;
        if (k) buffer_char(b, '*');
        buffer_add(b, text.p, text.n);
        if (same > 1) buffer_format(b, "^%u", same);
        k += same;
    }
}

void poly_print(const struct factors *f, struct poly a, struct buffer *b)
{
    if (!a.n) buffer_text(b, a.lost ? "?" : "0");
    for (uint32_t i = 0; i < a.n; i++) print_monomial(f, &a.items[i], i == 0, b);
}
