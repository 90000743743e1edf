/*
 * walk.h -- the only interpreter of the spec language.
 *
 * A walk visits the lines of a spec in order: it enters blocks, takes branches, runs loops and adds prefixes
 * to names. The visitor decides what a line is used for: expand.c lists the tensors that a configuration
 * implies, infer_shapes.c compares a spec with a file while keys are unknown, infer_names.c finds numbers in
 * its names, infer_keys.c finds its keys. A new kind of line needs a function in spec.c and a row in walk.c.
 *
 * A condition may be undecided. Then its branch and all later ones are walked, and the walk's place marks
 * them as not sure.
 *
 *     line      visitor functions called, in this order
 *     any       step
 *     let       define
 *     part      test of if=; lost if it has no spec; else as for prefix
 *     prefix    prefix, after its text is evaluated, or has failed
 *     for       range; turn before each iteration, turned after it
 *     if, else  test
 *     extra     test
 *     oneof     open; alternative after each one that the side has; close
 *     tensor    test of if=, offer if that is false, test of tied=, tensor; test of bias=, tensor
 *     cache     cache; the visitor tests if=
 *
 * All functions of a visitor return false to end the walk, with the reason in env->error unless the visitor
 * reports it in another way; walk_spec() then returns false.
 */
#ifndef NUMEL_FORMULA_WALK_H
#define NUMEL_FORMULA_WALK_H

#include "formula/eval.h"

enum { WALK_LOOP = 100000 /* limit of iterations of one loop, if each is walked */ };

enum decision { DECIDED_NO, DECIDED_YES, UNDECIDED };

enum part { PART_WEIGHT, PART_BIAS };

/* The place of a walk, as the blocks around a line define it. Restored after each block. */
struct walk_place {
    enum evidence evidence;  /* the weakest of the conditions and loops on the way here */
    bool sure;               /* all conditions on the way here were decided, and no block is `extra` */
    numel_str extra;         /* label of the enclosing `extra` block, else {NULL, 0} */
    uint64_t times;          /* number of like iterations that this one stands for */
    const struct loop *loop; /* the visitor's: set in range and turn */
    const struct turn *turn;
};

/* A weight or a bias of a tensor line, in one iteration. */
struct tensor_part {
    uint32_t line;
    const struct tensor_line *tensor;
    enum part part;
    enum decision wanted, tied; /* wanted: NO only if offered */
    bool offered;               /* the visitor accepts it although if= is false */
    enum evidence evidence;     /* of all conditions on the way here */
    bool asked;                 /* its own if= asked the file */
};

struct spec_walk;

/* All except `tensor` may be NULL; each comment states the effect. */
struct walk_visitor {
    bool (*step)(struct spec_walk *w);
    /* `set`: the user has set the symbol, and it is bound. NULL: other symbols are left as they are. */
    bool (*define)(struct spec_walk *w, bool set);
    /* node is never 0. *evidence becomes the weaker of its value and the answer's. NULL: UNDECIDED. */
    bool (*test)(struct spec_walk *w, uint32_t node, enum decision *out, enum evidence *evidence);
    /* `said`: the text is in w->prefix. *inside (default true): whether to walk the block. NULL: a text that
     * cannot be evaluated ends the walk. */
    bool (*prefix)(struct spec_walk *w, bool said, bool *inside);
    /* Sets the range: from *from (default 0) up to, not including, *to (default 1). */
    bool (*range)(struct spec_walk *w, int64_t *from, int64_t *to);
    /* *next (default i + 1): the iteration after this one, which stands for those between. NULL: the symbol
     * is left as it is. */
    bool (*turn)(struct spec_walk *w, int64_t i, int64_t to, int64_t *next);
    /* Like turn, which may have set *next. */
    bool (*turned)(struct spec_walk *w, int64_t i, int64_t to, int64_t *next);
    /* NULL: the part has no tensors. */
    bool (*lost)(struct spec_walk *w);
    bool (*open)(struct spec_walk *w);
    bool (*alternative)(struct spec_walk *w);
    bool (*close)(struct spec_walk *w);
    /* NULL: tensors whose if= is false are skipped. */
    bool (*offer)(struct spec_walk *w, bool *offered);
    bool (*tensor)(struct spec_walk *w, const struct tensor_part *p);
    /* NULL: cache lines are ignored. */
    bool (*cache)(struct spec_walk *w);
};

struct spec_walk {
    const struct walk_visitor *visit;
    void *ctx;               /* the visitor's */
    struct env *env;         /* env->names: the side that is walked */
    struct arena *names;     /* for the texts of names; NULL: the env's */
    bool both;               /* also makes prefixes of the other side */
    const struct line *line; /* the current line */
    struct walk_place at;
    struct buffer prefix[SIDES];
};

/* The prefixes keep their memory from one walk to the next. */
void walk_init(struct spec_walk *w, const numel_allocator *m);
void walk_done(struct spec_walk *w);

/* Walks all lines from the top. */
bool walk_spec(struct spec_walk *w, const struct walk_visitor *v, void *ctx, struct env *env);
/* Walks the lines inside the current block with another visitor. */
bool walk_inside(struct spec_walk *w, const struct walk_visitor *v);

/* The index of the current line in the spec. */
uint32_t walk_at(const struct spec_walk *w);

/* Prefix, name (a template, may be 0) and suffix on a side. False as for eval(), if a part cannot be
 * evaluated. */
NUMEL_MUST bool walk_text(struct spec_walk *w, enum side side, uint32_t name, const char *suffix,
                          numel_str *out);
/* The name of a weight or bias; {NULL, 0} if the tensor does not exist on that side. */
NUMEL_MUST bool walk_name(struct spec_walk *w, const struct tensor_line *t, enum side side, enum part part,
                          numel_str *out);

/* True if its stack is stored as one tensor: its name on that side has no number of its member. */
bool is_stacked(const struct spec *s, const struct tensor_line *t, enum side side);

/* True if its name contains the number of its member exactly once, as {e}. */
bool stack_counts(const struct spec *s, const struct tensor_line *t, enum side side);

/* The dims of a weight or bias on a side, in the order of the spec; *n is their number. *reversed: the file
 * has them in the reverse order. */
const uint32_t *part_dims(const struct tensor_line *t, enum side side, enum part part, unsigned *n,
                          bool *reversed);

#endif
