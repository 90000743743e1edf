/*
 * eval.h -- the value of an expression of a spec, in an environment of symbols.
 *
 * All arithmetic is on int64 and checked: overflow, a division that leaves a rest, a value of the
 * wrong kind are errors with the place in the spec and, for each number that came from the
 * configuration, the key it came from. && || ?: ?? look no further than they need.
 */
#ifndef NUMEL_FORMULA_EVAL_H
#define NUMEL_FORMULA_EVAL_H

#include "formula/config.h"
#include "formula/witness.h"

#define PRESENCE_NONE UINT64_MAX

/* What is known of the file under test. Each may be NULL. Names are canonical names of the side
 * that is expanded; who answers knows prefixes and other spellings. False is a failure, with *e set:
 * what could not be looked up is not taken for absent. */
struct presence {
    /* Is there a tensor that the glob (* ? [a-z]) matches? */
    bool (*has)(void *ctx, const char *glob, bool *there, numel_error *e);
    /* Size of one axis, outermost first; PRESENCE_NONE when there is no such tensor or axis. */
    bool (*dim)(void *ctx, const char *name, uint64_t axis, uint64_t *size, numel_error *e);
    /* Of names that differ in one number, 0 in the first and 1 in the next: are all of so many there, called so? When in doubt: no. */
    bool (*stack)(void *ctx, numel_str first, numel_str next, uint32_t count);
    void *ctx;
};

struct alike;

/* A part that is walked: where its names begin, and what they lose there. */
struct part_place {
    const struct part_place *outer; /* NULL: it is in no other */
    uint32_t scope;
    const struct buffer *prefix; /* its first `start` bytes go before the names */
    size_t start;
    numel_str strip; /* what a name begins with in the spec, and not in the part; may be empty */
};

struct env {
    const struct spec *spec;
    struct config *config;
    enum side names;  /* the side whose tensors are wanted */
    enum side values; /* the side whose `let` forms and keys are used; mostly the same */
    bool llama_cpp;   /* what that program keeps is asked for */
    bool both;        /* what GGUF's metadata lack is asked for on the other side: class defaults */
    const struct presence *file; /* NULL: no file, has() takes what is assumed */
    const json_value *over;      /* layouts: what the configuration says of one module; q() asks it first */
    struct asking *asking;       /* layouts: what the file says beside the module; NULL in a spec */
    bool relaxed;                /* layouts: a division drops its rest while sizes are tried */
    bool silent;                 /* layouts: q() is null, whatever the configuration says */
    bool ranged;                 /* numbers in names say how they move: expand_ranges() */
    bool bounded;                /* its texts take no more than EVAL_MEMORY */
    const struct part_place *place; /* the innermost part; NULL: none */
    struct alike *alike;            /* loops are walked for turns that are alike; NULL: each turn */
    struct arena *arena;
    numel_error *error;
    struct value *bound; /* by symbol; kind is meaningless unless is_bound */
    bool *is_bound;
};

/* Room for all symbols, none bound but the built in ones. */
NUMEL_MUST bool env_init(struct env *env, numel_error *e);
void env_bind(struct env *env, uint32_t symbol, const struct value *v);

enum {
    EVAL_TEXT = 1 << 16,  /* bytes of a text that expressions make */
    EVAL_MEMORY = 8 << 20 /* ... and of all that are at hand */
};

/* SPEC, CONFIG or KEY, with line and column in the text; LIMIT, NOMEM. */
NUMEL_MUST bool eval(struct env *env, uint32_t node, struct value *out);
bool eval_bool(struct env *env, uint32_t node, bool *out, enum evidence *evidence);
/* An integer of at least `least`, said to be `what` in the message. */
bool eval_int(struct env *env, uint32_t node, int64_t least, const char *what, struct value *out);
NUMEL_MUST bool eval_text(struct env *env, uint32_t node, struct buffer *out); /* templates */

/* Fails for a null where a value is needed: CONFIG when a configuration says null, KEY when it says
 * nothing. */
bool eval_null(struct env *env, uint32_t node, const struct value *v);
/* Fails at a node: "line 12, column 8: ...", the file named. Always false. */
bool eval_fail(struct env *env, uint32_t node, numel_rc code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "4096 (hidden_size)" for messages. */
enum { EVAL_SHOW = 320 };
char *eval_show(char out[EVAL_SHOW], const struct value *v);
/* The evidence of *out becomes the weaker of both; key and loop dependence are passed on. */
void eval_taint(struct value *out, const struct value *from);

/* function.c: the model type of the spec's `match hf` lines that is most like `type`; false when no
 * class is known of any. */
bool spec_model_type(const struct spec *s, numel_str type, numel_str *nearest);
bool eval_call(struct env *env, uint32_t node, struct value *out);

#endif
