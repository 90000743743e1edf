/*
 * runtime.h -- the caches that programs keep when they run a model: how many cells for a context, in which
 * types, and what else. Each program is a row of a table, with the source of its rules.
 *
 *   transformers  no more than needed, by the rules of cache.h; measured
 *   llama.cpp     allocates the whole context at once. Cells are padded to 256; with a window, there are
 *                 cells for the window and a batch; MLA only keeps K, which contains V; states are F32;
 *                 an encoder's output is computed again; measured
 *   vllm          blocks of 16 tokens, including a request's last, partial one; states in the type that the
 *                 configuration names; different layers share a pool (groups.h); by the rule in its source
 */
#ifndef NUMEL_MEMORY_RUNTIME_H
#define NUMEL_MEMORY_RUNTIME_H

#include "formula/cache.h"

enum runtime { RUNTIME_TRANSFORMERS, RUNTIME_LLAMA_CPP, RUNTIME_VLLM, RUNTIMES };

/* A type for keys and values; its blocks must divide a row. */
struct kv_type {
    const char *name;
    uint32_t elements, bytes; /* per block */
};
/* NULL if there is no such type. */
const struct kv_type *kv_type_find(numel_str name);
const struct kv_type *kv_type_at(size_t i); /* NULL after the last */

/* The parameters of a run. */
struct memory_run {
    enum runtime runtime;
    const struct kv_type *k, *v; /* of keys, including an indexer's; of values */
    uint64_t
        context; /* tokens per sequence; llama.cpp has context * batch cells in total, split among `seqs` */
    uint64_t batch;       /* number of sequences */
    uint64_t source;      /* encoder tokens per sequence */
    uint64_t ubatch;      /* tokens read at once */
    uint64_t seqs;        /* llama.cpp: number of sequences that share the cells; 0: batch */
    uint64_t state_bytes; /* vLLM: per element of a recurrent state; 0: as keys and values */
    bool unified;         /* llama.cpp: cells are not split; any sequence may use any cell */
    bool swa_full;        /* llama.cpp: a window saves nothing */
    bool no_flash;        /* llama.cpp: without flash attention, every V is as wide as the widest */
};

/* The cache of one layer. */
struct layer_use {
    uint64_t elements[CACHE_KINDS]; /* of all sequences */
    uint64_t bytes;                 /* of all sequences */
    uint64_t fixed;                 /* the part that does not depend on the context */
    uint64_t next;                  /* for the next token of a sequence */
};

/* The end of the layer, or of folded turns, that begins at site i. */
size_t memory_layer_end(const struct expansion *x, size_t i);

/* The cache of one turn of the layer in sites [from, to). OVERFLOW; USAGE if blocks do not divide a row. */
NUMEL_MUST bool memory_layer(struct layer_use *out, const struct expansion *x, size_t from, size_t to,
                             const struct memory_run *run, numel_error *e);

struct cache_bytes {
    uint64_t elements[CACHE_KINDS], total; /* for all sequences */
    uint64_t bytes, fixed, next;           /* as in layer_use, for all layers */
    uint64_t groups, group_layers;         /* groups.h: number of groups, and layers of each; 0: none */
};
/* The cache of all layers, which must be known. */
NUMEL_MUST bool memory_cache(struct cache_bytes *out, const struct expansion *x, const struct memory_run *run,
                             numel_error *e);

enum { RUNTIME_BLOCK = 16 }; /* vLLM: tokens per block */
/* vLLM: the number of blocks of `block` tokens that a request takes for one layer; window -1: none. */
uint64_t runtime_blocks(uint64_t tokens, int64_t window, uint64_t block);

const char *runtime_name(enum runtime r);
const char *runtime_source(enum runtime r); /* where its rules come from, to show */

#endif
