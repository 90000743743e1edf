/*
 * file_kind.h -- GGUF files that are not models, by their metadata and tensor names: an importance matrix, a
 * vocabulary without weights. They have no expected tensors, so nothing in them is missing or disagrees.
 */
#ifndef NUMEL_MODEL_FILE_KIND_H
#define NUMEL_MODEL_FILE_KIND_H

#include "reader/checkpoint.h"

struct file_kind {
    const char *code; /* "imatrix", "vocabulary" */
    const char *name; /* "importance matrix (imatrix), not a model" */
};

/* NULL: a model, or unknown. */
const struct file_kind *file_kind_of(const numel_checkpoint *ck);
/* Is it a projector (mmproj), which llama.cpp loads with a language model? It is a separate model. */
bool file_is_projector(const numel_checkpoint *ck);

#endif
