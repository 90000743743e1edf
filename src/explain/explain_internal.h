/* explain_internal.h -- what the files of explain share; see explain.h. */
#ifndef NUMEL_EXPLAIN_EXPLAIN_INTERNAL_H
#define NUMEL_EXPLAIN_EXPLAIN_INTERNAL_H

#include "explain/explain.h"

/* explain_count.c: all that may be counted, the parameters first. */
bool explain_countings(struct explanation *x, numel_error *e);
/* Adds one, unless it has nothing to count or too much for 61 bits. */
bool explain_add(struct explanation *x, struct counting c, numel_error *e);
/* explain_classes.c: of a configuration, what other classes of it have. */
bool explain_classes(struct explanation *x, numel_error *e);
/* Bit sets over the steps: all of a kind; those of a kind that concern an entry. */
uint64_t explain_steps_of(enum step_kind kind);
uint64_t explain_steps_on(const struct entry *n, enum step_kind kind);
bool explain_in_scope(const struct counting *c, const struct entry *n);
/* Does the entry stand beside the parameters, so that a step must take it in? */
bool explain_needs_step(const struct counting *c, const struct entry *n);
/* How many of so many experts are counted. */
uint64_t explain_experts(const struct ledger *l, uint64_t taken, uint64_t of);
/* Elements of an entry that is taken. */
uint64_t explain_size(const struct explanation *x, const struct counting *c, uint64_t taken,
                      const struct entry *n);

/* What an account may cost at most and be an explanation: half of what the claim is worth, and two bits. */
static inline unsigned explain_bits_most(const struct explanation *x) { return x->bits / 2 + 2; }
/* explain.c: no account with this counting, slip and reading explains the claim, whatever it costs. */
bool explain_is_loose(const struct explanation *x, const struct account *a);

static inline unsigned explain_bits(uint64_t v) /* floor(log2), 0 for 0 */
{
    return v ? 63 - (unsigned)__builtin_clzll(v) : 0;
}

#endif
