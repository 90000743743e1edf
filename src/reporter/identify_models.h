/*
 * identify_models.h -- recognises weights without a configuration by their tensors, for `numel identify`.
 */
#ifndef NUMEL_REPORTER_IDENTIFY_MODELS_H
#define NUMEL_REPORTER_IDENTIFY_MODELS_H

#include "reader/checkpoint.h"

/* A file to identify. Only a file that is `alone` is judged; a shard would need the others. */
struct identified {
    numel_checkpoint *ck;
    bool alone;
    const numel_options *options;
    struct arena *arena;   /* for the judgement */
    const char *judgement; /* out: JSON; NULL if not judged */
};

/* Appends to text[size] ": checkpoint (SDXL base; UNet 2,567,463,684, VAE 83,653,863, text encoders
 * 123,060,480 + 694,659,841)", ": VAE (SD VAE)", ": language model (gpt2, GPT2Model)", ": adapter (lora)
 * of SD1.5, rank 32, alpha 16", ": unknown", or nothing. NOMEM. */
NUMEL_MUST bool identify_models(struct identified *, char *text, size_t size, numel_error *);
/* Sets *json to the judgement of a path, in the arena; NULL if the path is not a checkpoint. NOMEM. */
NUMEL_MUST bool identify_judgement(const char **json, const char *path, const numel_options *, struct arena *,
                                   numel_error *);

#endif
