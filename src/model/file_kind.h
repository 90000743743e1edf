/*
 * file_kind.h -- GGUF files that are not models, recognised by metadata and tensor names: an importance
 * matrix, a vocabulary without weights. Nothing is expected of them, so nothing can be missing or disagree.
 */
#ifndef NUMEL_MODEL_FILE_KIND_H
#define NUMEL_MODEL_FILE_KIND_H

#include "reader/checkpoint.h"

struct file_kind {
    const char *code; /* "imatrix", "vocabulary" */
    const char *name; /* "importance matrix (imatrix), not a model" */
};

/* NULL for a model, and if unknown. */
const struct file_kind *file_kind_of(const numel_checkpoint *ck);
/* True for a projector (mmproj), a separate model that llama.cpp loads along with a language model. */
bool file_is_projector(const numel_checkpoint *ck);

/* The number of files that have a part of each matrix, one a device: consolidated.00.pth, .01.pth ... of Meta; 1 for
 * any other file. */
NUMEL_MUST bool file_ranks(const numel_checkpoint *ck, size_t *ranks, numel_error *e);

#endif
