/*
 * context.h -- how many tokens a model reads at once, as its configuration or its metadata declare it.
 *
 * The key that says so has several names; where positions are stretched (rope scaling), some kinds are counted in that
 * number already (llama3, longrope, and yarn where original times factor is the number), others multiply it. The rule is
 * that of vLLM, so that a checkpoint and a GGUF of it get the same answer. In no tensor's shape is any of it to be seen.
 */
#ifndef NUMEL_MODEL_CONTEXT_H
#define NUMEL_MODEL_CONTEXT_H

#include "model/model.h"

struct model_context {
    int64_t tokens;   /* 0: not known */
    int64_t original; /* before it was stretched, 0: it was not, or nothing says */
    const char *key;  /* that says so */
    const char *by;   /* "LlamaConfig", whose default it is; or NULL */
    const char *kind; /* "yarn"; NULL: nothing is stretched */
};

/* Texts live in the model. False: NOMEM. */
NUMEL_MUST bool model_context(struct model *m, struct model_context *out, numel_error *e);

#endif
