/*
 * file_kind.h -- GGUF files that are not models, told by their metadata and the names of their tensors: an importance matrix, a
 * vocabulary without weights. Nothing is expected of them, so nothing in them is missing and nothing disagrees.
 */
#ifndef NUMEL_MODEL_FILE_KIND_H
#define NUMEL_MODEL_FILE_KIND_H

#include "reader/checkpoint.h"

struct file_kind {
    const char *code; /* "imatrix", "vocabulary" */
    const char *name; /* "importance matrix (imatrix), not a model" */
};

/* NULL: it is a model, or unknown. */
const struct file_kind *file_kind_of(const numel_checkpoint *ck);
/* Is it a projector (mmproj), which llama.cpp reads beside a language model? That is a model of its own. */
bool file_is_projector(const numel_checkpoint *ck);

#endif
