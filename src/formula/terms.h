/*
 * terms.h -- the formula, derived from an expansion.
 *
 * A term is all tensors of one role and one size expression: expr, each, times, total. The whole expression
 * collects the terms: those outside of loops, and one bracket for each distinct number of iterations. Llama
 * without tying reads
 *     2*V*E + L*(2*H*D*E + 2*K*D*E + 3*F*E + 2*E) + E
 * Only parameters are in it; buffers have terms but are not in the expression.
 *
 * A number of iterations is symbolic if it covers a whole loop, or a contiguous range whose ends are named by
 * conditions (`i < k0`: k0 and L - k0); else it is a plain number. Each printed expression is evaluated again
 * and compared with the count; one that differs (which should not happen), or is too long, is replaced by its
 * number. So what is shown is always true.
 */
#ifndef NUMEL_FORMULA_TERMS_H
#define NUMEL_FORMULA_TERMS_H

#include "formula/expand.h"

struct term {
    numel_str role;
    const char *expr; /* of one tensor */
    uint64_t each, times, total;
    bool buffer;
    enum evidence evidence;
};

struct term_symbol {
    const char *name;
    int64_t value;
    const char *from; /* a key, "LlamaConfig.hidden_size", a glob; "" for a constant */
    enum evidence evidence;
};

struct terms {
    struct arena arena;
    struct term *items;
    size_t count;
    struct term_symbol *symbols; /* symbols in the expressions, in the order of the spec */
    size_t symbol_count;
    const char *expression;
    uint64_t total; /* parameters; equals the expansion's */
};

/* OVERFLOW, NOMEM. The expansion must outlive it; its arena and factors are used as workspace. */
NUMEL_MUST bool terms_of(struct terms *out, struct expansion *x, numel_error *e);
void terms_done(struct terms *t);

#endif
