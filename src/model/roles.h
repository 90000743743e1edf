/*
 * roles.h -- stored elements by role (attn.q, mlp.up, embed.tok, ...). They are the same for safetensors and
 * GGUF, packed or not, sharded or not, because roles come from the spec, not from names.
 */
#ifndef NUMEL_MODEL_ROLES_H
#define NUMEL_MODEL_ROLES_H

#include "model/model.h"

struct role_sum {
    numel_str role;    /* first, as names.h requires */
    uint64_t elements; /* as the model counts them: packed values expanded */
};

struct roles {
    struct role_sum *items; /* by name; in the model's arena */
    size_t count;
};

/* Sums the existing tensors that the formula counts. Needs model->x. */
NUMEL_MUST bool roles_make(struct roles *r, struct model *model, numel_error *e);

#endif
