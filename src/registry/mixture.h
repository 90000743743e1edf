/*
 * mixture.h -- the types of the matrices in a GGUF file, by part of a layer, with the layers that have them.
 *
 *   attn_v    Q6_K in 16 of 32 layers, Q4_K in 16
 *   output    Q6_K
 *
 * Counts the matrices that quantizers handle (file_type.h), including embedding and output, and everything
 * else that is stored in blocks.
 */
#ifndef NUMEL_REGISTRY_MIXTURE_H
#define NUMEL_REGISTRY_MIXTURE_H

#include "registry/file_type.h"

struct mixture_part {
    numel_str key;  /* first, as names.h requires: the part and its type */
    numel_str part; /* "attn_v", "v.blk.*.attn_q", "output" */
    const char *type;
    bool packed; /* stored in blocks */
    uint64_t tensors, elements, bytes;
    uint64_t of;                   /* number of tensors of the part, whatever their type */
    uint64_t *layers, layer_count; /* sorted; fewer than the tensors if some are outside layers */
    const char *json;              /* the layers as JSON; set by the report */
};

struct mixture {
    struct mixture_part *parts; /* by part; within a part, the type of most elements first */
    size_t count;
    const char *base;         /* the type of most elements in layers, else of all; NULL: no matrix */
    uint64_t tensors;         /* number stored in blocks */
    uint64_t elements, bytes; /* theirs */
    struct file_type_said said;
    uint64_t fits, odd; /* matrices of a type that the metadata imply; of one that such files never have */
};

/* All memory is in the arena. NOMEM. Total elements and bytes were already checked to fit in 64 bits. */
NUMEL_MUST bool mixture_make(struct mixture *x, const struct registry *r, const struct metadata *m,
                             struct arena *a, numel_error *e);

#endif
