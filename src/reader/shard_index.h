/*
 * shard_index.h -- model.safetensors.index.json: which tensor is in which shard.
 *
 *     { "metadata": { "total_size": 13476839424, "total_parameters": 6738415616 },
 *       "weight_map": { "lm_head.weight": "model-00002-of-00002.safetensors", ... } }
 *
 * Streamed through the strict scanner: the index of a large model has half a million lines. Other
 * keys are skipped. Names are copied; the file may be closed afterwards.
 */
#ifndef NUMEL_READER_SHARD_INDEX_H
#define NUMEL_READER_SHARD_INDEX_H

#include "base/json_scan.h"
#include "base/names.h"

struct index_tensor {
    numel_str name; /* first: see names.h */
    uint32_t shard; /* from the last line with the name */
};

struct index_shard {
    numel_str name;
    uint64_t tensors;
};

enum index_number { INDEX_ABSENT, INDEX_EXACT, INDEX_ODD }; /* odd: a float, a string, negative */

struct shard_index {
    struct index_tensor *tensors;
    size_t tensor_count, tensor_cap;
    struct index_shard *shards; /* in order of their first line */
    size_t shard_count, shard_cap;
    struct names by_tensor, by_shard;
    uint64_t total_size, total_parameters;
    enum index_number has_total_size, has_total_parameters;
    numel_str odd_size, odd_parameters; /* the text of an odd value, cut if long */
    uint64_t repeated;                  /* lines with an earlier name: not kept */
    uint64_t end, bytes;                /* end < bytes: something follows the document */
};

/* SYNTAX, UTF8, NOMEM. FORMAT if it is JSON without a weight_map. */
NUMEL_MUST bool shard_index_read(struct shard_index *x, const uint8_t *p, uint64_t n, struct arena *a,
                                 numel_error *);
void shard_index_done(struct shard_index *x);

#endif
