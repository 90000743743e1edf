/*
 * infer.h -- the configuration, read off the tensors themselves.
 *
 * A checkpoint without its config.json, or with one that lacks keys, still says most of it: an
 * embedding of [32000, 4096] under a line `V E` is a vocabulary and a hidden size. Each key that a
 * spec asks for and that nobody declared is an unknown. Those that stand in sizes are solved from
 * the shapes: every axis of every tensor that is there gives an equation. Those that switch tensors
 * on and off (flags, classes, numbers of layers of a kind) are tried, and kept when the names and
 * shapes then fit better. What neither says (heads and their size, when only the product stands in
 * a shape) is chosen among the usual sizes and said to be a choice: it changes no total.
 *
 * Invariants: what was declared or set is never touched; a value that contradicts a tensor is given
 * only when tensors contradict each other, and then most of them decide; nothing is listed that a
 * rule of the spec or a class default says anyway.
 */
#ifndef NUMEL_FORMULA_INFER_H
#define NUMEL_FORMULA_INFER_H

#include "formula/eval.h"

enum {
    INFER_STEPS = 500000, /* lines and names looked at, all trials of a model type; */
    INFER_STEPS_NAME = 2, /* and so many more for each name. Real models take 60,000 */
    INFER_COUNT = 48      /* numbers that are tried for a key that only switches tensors */
};

struct infer_file {
    /* has and dim; both are needed. The same is asked in each turn of each trial: who answers keeps what
     * took a search. */
    struct presence names;
    /* Each name that a tensor has, own and canonical spelling, in any order; false at the end. */
    bool (*next)(void *ctx, size_t i, numel_str *name);
    /* When names and next() know only a part of the file (of many like layers a few): does number i stand in
     * none of the part because what has it is like what has i - 1 and i + 1? */
    bool (*in_run)(void *ctx, int64_t i);
};

/* What nobody declared, and is known all the same. */
enum infer_keep {
    KEEP_NOTHING,
    KEEP_WORDS,   /* words, factors and lists */
    KEEP_FLAGS,   /* class defaults and those of the spec that are no counts: flags, words, factors, lists */
    KEEP_DEFAULTS /* all of them */
};

struct infer_input {
    const struct spec *spec;
    struct config *config;
    enum side side;
    const struct infer_file *file;
    uint64_t *steps; /* that this and others may take together, counted down; NULL: no such limit */
    enum infer_keep keep;
    bool whole; /* what a rule or a class default says as well is listed too */
};

struct infer_result {
    const char *key;
    struct value value;
    const char *note; /* where it is from, or why it was chosen */
    bool chosen;      /* the tensors do not say; another value would fit as well */
};

struct inference {
    struct arena arena; /* has the results */
    struct infer_result *items;
    size_t count;
    /* How well spec, configuration and what was inferred fit: tensors that are there and expected,
     * those expected and not there (of a stack the first one is looked for), sizes that differ. */
    uint64_t matched, missing, conflicts;
    uint64_t names; /* that the file has, in all their spellings */
    bool complete;  /* false: the steps were not enough, the search was cut short */
};

/* Adds what can be inferred to in->config, as inferred values; lists it in *out. That little or nothing
 * can be inferred is not an error. NOMEM, LIMIT; the configuration is then as it was. */
NUMEL_MUST bool infer(struct inference *out, const struct infer_input *in, const numel_allocator *m,
                      numel_error *e);
void infer_done(struct inference *out);

#endif
