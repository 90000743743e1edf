/*
 * rope.h -- how positions are extended (rope scaling), and whether a GGUF file has what its model's configuration
 * requires.
 *
 * llama.cpp's converter stores linear and yarn in {arch}.rope.scaling.*, the lists of longrope as the tensors
 * rope_factors_long and rope_factors_short, the frequencies of llama3 as rope_freqs. No shape shows that they are
 * missing: the model then still answers well on short texts.
 */
#ifndef NUMEL_MODEL_ROPE_H
#define NUMEL_MODEL_ROPE_H

#include "model/model.h"

/* The parts of a Hugging Face configuration's rope scaling that a GGUF file lacks, as a sentence in the memory of
 * `hf`; *text NULL: none. NOMEM. */
NUMEL_MUST bool rope_lost(struct model *hf, const struct model *gguf, const char **text, numel_error *e);
/* The same only for the file, by its own metadata; in the arena. NOMEM. */
NUMEL_MUST bool rope_factors_lost(const struct model *gguf, const char **text, struct arena *a,
                                  numel_error *e);

#endif
