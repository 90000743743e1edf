/*
 * alike.h -- which iterations of a loop are alike.
 *
 * A configuration of 2 KB may ask for a million layers, but a formula needs only the number of layers of each
 * kind. So one iteration (a "turn" in the code) is walked, and everything that looks at its number states how
 * long the result holds:
 *
 *     i < k0          until k0; the same for other comparisons and for in(i, LIST)
 *     types[i]        until the type changes
 *     i % n           in every n-th iteration: the loop's period
 *     anything else   in this iteration only
 *
 * The number of an iteration, and any +, - or * of it, is a moving value: value.step is its increment in each
 * iteration. Only names use a moving value as it is; everything else settles it first. So after an iteration
 * has been walked, all iterations before `until` that are congruent to it modulo `period` would give the same
 * result.
 *
 * A `let` may carry a value from one iteration to the next. Then every iteration is walked: reading a symbol
 * before its loop has bound it in this iteration ends the range of like iterations.
 */
#ifndef NUMEL_FORMULA_ALIKE_H
#define NUMEL_FORMULA_ALIKE_H

#include "formula/eval.h"

enum {
    ALIKE_PERIOD = 256 /* longer periods are walked iteration by iteration */
};

struct alike_loop {
    int64_t at;           /* the iteration being walked */
    int64_t until;        /* the first iteration that may differ */
    int64_t period;       /* of all tests since iteration `start` */
    int64_t start;        /* where the scan began: `period` iterations from here must be walked */
    uint32_t line, close; /* the lines of the loop in the spec */
    uint64_t began;       /* clock when the current iteration began */
    uint64_t looked;      /* clock when the scan began, at iteration `start` */
};

/* A line that binds a symbol. */
struct alike_let {
    uint32_t symbol, line;
};

struct alike {
    struct alike_loop loops[SPEC_DEPTH];
    unsigned depth;
    uint64_t clock;         /* number of bindings and iterations so far */
    uint64_t *bound;        /* by symbol: clock when it was bound */
    uint32_t *moving;       /* symbols with a moving value, in any loop */
    size_t moving_count;    /* without duplicates */
    bool *is_moving;        /* by symbol */
    struct alike_let *lets; /* sorted by symbol, then by line */
    size_t let_count;
};

/* Allocates from the arena. NOMEM. */
NUMEL_MUST bool alike_init(struct alike *a, const struct spec *s, struct arena *arena, numel_error *e);

/* Enters the loop of a line. alike_leave() leaves it; values that moved with it become fixed. */
void alike_enter(struct alike *a, uint32_t line, uint32_t close);
void alike_leave(struct env *env);
/* Restarts the scan at iteration i, for iterations before `to`. */
void alike_start(struct alike *a, int64_t i, int64_t to);
/* Begins iteration i; *v is its number. */
void alike_turn(struct alike *a, int64_t i, struct value *v);
/* Skips this many iterations: moving values move on. */
void alike_advance(struct env *env, int64_t turns);

/* A symbol has been bound; a symbol is read. */
void alike_bound(struct env *env, uint32_t symbol);
void alike_read(struct alike *a, uint32_t symbol);

/* The value is used in a way that only this iteration can answer. Does nothing to a fixed value. */
void alike_settle(struct env *env, struct value *v);
/* The same for all loops: the file is asked about a name that has the numbers of all enclosing iterations. */
void alike_alone(struct alike *a);
/* Call after an operation. alike_arithmetic() makes the result, still fixed, move with its operands;
 * alike_compare() ends the range where the answer changes. */
void alike_arithmetic(struct env *env, enum node_kind kind, struct value *a, struct value *b,
                      struct value *out);
void alike_compare(struct env *env, enum node_kind kind, struct value *a, struct value *b);
/* For list[i] and in(i, list). */
void alike_index(struct env *env, const struct value *list, struct value *i);
void alike_in(struct env *env, const struct value *list, struct value *i);

#endif
