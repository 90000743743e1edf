/*
 * identify_models.h -- what weights without a configuration are, where their tensors tell: for `numel identify`.
 */
#ifndef NUMEL_REPORTER_IDENTIFY_MODELS_H
#define NUMEL_REPORTER_IDENTIFY_MODELS_H

#include "reader/checkpoint.h"

/* ": checkpoint (SDXL base; UNet 2,567,463,684, VAE 83,653,863, text encoders 123,060,480 + 694,659,841)", ": VAE (SD VAE)",
 * ": language model (gpt2, GPT2Model)", ": unknown" or nothing, into text[size]. NOMEM. */
NUMEL_MUST bool identify_models(numel_checkpoint *ck, char *text, size_t size, const numel_options *,
                                numel_error *);

#endif
