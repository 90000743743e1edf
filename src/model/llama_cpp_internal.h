/* llama_cpp_internal.h -- between llama_cpp.c and its table. */
#ifndef NUMEL_MODEL_LLAMA_CPP_INTERNAL_H
#define NUMEL_MODEL_LLAMA_CPP_INTERNAL_H

#include <stddef.h>

struct llama_cpp_key {
    const char *key; /* behind the architecture's name; "=xielu.eps": as it stands */
    const char *of;  /* architectures, a space between; "!": all but these; NULL: all */
};

extern const char llama_cpp_architectures[]; /* that it loads, a space between */
extern const struct llama_cpp_key llama_cpp_keys[];
extern const size_t llama_cpp_key_count;

#endif
