/*
 * infer_internal.h -- between the files infer*.c only.
 *
 *   infer_keys.c    which keys are unknown, and what each could be
 *   infer_guess.c   which the spec itself says how to see
 *   infer_form.c    an expression as a polynomial over unknown keys
 *   infer_shapes.c  the spec beside the file: equations, and how well names and shapes fit
 *   infer_names.c   the numbers in the file's names: how long a loop or a stack is
 *   infer_solve.c   the equations
 *   infer.c         trials, one after the other
 *   infer_choose.c  what the tensors do not say, and the result
 *
 * While a trial runs, the configuration holds each unknown key as what is tried for it: a value,
 * nothing, or a hole. A hole is a real that is not a number: every rule that computes refuses it, so
 * that an evaluation either does not need the key or fails.
 */
#ifndef NUMEL_FORMULA_INFER_INTERNAL_H
#define NUMEL_FORMULA_INFER_INTERNAL_H

#include "formula/infer.h"
#include "formula/poly.h"
#include "formula/walk.h"

enum {
    INFER_EQUATIONS = 1024, /* different ones, a trial */
    INFER_COLUMNS = 64,     /* unknown products in them */
    INFER_TURNS = 6,        /* turns of loops whose shapes are looked at, a tensor line */
    INFER_KEYS = 512,
    INFER_TYPES = 16, /* model types that are tried */
    INFER_WORDS = 64  /* texts that are tried, a key */
};

enum use {
    USE_SIZE = 1,   /* stands in a size, a stack, the end of a loop */
    USE_TEST = 2,   /* is compared with numbers */
    USE_TRUTH = 4,  /* is a flag */
    USE_OBJECT = 8, /* is asked whether it is there */
    USE_LIST = 16,  /* is a list: cannot be inferred */
    USE_SOFT = 32   /* has a `??` */
};

struct key {
    numel_str path;
    unsigned uses;
    struct value words[INFER_WORDS]; /* texts, for the class lists of one */
    unsigned word_count;
    int64_t fallback; /* what a class assumes; 0: nothing */
    bool fixed;       /* `value` is tried (null: left out), else it is to be solved */
    struct value value;
    /* after a trial: */
    bool hole;        /* unsolved */
    struct value now; /* what the configuration holds */
    unsigned facts;   /* products whose value is known, that it stands in */
    int64_t common;   /* what those values can all be divided by */
    bool count;       /* beside it stands a factor of more products: it is the number of those */
    bool asked;       /* by the trial of what is best so far: else another value changes nothing */
    bool settled;     /* needs no trying */
    bool guessed;     /* by the spec: is not tried at all */
    bool chosen;
    const char *note;
};

/* The largest number in names of one pattern, found once. */
struct largest {
    numel_str pattern;
    int64_t number;
};

/* Where an equation is from. Said only when it solved something. */
struct origin {
    const char *text; /* a name, or what there is to say; NULL: several equations */
    int axis;         /* of the tensor of that name; ORIGIN_...: no name. Of equations with the same
                         weight, those with a lower one come first */
};

enum { ORIGIN_FIRST = -1, ORIGIN_LAST = 1000 };

struct equation {
    struct poly left;
    int64_t right;
    uint64_t weight; /* how many axes say so */
    struct origin origin;
};

/* A product of unknowns whose value is known. */
struct fact {
    struct monomial of;
    int64_t value;
};

/* How well a spec with some values for its keys fits a file. */
struct score {
    uint64_t matched, missing, conflicts;
    uint64_t unsaid; /* axes of tensors that are there, whose size cannot be computed */
    uint64_t extras; /* of the matched: in `extra` blocks, better explained without them */
    uint64_t unsure; /* conditions and names that are undecided */
    unsigned ones;   /* sizes solved as 1: a single head is possible, and rarely what was meant */
    int64_t longest; /* loop */
};

/* One walk over the spec with what is tried. Its memory serves all trials of a search. */
struct trial {
    struct search *f;
    struct arena arena; /* of the trial at hand */
    struct env env;
    numel_error scratch;    /* why an evaluation cannot be done now */
    struct factors factors; /* one an unknown; solved[] and the like go by it */
    struct poly *forms;     /* by symbol, when it is open */
    bool *open;             /* by symbol: a hole is in it */
    uint8_t *seen;          /* by line: turns whose shapes were looked at */
    struct equation *equations;
    size_t equation_count, equation_cap;
    struct system *system; /* infer_solve.c */
    bool *is_solved;
    int64_t *solved;
    struct origin *origins;
    struct fact facts[INFER_COLUMNS];
    unsigned fact_count;
    struct score score, before, best; /* of a `oneof`: what was before it, its best alternative */
    bool any;                         /* of its alternatives was walked */
    int64_t highest;                  /* number in the names of a loop */
};

struct search {
    const struct infer_input *in;
    struct arena *arena; /* of the inference */
    numel_error *error;
    struct key *keys;
    size_t key_count, key_cap;
    struct largest *largest;
    size_t largest_count, largest_cap;
    struct spec_walk walk;
    struct trial trial;
    uint64_t names, steps, most; /* steps: of a model type */
    numel_str type; /* the model type that is taken for granted; {NULL, 0}: the configuration's */
    bool typed;     /* the spec asks for it */
    bool exhausted; /* out of steps */
    bool cut;       /* it was, for some model type */
};

/* infer_keys.c */
bool keys_find(struct search *f);
/* A key with the value that a guess gives it. NOMEM; more keys than are kept: nothing. */
NUMEL_MUST bool key_given(struct search *f, numel_str path, const struct value *v);
/* The unknown key that a cfg() node asks for; NULL when it is known or names no path. */
struct key *key_of(struct search *f, struct env *env, uint32_t node);
NUMEL_MUST bool key_publish(struct search *f, const struct key *k); /* into the configuration */

/* infer_guess.c: the keys that the spec guesses. False: NOMEM. */
NUMEL_MUST bool guesses_make(struct search *f);

/* infer_form.c: running out of memory sticks to f->error, which each line of a walk asks for. */
/* Evaluates; false when that cannot be done now. */
NUMEL_MUST bool form_eval(struct trial *s, uint32_t node, struct value *out);
/* Something could not be evaluated: false when that was for want of memory. */
NUMEL_MUST bool form_unknown(struct trial *s);
NUMEL_MUST bool form_open(struct trial *s, uint32_t node);
enum decision form_test(struct trial *s, uint32_t node);
struct poly form_poly(struct trial *s, uint32_t node);
NUMEL_MUST bool form_equation(struct trial *s, struct poly left, int64_t right, uint64_t weight,
                              struct origin origin);

/* infer_names.c: the largest number that stands in the file's names for the loop at hand, whose symbol it
 * binds, or for the experts of a stack; -1 when there is none. */
bool names_of_loop(struct spec_walk *w, int64_t *most);
NUMEL_MUST bool names_of_stack(struct spec_walk *w, const struct tensor_part *p, int64_t *most);

/* infer_shapes.c: walks the spec beside the file; fills the trial's equations and score. */
bool shapes_look(struct trial *s);

/* infer_solve.c */
/* Of their magnitudes; 1 where it is 2^63. */
int64_t solve_gcd(int64_t a, int64_t b);
bool solve(struct trial *s);
/* The factor of a key in the equations, or -1. */
int solve_factor(const struct trial *s, numel_str path);

/* infer.c */
/* An environment for the spec beside the file, in the trial's arena; what cannot be evaluated is said in
 * *scratch. False: NOMEM. */
NUMEL_MUST bool search_env(struct search *f, struct env *env, numel_error *scratch);
bool trial_run(struct search *f, struct score *score);
/* 1: a fits better than b, 0: as well, -1: worse. */
int score_compare(const struct score *a, const struct score *b);
/* The last trial is that of what is best so far: notes which keys it asked for. */
void trial_remember(struct search *f);

/* infer_choose.c */
bool choose_all(struct search *f, struct score *best);
/* Takes out what a rule or a default says as well. */
bool choose_drop(struct search *f, struct score *best);

#endif
