/*
 * identify_models.h -- what weights without a configuration are, where their tensors tell: for `numel identify`.
 */
#ifndef NUMEL_REPORTER_IDENTIFY_MODELS_H
#define NUMEL_REPORTER_IDENTIFY_MODELS_H

#include "reader/checkpoint.h"

/* What is known of a file, and, where it is `alone`, its judgement: of a shard it says nothing that needs the others. */
struct identified {
    numel_checkpoint *ck;
    bool alone;
    const numel_options *options;
    struct arena *arena;   /* of the judgement */
    const char *judgement; /* filled: JSON; NULL: not judged */
};

/* ": checkpoint (SDXL base; UNet 2,567,463,684, VAE 83,653,863, text encoders 123,060,480 + 694,659,841)", ": VAE (SD VAE)",
 * ": language model (gpt2, GPT2Model)", ": adapter (lora) of SD1.5, rank 32, alpha 16", ": unknown" or nothing, behind what
 * text[size] has. NOMEM. */
NUMEL_MUST bool identify_models(struct identified *, char *text, size_t size, numel_error *);
/* The judgement of what a path stands for, as JSON of the arena; NULL: it is not a checkpoint. NOMEM. */
NUMEL_MUST bool identify_judgement(const char **json, const char *path, const numel_options *, struct arena *,
                                   numel_error *);

#endif
