/* llama_cpp_internal.h -- shared by llama_cpp.c and its table. */
#ifndef NUMEL_MODEL_LLAMA_CPP_INTERNAL_H
#define NUMEL_MODEL_LLAMA_CPP_INTERNAL_H

#include <stddef.h>

struct llama_cpp_key {
    const char *key; /* after the architecture's name; "=xielu.eps" is a whole key */
    const char *of;  /* architectures that require it, separated by spaces; "!": all but these; NULL: all */
};

extern const char llama_cpp_architectures[]; /* those that it loads, separated by spaces */
extern const struct llama_cpp_key llama_cpp_keys[];
extern const size_t llama_cpp_key_count;

#endif
