/*
 * rope.h -- how positions are extended (rope scaling), and whether a GGUF file has what its model needs for
 * it.
 *
 * llama.cpp's converter stores linear and yarn in {arch}.rope.scaling.*, the lists of longrope as the tensors
 * rope_factors_long and rope_factors_short, and the frequencies of llama3 as rope_freqs. If they are missing,
 * no shape reveals it, and the model still works on short texts.
 */
#ifndef NUMEL_MODEL_ROPE_H
#define NUMEL_MODEL_ROPE_H

#include "model/model.h"

/* Checks if a GGUF file lacks parts of the Hugging Face configuration's rope scaling. *text is a sentence,
 * owned by `hf`; NULL if nothing is missing. NOMEM. */
NUMEL_MUST bool rope_lost(struct model *hf, const struct model *gguf, const char **text, numel_error *e);
/* Checks the file by its own metadata alone. *text is in the arena. NOMEM. */
NUMEL_MUST bool rope_factors_lost(const struct model *gguf, const char **text, struct arena *a,
                                  numel_error *e);

#endif
