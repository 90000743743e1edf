/*
 * runtime.h -- what programs that run models do with the caches of layers: how many cells they make for a context, in
 * which types, and what they keep besides. A row of a table each, with the source of its rules.
 *
 *   transformers  what is kept, not more: the rules of cache.h, measured
 *   llama.cpp     all of the context is allocated at once. Cells are padded to 256; under a window there are those of the
 *                 window and of a batch that is read; MLA keeps K alone, of which V is a part; states are F32; what an
 *                 encoder said is computed again. Measured
 *   vllm          blocks of 16 tokens, a request's last one included; states in the type that the configuration names; layers that differ share a pool (groups.h); by its rule, as
 *                 its source says it
 */
#ifndef NUMEL_MEMORY_RUNTIME_H
#define NUMEL_MEMORY_RUNTIME_H

#include "formula/cache.h"

enum runtime { RUNTIME_TRANSFORMERS, RUNTIME_LLAMA_CPP, RUNTIME_VLLM, RUNTIMES };

/* A type that keys and values may be kept in: blocks of a row, which must divide it. */
struct kv_type {
    const char *name;
    uint32_t elements, bytes; /* of a block */
};
/* NULL: no such type. */
const struct kv_type *kv_type_find(numel_str name);
const struct kv_type *kv_type_at(size_t i); /* NULL behind the last */

/* What is to be run, and how. */
struct memory_run {
    enum runtime runtime;
    const struct kv_type *k, *v; /* of keys, an indexer's among them; of values */
    uint64_t
        context; /* tokens of each sequence; of llama.cpp all cells are context * batch, split among `seqs` */
    uint64_t batch;       /* sequences */
    uint64_t source;      /* tokens of the encoder, for each of them */
    uint64_t ubatch;      /* tokens that are read at once */
    uint64_t seqs;        /* llama.cpp: into how many the cells are split; 0: batch */
    uint64_t state_bytes; /* vLLM: of an element of a recurrent state; 0: as keys and values */
    bool unified;         /* llama.cpp: they are not split, any sequence may have them */
    bool swa_full;        /* llama.cpp: a window saves nothing */
    bool no_flash;        /* llama.cpp: no flash attention, so that all V are as wide as the widest */
};

/* What a layer takes. */
struct layer_use {
    uint64_t elements[CACHE_KINDS]; /* of all sequences */
    uint64_t bytes;                 /* of all sequences */
    uint64_t fixed;                 /* of that, what does not grow with the context */
    uint64_t next;                  /* the next token of a sequence */
};

/* Sites from i on that are one layer, or turns that are alike; returns where the next begins. */
size_t memory_layer_end(const struct expansion *x, size_t i);

/* What one turn of the layer in sites [from, to) takes. OVERFLOW; USAGE where blocks do not divide a row. */
NUMEL_MUST bool memory_layer(struct layer_use *out, const struct expansion *x, size_t from, size_t to,
                             const struct memory_run *run, numel_error *e);

struct cache_bytes {
    uint64_t elements[CACHE_KINDS], total; /* of all sequences */
    uint64_t bytes, fixed, next;           /* as of layer_use, of all layers */
    uint64_t groups, group_layers;         /* groups.h: so many, of so many layers each; 0: none */
};
/* All layers. The cache is known. */
NUMEL_MUST bool memory_cache(struct cache_bytes *out, const struct expansion *x, const struct memory_run *run,
                             numel_error *e);

enum { RUNTIME_BLOCK = 16 }; /* vLLM: tokens of a block */
/* vLLM: blocks of so many tokens each that a request takes of a layer; window -1: none. */
uint64_t runtime_blocks(uint64_t tokens, int64_t window, uint64_t block);

const char *runtime_name(enum runtime r);
const char *runtime_source(enum runtime r); /* of its rules, for people */

#endif
