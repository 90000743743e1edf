/*
 * cache.h -- how much a model keeps of its context while it generates: the sum of its spec's cache lines.
 *
 * Counts elements, not bytes: the runtime chooses the type. The counting rules are those of the cache objects
 * of transformers:
 *
 *     per token      one for each token; with a window of W the last W - 1, as the next token is the W-th
 *     every=N        one for every N whole tokens; rest=N: the tokens left over
 *     per source     one for each token, frame or patch of the encoder
 *     per sequence   the same for any length
 *
 * All of it is kept for each sequence of a batch.
 */
#ifndef NUMEL_FORMULA_CACHE_H
#define NUMEL_FORMULA_CACHE_H

#include "formula/expand.h"

struct cache_use {
    uint64_t tokens, source; /* of each sequence */
    uint64_t sequences;
};

struct cache_sums {
    uint64_t elements[CACHE_KINDS], total;
};

/* True if the cache is known: it was requested (struct expand_input), the spec has cache lines, and they
 * could be evaluated. */
bool cache_known(const struct expansion *x);

/* Number of entries of a line that are kept for one sequence. */
uint64_t cache_kept(const struct cache_site *c, const struct cache_use *use);

/* The cache must be known. OVERFLOW. */
NUMEL_MUST bool cache_sum(struct cache_sums *out, const struct expansion *x, const struct cache_use *use,
                          numel_error *e);

enum cache_layer_kind {
    LAYER_FULL,
    LAYER_SLIDING,
    LAYER_MLA,
    LAYER_INDEXED, /* attends to tokens chosen by an indexer; keeps all */
    LAYER_LINEAR,  /* a state of constant size */
    LAYER_HYBRID,  /* both in one layer */
    LAYER_CROSS,   /* keeps only the encoder's output */
    LAYER_SHARED   /* reads another layer's cache */
};
const char *cache_layer_name(enum cache_layer_kind kind);

/* Layers that keep the same, adjacent or not, in the order of the first of each kind. */
struct cache_layers {
    enum cache_layer_kind kind;
    int64_t window; /* -1 if none */
    uint64_t count;
};

enum { CACHE_LAYERS = 64 }; /* kinds distinguished; further ones are counted with the last */

size_t cache_layers(struct cache_layers out[CACHE_LAYERS], const struct expansion *x);

#endif
