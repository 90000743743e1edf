/*
 * model_digest.h -- one digest for all tensors of a checkpoint, however files store them.
 *
 * Each tensor has a record, which is digested with SHA-256; these digests, sorted by their bytes, are
 * digested again. The records:
 *
 *     name NUL type NUL dim,dim,... NUL the 32 bytes of the data's SHA-256      "model"
 *          type NUL dim,dim,... NUL the 32 bytes of the data's SHA-256          "content"
 *
 * name is the tensor's own, type as in `numel tensors`, dims outermost first. So shards, order, padding,
 * metadata, compression and the container do not matter to either, nor names to the second. Other bytes for
 * the same numbers do matter (another type, permuted rows); converting to GGUF changes most tensors in this
 * way.
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
/* Returns the value and frees; call it, or model_digest_drop(), once. */
NUMEL_MUST bool model_digest_end(struct model_digest *m, struct digest_value *out, numel_error *e);
void model_digest_drop(struct model_digest *m);

#endif
