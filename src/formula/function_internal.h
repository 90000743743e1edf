/*
 * function_internal.h -- shared by function.c, which has the table of all functions, and function_*.c only.
 */
#ifndef NUMEL_FORMULA_FUNCTION_INTERNAL_H
#define NUMEL_FORMULA_FUNCTION_INTERNAL_H

#include "formula/eval.h"

enum { ARGUMENTS = 8 };

struct call {
    struct env *env;
    uint32_t node, at[ARGUMENTS];
    unsigned count;
    struct value v[ARGUMENTS];
};

/* Reports that an argument is not what is wanted; always false. */
bool call_wrong(struct call *c, unsigned i, const char *wanted);

/* True if argument i is a list that can be read. */
bool call_items(struct call *c, unsigned i);

/* ---- function_number.c: numbers from numbers -------------------------------------------------- */

bool call_extreme(struct call *c, struct value *out);  /* min, max */
bool call_quotient(struct call *c, struct value *out); /* ceil_div, floor_div, round_up */
bool call_product(struct call *c, struct value *out);  /* mul, ceil, round */
bool call_divisible(struct call *c, struct value *out);
bool call_ratio(struct call *c, struct value *out);
bool call_power(struct call *c, struct value *out);
bool call_log2(struct call *c, struct value *out);
bool call_root(struct call *c, struct value *out);
bool call_grid(struct call *c, struct value *out);
bool call_sum(struct call *c, struct value *out);
bool call_primes(struct call *c, struct value *out);
NUMEL_MUST bool call_outs(struct call *c, struct value *out);

/* ---- function_layout.c: for layouts ----------------------------------------------------------- */

NUMEL_MUST bool call_own(struct call *c, struct value *out);
bool call_q(struct call *c, struct value *out);
bool call_width(struct call *c, struct value *out);
bool call_bitsof(struct call *c, struct value *out);
bool call_holds(struct call *c, struct value *out);
NUMEL_MUST bool call_case(struct call *c, struct value *out); /* lower, upper */
NUMEL_MUST bool call_text(struct call *c, struct value *out);
bool call_pow2(struct call *c, struct value *out);
bool call_ggml(struct call *c, struct value *out); /* ggml_block, ggml_bytes */

/* ---- witness.c: what a file has next to a module: dim, ints, number, json, meta ----------------- */

NUMEL_MUST bool call_witness(struct call *c, struct value *out);

#endif
