/*
 * walk.h -- the one interpreter of the spec language.
 *
 * A walk goes over the lines of a spec in order: it enters blocks, takes branches, turns loops and
 * puts prefixes before names. What a line is walked for is the visitor's business: expand.c lists
 * the tensors that a configuration asks for, infer_shapes.c holds a spec against a file while keys
 * are unknown, infer_names.c looks for the numbers in its names, infer_keys.c finds out which keys
 * there are. A new kind of line is a function in spec.c and a case in walk.c.
 *
 * A condition may be undecided. Then its branch and those after it are all walked, and the place of
 * the walk says that nothing in them is sure.
 *
 *     line      the visitor is asked, in this order
 *     any       step
 *     let       define
 *     part      test of if=, lost where no spec is known for it; else as prefix
 *     prefix    prefix, once the text is there (or cannot be had)
 *     for       range; turn, before each turn, and turned behind it
 *     if, else  test
 *     extra     test
 *     oneof     open; alternative, behind each one that the side has; close
 *     tensor    test of if=, offer where that says no, test of tied=, tensor; test of bias=, tensor
 *     cache     cache; if= is the visitor's to ask
 *
 * All functions of a visitor return false to end the walk, with the reason in env->error unless the
 * visitor has its own way to say it; walk_spec() then returns false.
 */
#ifndef NUMEL_FORMULA_WALK_H
#define NUMEL_FORMULA_WALK_H

#include "formula/eval.h"

enum { WALK_LOOP = 100000 /* turns of one loop, at most, where each is walked */ };

enum decision { DECIDED_NO, DECIDED_YES, UNDECIDED };

enum part { PART_WEIGHT, PART_BIAS };

/* Where a walk stands: what the blocks around a line say of it. Restored behind each block. */
struct walk_place {
    enum evidence evidence;  /* the weakest of conditions and loops on the way here */
    bool sure;               /* every condition on the way here was decided; none was `extra` */
    numel_str extra;         /* the label of the `extra` block around, else {NULL, 0} */
    uint64_t times;          /* like turns of loops that this one stands for */
    const struct loop *loop; /* the visitor's: set in range and turn */
    const struct turn *turn;
};

/* A weight or a bias of a tensor line, in one turn. */
struct tensor_part {
    uint32_t line;
    const struct tensor_line *tensor;
    enum part part;
    enum decision wanted, tied; /* wanted: never NO, but where it is offered */
    bool offered;               /* the visitor takes it although if= says no */
    enum evidence evidence;     /* of all that was asked to get here */
    bool asked;                 /* its own if= asked the file */
};

struct spec_walk;

/* Any of these but `tensor` may be NULL; what happens then stands with it. */
struct walk_visitor {
    bool (*step)(struct spec_walk *w);
    /* `set`: the user has set the symbol, which is bound. NULL: else it is left as it is. */
    bool (*define)(struct spec_walk *w, bool set);
    /* node is never 0. *evidence becomes the weaker of it and that of the answer. NULL: UNDECIDED. */
    bool (*test)(struct spec_walk *w, uint32_t node, enum decision *out, enum evidence *evidence);
    /* `said`: the text stands in w->prefix. *inside (true): whether its block is walked. NULL: a text
     * that cannot be had ends the walk. */
    bool (*prefix)(struct spec_walk *w, bool said, bool *inside);
    /* From *from (0) to before *to (1). */
    bool (*range)(struct spec_walk *w, int64_t *from, int64_t *to);
    /* *next (i + 1): the turn after this one, which stands for those between. NULL: the symbol is left
     * as it is. */
    bool (*turn)(struct spec_walk *w, int64_t i, int64_t to, int64_t *next);
    /* As turn, which may have said what *next is. */
    bool (*turned)(struct spec_walk *w, int64_t i, int64_t to, int64_t *next);
    /* NULL: then the part has no tensors. */
    bool (*lost)(struct spec_walk *w);
    bool (*open)(struct spec_walk *w);
    bool (*alternative)(struct spec_walk *w);
    bool (*close)(struct spec_walk *w);
    /* NULL: what if= refuses is not wanted. */
    bool (*offer)(struct spec_walk *w, bool *offered);
    bool (*tensor)(struct spec_walk *w, const struct tensor_part *p);
    /* NULL: what layers keep is of no interest. */
    bool (*cache)(struct spec_walk *w);
};

struct spec_walk {
    const struct walk_visitor *visit;
    void *ctx;               /* the visitor's */
    struct env *env;         /* env->names: the side that is walked */
    struct arena *names;     /* that texts are made in; NULL: the env's */
    bool both;               /* prefixes of the other side are made too */
    const struct line *line; /* the one at hand */
    struct walk_place at;
    struct buffer prefix[SIDES];
};

/* The prefixes keep their memory from one walk to the next. */
void walk_init(struct spec_walk *w, const numel_allocator *m);
void walk_done(struct spec_walk *w);

/* All lines, from the top. */
bool walk_spec(struct spec_walk *w, const struct walk_visitor *v, void *ctx, struct env *env);
/* The lines inside the block at hand, from where the walk stands, for another visitor. */
bool walk_inside(struct spec_walk *w, const struct walk_visitor *v);

/* The number of the line at hand in the spec. */
uint32_t walk_at(const struct spec_walk *w);

/* Prefix, name (a template, may be 0) and suffix on a side. As eval(): false when
 * a part of it cannot be said. */
NUMEL_MUST bool walk_text(struct spec_walk *w, enum side side, uint32_t name, const char *suffix,
                          numel_str *out);
/* The name of a weight or bias; {NULL, 0} when the tensor does not exist on that side. */
NUMEL_MUST bool walk_name(struct spec_walk *w, const struct tensor_line *t, enum side side, enum part part,
                          numel_str *out);

/* Is a stack of it one tensor, as its name on that side is the same for all of them? */
bool is_stacked(const struct spec *s, const struct tensor_line *t, enum side side);

/* Does the number of a tensor in its stack stand in its name just once, as it is? */
bool stack_counts(const struct spec *s, const struct tensor_line *t, enum side side);

/* The dims of a weight or bias on a side, in the order of the spec, and their number; *reversed: the file has them in
 * the other order. */
const uint32_t *part_dims(const struct tensor_line *t, enum side side, enum part part, unsigned *n,
                          bool *reversed);

#endif
