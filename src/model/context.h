/*
 * context.h -- a model's context length in tokens, as declared by its configuration or metadata.
 *
 * The key has several names. If positions are extended (rope scaling), some kinds are already included in its
 * value (llama3, longrope, and yarn if original times factor equals it); others multiply it. The rule is
 * vLLM's, so a checkpoint and its GGUF get the same answer. Tensor shapes show none of this.
 */
#ifndef NUMEL_MODEL_CONTEXT_H
#define NUMEL_MODEL_CONTEXT_H

#include "model/model.h"

struct model_context {
    int64_t tokens;   /* 0: unknown */
    int64_t original; /* before the extension; 0: not extended, or unknown */
    const char *key;  /* where the length was found */
    const char *by;   /* the class, "LlamaConfig", if the length is its default; else NULL */
    const char *kind; /* "yarn"; NULL: not extended */
};

/* The model owns the texts. False: NOMEM. */
NUMEL_MUST bool model_context(struct model *m, struct model_context *out, numel_error *e);

#endif
