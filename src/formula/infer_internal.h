/*
 * infer_internal.h -- shared by infer*.c only.
 *
 *   infer_keys.c    which keys are unknown, and their possible values
 *   infer_guess.c   keys that the spec itself reads off the file
 *   infer_form.c    an expression as a polynomial over unknown keys
 *   infer_shapes.c  compares the spec with the file: equations, and how well names and shapes fit
 *   infer_names.c   numbers in the file's names: lengths of loops and stacks
 *   infer_solve.c   solves the equations
 *   infer.c         runs trials
 *   infer_choose.c  keys that the tensors do not show, and the result
 *
 * During a trial the configuration has, for each unknown key, what the trial tries: a value, none, or a hole.
 * A hole is a real NaN: every rule that computes refuses it, so an evaluation either does not need the key or
 * fails.
 */
#ifndef NUMEL_FORMULA_INFER_INTERNAL_H
#define NUMEL_FORMULA_INFER_INTERNAL_H

#include "formula/infer.h"
#include "formula/poly.h"
#include "formula/walk.h"

enum {
    INFER_EQUATIONS = 1024, /* different ones in a trial */
    INFER_COLUMNS = 64,     /* unknown products in them */
    INFER_TURNS = 6,        /* iterations whose shapes are read for each tensor line */
    INFER_KEYS = 512,
    INFER_TYPES = 16, /* model types tried */
    INFER_WORDS = 64  /* texts tried for a key */
};

enum use {
    USE_SIZE = 1,   /* in a size, a stack or the end of a loop */
    USE_TEST = 2,   /* compared with numbers */
    USE_TRUTH = 4,  /* a flag */
    USE_OBJECT = 8, /* tested for presence */
    USE_LIST = 16,  /* a list: cannot be inferred */
    USE_SOFT = 32   /* has a `??` */
};

struct key {
    numel_str path;
    unsigned uses;
    struct value words[INFER_WORDS]; /* texts; for the class, lists of one */
    unsigned word_count;
    int64_t fallback; /* the class default; 0 if none */
    bool fixed;       /* `value` is tried (null: left out); else the key is solved */
    struct value value;
    /* after a trial: */
    bool hole;        /* unsolved */
    struct value now; /* the value in the configuration */
    unsigned facts;   /* number of products with it whose value is known */
    int64_t common;   /* common divisor of those values */
    bool count;       /* another factor of its product is in more products: this is their number */
    bool asked;       /* read in the best trial so far; if not, another value changes nothing */
    bool settled;     /* needs no trial */
    bool guessed;     /* by the spec; never tried */
    bool chosen;
    const char *note;
};

/* The largest number in names of one pattern, searched once. */
struct largest {
    numel_str pattern;
    int64_t number;
};

/* The origin of an equation. Shown only if it solved something. */
struct origin {
    const char *text; /* a name or a phrase; NULL: several equations */
    int axis;         /* of that tensor; ORIGIN_... for a phrase; orders equations of equal weight */
};

enum { ORIGIN_FIRST = -1, ORIGIN_LAST = 1000 };

struct equation {
    struct poly left;
    int64_t right;
    uint64_t weight; /* number of axes that support it */
    struct origin origin;
};

/* A product of unknowns whose value is known. */
struct fact {
    struct monomial of;
    int64_t value;
};

/* The fit of a spec to a file, with some values for its keys. */
struct score {
    uint64_t matched, missing, conflicts;
    uint64_t unsaid; /* axes in the file whose size cannot be computed */
    uint64_t extras; /* part of matched: in `extra` blocks; fewer is better */
    uint64_t unsure; /* undecided conditions and names */
    unsigned ones;   /* sizes solved as 1: possible for heads, but rarely right */
    int64_t longest; /* loop */
};

/* One walk over the spec with the values on trial. Its memory is reused by all trials of a search. */
struct trial {
    struct search *f;
    struct arena arena; /* of the current trial */
    struct env env;
    numel_error scratch;    /* why an evaluation failed */
    struct factors factors; /* one for each unknown; the index of solved[] and others */
    struct poly *forms;     /* by symbol: its polynomial, if open */
    bool *open;             /* by symbol: depends on a hole */
    uint8_t *seen;          /* by line: iterations whose shapes were read */
    struct equation *equations;
    size_t equation_count, equation_cap;
    struct system *system; /* infer_solve.c */
    bool *is_solved;
    int64_t *solved;
    struct origin *origins;
    struct fact facts[INFER_COLUMNS];
    unsigned fact_count;
    struct score score, before, best; /* of a `oneof`: the score before it, and its best alternative */
    bool any;                         /* one of its alternatives was walked */
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
    numel_str type;              /* the model type assumed; {NULL, 0}: the configuration's */
    bool typed;                  /* the spec reads it */
    bool exhausted;              /* out of steps */
    bool cut;                    /* exhausted for some model type */
};

/* infer_keys.c */
bool keys_find(struct search *f);
/* Adds a key with the value of a guess. NOMEM; beyond INFER_KEYS it does nothing. */
NUMEL_MUST bool key_given(struct search *f, numel_str path, const struct value *v);
/* The unknown key that a cfg() node reads; NULL if it is known or the paths are not texts. */
struct key *key_of(struct search *f, struct env *env, uint32_t node);
NUMEL_MUST bool key_publish(struct search *f, const struct key *k); /* writes it to the configuration */

/* infer_guess.c: adds the keys that the spec guesses. False: NOMEM. */
NUMEL_MUST bool guesses_make(struct search *f);

/* infer_form.c: out of memory is kept in f->error, which each line of a walk checks. */
/* Evaluates a node; false if it fails. */
NUMEL_MUST bool form_eval(struct trial *s, uint32_t node, struct value *out);
/* Call after an evaluation failed: false if it ran out of memory. */
NUMEL_MUST bool form_unknown(struct trial *s);
NUMEL_MUST bool form_open(struct trial *s, uint32_t node);
enum decision form_test(struct trial *s, uint32_t node);
struct poly form_poly(struct trial *s, uint32_t node);
NUMEL_MUST bool form_equation(struct trial *s, struct poly left, int64_t right, uint64_t weight,
                              struct origin origin);

/* infer_names.c: the largest number in the file's names for the current loop, whose symbol it binds, or for
 * the experts of a stack; -1 if there is none. */
bool names_of_loop(struct spec_walk *w, int64_t *most);
NUMEL_MUST bool names_of_stack(struct spec_walk *w, const struct tensor_part *p, int64_t *most);

/* infer_shapes.c: walks the spec against the file; fills the trial's equations and score. */
bool shapes_look(struct trial *s);

/* infer_solve.c */
/* The greatest common divisor of the magnitudes; 1 if it would be 2^63. */
int64_t solve_gcd(int64_t a, int64_t b);
bool solve(struct trial *s);
/* The factor of a key in the equations, or -1. */
int solve_factor(const struct trial *s, numel_str path);

/* infer.c */
/* Makes an environment for the spec and the file, in the trial's arena; evaluation errors go to *scratch.
 * False: NOMEM. */
NUMEL_MUST bool search_env(struct search *f, struct env *env, numel_error *scratch);
bool trial_run(struct search *f, struct score *score);
/* 1 if a fits better than b, 0 if equally, -1 if worse. */
int score_compare(const struct score *a, const struct score *b);
/* Notes which keys the last trial read. It must be the best one so far. */
void trial_remember(struct search *f);

/* infer_choose.c */
bool choose_all(struct search *f, struct score *best);
/* Drops values that a rule or a default gives as well. */
bool choose_drop(struct search *f, struct score *best);

#endif
