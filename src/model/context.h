/*
 * context.h -- a model's context length in tokens, as declared by its configuration or metadata.
 *
 * The key has several names; if positions are extended (rope scaling), some kinds are already included in that number
 * (llama3, longrope, and yarn if original times factor is the number), others multiply it. The rule is vLLM's, so
 * that a checkpoint and its GGUF get the same answer. No tensor's shape shows any of it.
 */
#ifndef NUMEL_MODEL_CONTEXT_H
#define NUMEL_MODEL_CONTEXT_H

#include "model/model.h"

struct model_context {
    int64_t tokens;   /* 0: unknown */
    int64_t original; /* before it was extended; 0: it was not, or unknown */
    const char *key;  /* its key */
    const char *by;   /* "LlamaConfig", if it is that class's default; else NULL */
    const char *kind; /* "yarn"; NULL: not extended */
};

/* Texts are owned by the model. False: NOMEM. */
NUMEL_MUST bool model_context(struct model *m, struct model_context *out, numel_error *e);

#endif
