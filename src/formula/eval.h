/*
 * eval.h -- the value of a spec's expression, in an environment of symbols.
 *
 * All arithmetic is on int64 and checked: overflow, a division with a remainder and a value of the wrong kind
 * are errors. They give the place in the spec and, for each number from the configuration, its key. && || ?:
 * ?? evaluate no more operands than they need.
 */
#ifndef NUMEL_FORMULA_EVAL_H
#define NUMEL_FORMULA_EVAL_H

#include "formula/config.h"
#include "formula/witness.h"

#define PRESENCE_NONE UINT64_MAX

/* The file under test. Each function may be NULL. Names are canonical names of the side that is expanded; the
 * implementation handles prefixes and other spellings. False is a failure, with *e set: a failed lookup never
 * counts as absent. */
struct presence {
    /* Sets *there if the glob (* ? [a-z]) matches a tensor. */
    bool (*has)(void *ctx, const char *glob, bool *there, numel_error *e);
    /* Size of one axis, outermost first; PRESENCE_NONE if the tensor or axis does not exist. */
    bool (*dim)(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);
    /* For names that differ in one number, 0 in `first` and 1 in `next`: true if `count` of them exist under
     * exactly these names. False if in doubt. */
    bool (*stack)(void *ctx, numel_str first, numel_str next, uint32_t count);
    void *ctx;
};

struct alike;

/* A part being walked: the prefix that its names get, and the one they lose. */
struct part_place {
    const struct part_place *outer; /* NULL if it is in no other part */
    uint32_t scope;
    const struct buffer *prefix; /* its first `start` bytes precede the names */
    size_t start;
    numel_str strip; /* prefix of names in the spec that the part lacks; may be empty */
};

struct env {
    const struct spec *spec;
    struct config *config;
    enum side names;  /* the side whose tensors are expanded */
    enum side values; /* the side whose `let` forms and keys are used; usually the same */
    bool llama_cpp;   /* computes the cache of llama.cpp */
    bool both;        /* keys missing from GGUF metadata get the class defaults of the other side */
    const struct presence *file;    /* NULL: no file, so has() returns its assumed value */
    const json_value *over;         /* layouts: one module's values; q() reads them first */
    struct asking *asking;          /* layouts: what the file has next to the module; NULL in a spec */
    bool relaxed;                   /* layouts: divisions drop remainders while sizes are tried */
    bool silent;                    /* layouts: q() is null, even if configured */
    bool ranged;                    /* moving numbers in names are written as ranges: expand_ranges() */
    bool bounded;                   /* its texts use at most EVAL_MEMORY */
    const struct part_place *place; /* the innermost part; NULL if none */
    struct alike *alike;            /* like iterations of loops are walked once; NULL: each one */
    struct arena *arena;
    numel_error *error;
    struct value *bound; /* by symbol; meaningful only if is_bound */
    bool *is_bound;
};

/* Allocates all symbols; binds only the built-in ones. */
NUMEL_MUST bool env_init(struct env *env, numel_error *e);
void env_bind(struct env *env, uint32_t symbol, const struct value *v);

enum {
    EVAL_TEXT = 1 << 16,  /* bytes of one text that expressions make */
    EVAL_MEMORY = 8 << 20 /* ... and of all of them together */
};

/* SPEC, CONFIG or KEY, with line and column in the text; LIMIT, NOMEM. */
NUMEL_MUST bool eval(struct env *env, uint32_t node, struct value *out);
bool eval_bool(struct env *env, uint32_t node, bool *out, enum evidence *evidence);
/* An integer of at least `least`; the message calls it `what`. */
bool eval_int(struct env *env, uint32_t node, int64_t least, const char *what, struct value *out);
NUMEL_MUST bool eval_text(struct env *env, uint32_t node, struct buffer *out); /* templates */

/* Fails for a null where a value is needed: CONFIG if the configuration has null, KEY if it lacks the key. */
bool eval_null(struct env *env, uint32_t node, const struct value *v);
/* Fails at a node: "line 12, column 8: ...", with the file. Always false. */
bool eval_fail(struct env *env, uint32_t node, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "4096 (hidden_size)" for messages. */
enum { EVAL_SHOW = 320 };
char *eval_show(char out[EVAL_SHOW], const struct value *v);
/* Gives *out the weaker evidence of both; copies key and loop dependence. */
void eval_taint(struct value *out, const struct value *from);

/* function.c: the model type in the spec's `match hf` lines that is most like `type`; false if none of them
 * has a known class. */
bool spec_model_type(const struct spec *s, numel_str type, numel_str *nearest);
bool eval_call(struct env *env, uint32_t node, struct value *out);

#endif
