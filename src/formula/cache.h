/*
 * cache.h -- how much a model keeps of what it has read while it writes: what the cache lines of its spec come to.
 *
 * Elements, not bytes: of which type a cache is, is a runtime's business. The rules of counting are those of the cache
 * objects of transformers:
 *
 *     per token      one for each token; under a window of W the last W - 1 of them, as the next token is the W-th
 *     every=N        one for every N whole tokens; rest=N those that are left over
 *     per source     one for each token, frame or patch of the encoder
 *     per sequence   the same whatever the length
 *
 * All of it for each sequence of a batch.
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

/* Is it known what layers keep: was it asked for (struct expand_input), are there lines that
 * say it, and could they be evaluated? */
bool cache_known(const struct expansion *x);

/* How many of what a line counts are kept of one sequence. */
uint64_t cache_kept(const struct cache_site *c, const struct cache_use *use);

/* OVERFLOW. The cache is known. */
NUMEL_MUST bool cache_sum(struct cache_sums *out, const struct expansion *x, const struct cache_use *use,
                          numel_error *e);

enum cache_layer_kind {
    LAYER_FULL,
    LAYER_SLIDING,
    LAYER_MLA,
    LAYER_INDEXED, /* attends to the tokens that an indexer chooses; all are kept */
    LAYER_LINEAR,  /* a state that does not grow */
    LAYER_HYBRID,  /* both in one layer */
    LAYER_CROSS,   /* of the encoder's output alone */
    LAYER_SHARED   /* nothing of its own */
};
const char *cache_layer_name(enum cache_layer_kind kind);

/* Layers that keep the same: consecutive or not, in the order of the first of each sort. */
struct cache_layers {
    enum cache_layer_kind kind;
    int64_t window; /* -1: none */
    uint64_t count;
};

enum { CACHE_LAYERS = 64 }; /* sorts that are told apart; what is left is counted with the last */

size_t cache_layers(struct cache_layers out[CACHE_LAYERS], const struct expansion *x);

#endif
