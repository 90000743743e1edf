/*
 * poly.h -- polynomials with integer coefficients over named factors.
 *
 * Formulas are computed with these: a tensor's size is the product of its dims, a role's the sum of its
 * tensors, and like monomials are merged. A factor is a symbol of the spec, or an expression that is not a
 * polynomial (E/32, max(a, b)) and stays in one piece.
 *
 * Invariants: no monomial has coefficient 0, and no two have the same factors. Monomials keep the order in
 * which they first appeared, factors the order in which they were multiplied. A polynomial that would exceed
 * the limits, or overflow, is "lost": the plain number is then shown instead.
 */
#ifndef NUMEL_FORMULA_POLY_H
#define NUMEL_FORMULA_POLY_H

#include "base/buffer.h"
#include "base/memory.h"

enum { POLY_FACTORS = 12, POLY_MONOMIALS = 256 };

struct factor {
    numel_str text; /* "E", "(E/32)" */
    int64_t value;
};

struct factors {
    struct arena *arena;
    struct factor *items;
    size_t count, cap;
    bool failed; /* out of memory */
};

struct monomial {
    int64_t coefficient;
    uint16_t factor[POLY_FACTORS];
    uint8_t n;
};

struct poly {
    const struct monomial *items; /* in the arena; immutable */
    uint32_t n;
    bool lost;
};

void factors_init(struct factors *f, struct arena *a);
void factors_done(struct factors *f);

struct poly poly_number(struct factors *f, int64_t n);
struct poly poly_factor(struct factors *f, numel_str text, int64_t value);
struct poly poly_add(struct factors *f, struct poly a, struct poly b);
struct poly poly_subtract(struct factors *f, struct poly a, struct poly b);
struct poly poly_multiply(struct factors *f, struct poly a, struct poly b);
/* Divides each coefficient by k; lost if there is a remainder. */
struct poly poly_divide(struct factors *f, struct poly a, int64_t k);
/* The monomial with value v, searched from number `from` on; lost if there is none. */
struct poly poly_part(const struct factors *f, struct poly a, uint32_t from, uint64_t v);
bool poly_same(struct poly a, struct poly b); /* monomials and factors in any order */
bool poly_is_number(struct poly a, int64_t *n);
/* False if it is lost or does not fit in 64 bits. */
bool poly_value(const struct factors *f, struct poly a, int64_t *out);
/* The same, with value `v` for each factor with that text: the size with another vocabulary. */
bool poly_value_with(const struct factors *f, struct poly a, numel_str text, int64_t v, int64_t *out);
/* "2*H*D*E + E"; "0" if empty. */
void poly_print(const struct factors *f, struct poly a, struct buffer *b);

#endif
