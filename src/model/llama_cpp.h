/*
 * llama_cpp.h -- files that llama.cpp refuses and nothing else reads: its rules as data.
 *
 * It stops at a missing required key, at a rotation that is not as wide as a head if it can rotate only whole heads,
 * and at a tensor that it did not ask for ("wrong number of tensors"). Files of unknown architectures, or with
 * another engine's towers (Ollama's), are not judged; nor are projectors, adapters and vocabularies without a model.
 */
#ifndef NUMEL_MODEL_LLAMA_CPP_H
#define NUMEL_MODEL_LLAMA_CPP_H

#include "model/model.h"

/* Is llama.cpp the only program that reads the file? */
bool llama_cpp_alone(const struct model *m);
/* Is it a GGUF of an architecture that llama.cpp loads? */
bool llama_cpp_loads(const struct model *m);
/* For such a file: does llama.cpp refuse it for a tensor of this name, which the architecture's specification lacks? */
bool llama_cpp_refuses(numel_str name);
/* For such a file: a sentence for each rule that its metadata break, in the model's memory; *count 0: none. NOMEM. */
NUMEL_MUST bool llama_cpp_faults(const struct model *m, const char *const **texts, size_t *count,
                                 struct arena *a, numel_error *e);
/* If such a file has no formula because a key is missing: sets m->why to llama.cpp's requirement, since our knowledge has no gap. NOMEM. */
NUMEL_MUST bool llama_cpp_blame(struct model *m, numel_error *e);

#endif
