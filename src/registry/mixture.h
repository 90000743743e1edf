/*
 * mixture.h -- which matrices of a GGUF file have which type: by the part of a layer, and in which layers.
 *
 *     attn_v     Q6_K in 16 of 32 layers, Q4_K in 16
 *     output     Q6_K
 *
 * It counts the matrices that quantizers handle (file_type.h), also the embedding and the output, and
 * anything else stored in blocks.
 */
#ifndef NUMEL_REGISTRY_MIXTURE_H
#define NUMEL_REGISTRY_MIXTURE_H

#include "registry/file_type.h"

struct mixture_part {
    numel_str key;  /* first: see names.h; the part and its type */
    numel_str part; /* "attn_v", "v.blk.*.attn_q", "output" */
    const char *type;
    bool packed; /* in blocks */
    uint64_t tensors, elements, bytes;
    uint64_t of;                   /* tensors of the part, of any type */
    uint64_t *layers, layer_count; /* sorted; fewer than tensors if some are in no layer */
    const char *json;              /* the same as JSON: filled by the report */
};

struct mixture {
    struct mixture_part *parts; /* by part; within one, the type of most elements first */
    size_t count;
    const char *base;         /* the type of most elements in the layers, or of all; NULL: no matrix */
    uint64_t tensors;         /* stored in blocks */
    uint64_t elements, bytes; /* of those */
    struct file_type_said said;
    uint64_t fits, odd; /* matrices with a type the metadata implies, or one such a file never has */
};

/* In the arena. NOMEM. The sums of all elements and bytes were checked to fit. */
NUMEL_MUST bool mixture_make(struct mixture *x, const struct registry *r, const struct metadata *m,
                             struct arena *a, numel_error *e);

#endif
