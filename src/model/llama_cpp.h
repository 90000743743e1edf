/*
 * llama_cpp.h -- what llama.cpp refuses, of files that nothing else reads: its rules, held as data.
 *
 * It stops at a key that it requires and does not find, at a rotation of another width than a head where it can turn whole heads
 * only, and at a tensor that it did not ask for ("wrong number of tensors"). A file of an architecture that it does not know, or
 * with towers of another engine in it (Ollama's), is not judged; neither is a projector, an adapter, a vocabulary alone.
 */
#ifndef NUMEL_MODEL_LLAMA_CPP_H
#define NUMEL_MODEL_LLAMA_CPP_H

#include "model/model.h"

/* Is llama.cpp the only program that reads the file? */
bool llama_cpp_alone(const struct model *m);
/* Is it GGUF of an architecture that llama.cpp loads? */
bool llama_cpp_loads(const struct model *m);
/* Of such a file: does llama.cpp refuse it for a tensor of this name, which the architecture's specification does not have? */
bool llama_cpp_refuses(numel_str name);
/* Of such a file: a sentence for each rule that its metadata break, in the model's memory; *count 0: none. NOMEM. */
NUMEL_MUST bool llama_cpp_faults(const struct model *m, const char *const **texts, size_t *count,
                                 struct arena *a, numel_error *e);
/* Where such a file has no formula for want of a key: m->why says that llama.cpp requires it, which is no gap in what is known. NOMEM. */
NUMEL_MUST bool llama_cpp_blame(struct model *m, numel_error *e);

#endif
