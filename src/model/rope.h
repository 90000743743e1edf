/*
 * rope.h -- how positions are stretched (rope scaling), and whether a GGUF file has what its model's configuration asks for.
 *
 * llama.cpp's converter keeps linear and yarn in {arch}.rope.scaling.*, the lists of longrope as the tensors rope_factors_long and
 * rope_factors_short, the frequencies of llama3 as rope_freqs. No shape shows that they were left out: the model then answers well
 * while a text is short.
 */
#ifndef NUMEL_MODEL_ROPE_H
#define NUMEL_MODEL_ROPE_H

#include "model/model.h"

/* What a GGUF file lacks of the stretching that the configuration of a Hugging Face model asks for, as a sentence in the memory
 * of `hf`; *text NULL: nothing. NOMEM. */
NUMEL_MUST bool rope_lost(struct model *hf, const struct model *gguf, const char **text, numel_error *e);
/* The same of the file alone, by its own metadata; in the arena. NOMEM. */
NUMEL_MUST bool rope_factors_lost(const struct model *gguf, const char **text, struct arena *a,
                                  numel_error *e);

#endif
