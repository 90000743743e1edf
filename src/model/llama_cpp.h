/*
 * llama_cpp.h -- rules, as data, for files that llama.cpp refuses and no other program reads.
 *
 * llama.cpp stops at a missing required key, at a rotation narrower than a head if it can only rotate whole
 * heads, and at a tensor that it did not ask for ("wrong number of tensors"). Not judged: unknown
 * architectures, files with another engine's towers (Ollama's), projectors, adapters, and vocabularies
 * without a model.
 */
#ifndef NUMEL_MODEL_LLAMA_CPP_H
#define NUMEL_MODEL_LLAMA_CPP_H

#include "model/model.h"

/* True if llama.cpp is the only program that reads the file. */
bool llama_cpp_alone(const struct model *m);
/* True for a GGUF file of an architecture that llama.cpp loads. */
bool llama_cpp_loads(const struct model *m);
/* For such a file: true if llama.cpp refuses a tensor of this name that the specification does not have. */
bool llama_cpp_refuses(numel_str name);
/* For such a file: one sentence for each rule that its metadata break, in the arena; *count is 0 if none.
 * NOMEM. */
NUMEL_MUST bool llama_cpp_faults(const struct model *m, const char *const **texts, size_t *count,
                                 struct arena *a, numel_error *e);
/* If such a file has no formula because a key is missing, sets m->why to llama.cpp's requirement, since
 * the file is at fault. NOMEM. */
NUMEL_MUST bool llama_cpp_blame(struct model *m, numel_error *e);

#endif
