/*
 * infer.h -- reads the configuration off the tensors.
 *
 * A checkpoint whose config.json is missing or lacks keys still shows most of it: an embedding of [32000,
 * 4096] for a line `V E` gives the vocabulary and the hidden size. Each undeclared key that a spec reads is
 * an unknown. Keys in sizes are solved from the shapes: every axis of every tensor in the file gives an
 * equation. Keys that switch tensors on and off (flags, classes, numbers of layers of a kind) are tried, and
 * kept if names and shapes then fit better. Keys that neither shows (heads and their size, if only the
 * product is in a shape) are chosen among the usual sizes and marked as chosen: no total depends on them.
 *
 * Invariants: a declared or set value is never changed; a value that contradicts a tensor is given only if
 * tensors contradict each other, and then the majority decides; values that equal a rule of the spec or a
 * class default are not listed.
 */
#ifndef NUMEL_FORMULA_INFER_H
#define NUMEL_FORMULA_INFER_H

#include "formula/eval.h"

enum {
    INFER_STEPS = 500000, /* lines and names visited, in all trials of a model type, */
    INFER_STEPS_NAME = 2, /* plus this many for each name. Real models take 60,000 */
    INFER_COUNT = 48      /* numbers tried for a key that only switches tensors */
};

struct infer_file {
    /* has and dim; both are required. Each iteration of each trial repeats the same lookups, so the
     * implementation should cache searches. */
    struct presence names;
    /* The i-th name of a tensor, in the file's spelling or the canonical one, in any order; false after the
     * last. */
    bool (*next)(void *ctx, size_t i, numel_str *name);
    /* For when names and next() cover only a part of the file, a few of many like layers: true if number i is
     * missing there because its tensors are like those of i - 1 and i + 1. */
    bool (*in_run)(void *ctx, int64_t i);
};

/* Which values count as known although they are not declared. */
enum infer_keep {
    KEEP_NOTHING,
    KEEP_WORDS,   /* words, factors and lists */
    KEEP_FLAGS,   /* class and spec defaults except counts: flags, words, factors, lists */
    KEEP_DEFAULTS /* all defaults */
};

struct infer_input {
    const struct spec *spec;
    struct config *config;
    enum side side;
    const struct infer_file *file;
    uint64_t *steps; /* a budget shared with other searches, counted down; NULL: no limit */
    enum infer_keep keep;
    bool whole; /* also list values that equal a rule or a class default */
};

struct infer_result {
    const char *key;
    struct value value;
    const char *note; /* where it comes from, or why it was chosen */
    bool chosen;      /* the tensors do not show it; another value would fit as well */
};

struct inference {
    struct arena arena; /* owns the results */
    struct infer_result *items;
    size_t count;
    /* The fit of spec, configuration and inferred values: expected tensors in the file, expected tensors not
     * in it (for a stack, only the first is looked up), and sizes that differ. */
    uint64_t matched, missing, conflicts;
    uint64_t names; /* number of names in the file, in all spellings */
    bool complete;  /* false: the search ran out of steps */
};

/* Adds what can be inferred to in->config, as inferred values, and lists it in *out. It is not an error if
 * little or nothing can be inferred. NOMEM, LIMIT; the configuration is then unchanged. */
NUMEL_MUST bool infer(struct inference *out, const struct infer_input *in, const numel_allocator *m,
                      numel_error *e);
void infer_done(struct inference *out);

#endif
