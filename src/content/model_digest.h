/*
 * model_digest.h -- one digest for all tensors of a checkpoint, however they lie in files.
 *
 * Of each tensor a record is made, and the SHA-256 of that; these, sorted by their bytes, are
 * digested once more. The records:
 *
 *     name NUL type NUL dim,dim,... NUL the 32 bytes of the data's SHA-256      "model"
 *          type NUL dim,dim,... NUL the 32 bytes of the data's SHA-256          "content"
 *
 * name is the tensor's own, type as `numel tensors` says it, dims outermost first. So neither
 * shards, order, padding, metadata, compression nor the container matter to either, and names
 * do not matter to the second. What does: other bytes for the same numbers (another type, permuted
 * rows), which is what converting to GGUF makes of most tensors.
 */
#ifndef NUMEL_CONTENT_MODEL_DIGEST_H
#define NUMEL_CONTENT_MODEL_DIGEST_H

#include "content/digest.h"

#include "base/memory.h"

struct model_digest {
    const numel_allocator *memory;
    bool named;
    uint8_t (*records)[DIGEST_BYTES];
    size_t count, cap;
};

void model_digest_begin(struct model_digest *m, bool named, const numel_allocator *);
NUMEL_MUST bool model_digest_add(struct model_digest *m, const numel_tensor *t,
                                 const struct digest_value *data, numel_error *e);
/* Gives the value and frees; call it, or model_digest_drop(), once. */
NUMEL_MUST bool model_digest_end(struct model_digest *m, struct digest_value *out, numel_error *e);
void model_digest_drop(struct model_digest *m);

#endif
