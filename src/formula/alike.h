/*
 * alike.h -- which turns of a loop are alike.
 *
 * A configuration of 2 KB may ask for a million layers, and all that a formula needs of them is how many there
 * are of each sort. So a turn is walked, and whatever looks at the number of the turn says for how long the
 * answer stays what it is:
 *
 *     i < k0          until k0; likewise the other comparisons, and in(i, LIST)
 *     types[i]        until a type of another kind
 *     i % n           in every n-th turn: the loop's period
 *     all else        in this turn only
 *
 * The number of a turn, and what is computed of it by + - and *, is a value that moves: value.step says by how
 * much with each turn. Only names may use it as it is; whoever else does settles it first. So when a turn has
 * been walked, those up to `until` that agree with it in their rest by `period` would have come out the same.
 *
 * A `let` may carry a value from one turn into the next. Then every turn is walked: a symbol that is read
 * before its loop has given it a value in this turn ends the turn's likeness.
 */
#ifndef NUMEL_FORMULA_ALIKE_H
#define NUMEL_FORMULA_ALIKE_H

#include "formula/eval.h"

enum {
    ALIKE_PERIOD = 256 /* at most; what has a longer one is walked turn by turn */
};

struct alike_loop {
    int64_t at;           /* the turn that is walked */
    int64_t until;        /* the first that may come out otherwise */
    int64_t period;       /* of what was asked since the turn `start` */
    int64_t start;        /* where looking began: from here on, `period` turns have to be walked */
    uint32_t line, close; /* the loop's, in the spec */
    uint64_t began;       /* when the turn at hand did */
    uint64_t looked;      /* when looking did, at the turn `start` */
};

/* A line that gives a symbol a value. */
struct alike_let {
    uint32_t symbol, line;
};

struct alike {
    struct alike_loop loops[SPEC_DEPTH];
    unsigned depth;
    uint64_t clock;         /* values given and turns begun so far */
    uint64_t *bound;        /* by symbol: when it got its value */
    uint32_t *moving;       /* symbols whose values move, with whichever loop */
    size_t moving_count;    /* none twice */
    bool *is_moving;        /* by symbol */
    struct alike_let *lets; /* by symbol, then line */
    size_t let_count;
};

/* What is kept lives in env->arena, or another; NOMEM in env->error. */
NUMEL_MUST bool alike_init(struct alike *a, const struct spec *s, struct arena *arena, numel_error *e);

/* The loop of a line begins. alike_leave(): it is over, and what moved with it stands. */
void alike_enter(struct alike *a, uint32_t line, uint32_t close);
void alike_leave(struct env *env);
/* Looking begins anew at turn i, of those before `to`. */
void alike_start(struct alike *a, int64_t i, int64_t to);
/* Turn i begins: *v is its number. */
void alike_turn(struct alike *a, int64_t i, struct value *v);
/* As many further turns have been stood for: what moves has moved on. */
void alike_advance(struct env *env, int64_t turns);

/* A symbol of the spec has got its value; one is read. */
void alike_bound(struct env *env, uint32_t symbol);
void alike_read(struct alike *a, uint32_t symbol);

/* The value is used in a way that only this turn can answer. Nothing happens to one that does not move. */
void alike_settle(struct env *env, struct value *v);
/* The same of a file, asked for a name with the numbers of all turns at hand in it. */
void alike_alone(struct alike *a);
/* Behind an operation: what its operands are to the result, which does not move yet. */
void alike_arithmetic(struct env *env, enum node_kind kind, struct value *a, struct value *b,
                      struct value *out);
void alike_compare(struct env *env, enum node_kind kind, struct value *a, struct value *b);
/* list[i], in(i, list). */
void alike_index(struct env *env, const struct value *list, struct value *i);
void alike_in(struct env *env, const struct value *list, struct value *i);

#endif
