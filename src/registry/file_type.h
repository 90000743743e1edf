/*
 * file_type.h -- what GGUF's general.file_type states, and whether the tensors agree.
 *
 * The number (llama.h, enum llama_ftype) names a recipe of llama-quantize: "Q4_K_M" is Q4_K for most matrices
 * and Q6_K for some. llama.cpp prints it but does not use it for loading, so it can be wrong, and often is in
 * files that other programs mixed. file_type.c has the types that a recipe gives to each matrix.
 */
#ifndef NUMEL_REGISTRY_FILE_TYPE_H
#define NUMEL_REGISTRY_FILE_TYPE_H

#include "registry/metadata.h"
#include "registry/registry.h"

struct file_type {
    unsigned id;
    const char *name; /* "Q4_K_M" */
    const char *type; /* of most matrices: "Q4_K" */
};

/* llama.cpp adds this to the number of a guessed recipe. */
enum { FILE_TYPE_GUESSED = 1024 };

/* NULL if llama.cpp does not have the number. */
const struct file_type *file_type_find(uint64_t id);

enum file_type_fit {
    FILE_TYPE_APART, /* recipes do not cover it: a norm, a router, the embedding, the output */
    FILE_TYPE_BASE,  /* has the main type, or its stand-in if a row is not a whole number of blocks */
    FILE_TYPE_MIXED, /* has another type that the recipe gives to such a matrix */
    FILE_TYPE_KEPT,  /* plain, where converters keep some tensors plain */
    FILE_TYPE_ODD    /* has a type that the recipe never gives to it */
};

/* What a file's metadata states about its types. */
struct file_type_said {
    const struct metadata_entry *entry; /* general.file_type; NULL: absent */
    bool number;
    int64_t id;                   /* as stored, if a number */
    const struct file_type *type; /* without the mark for a guess; NULL if unknown */
    bool guessed;
    uint64_t experts; /* number per layer, from the architecture's key; 0: none */
};

struct file_type_said file_type_said(const struct metadata *m);

/* `experts` is the number per layer, or 0. Embedding and output do not count: llama-quantize has an option
 * for each, and copies by a converter keep their type. */
enum file_type_fit file_type_fit(const struct file_type *, const numel_tensor *, uint64_t experts);

/* True if llama-quantize would change the tensor's type. It copies norms, biases, routers, positions and
 * similar tensors. */
bool file_type_quantizes(const numel_tensor *);

static inline bool file_type_packed(const numel_dtype *d) { return d->block_elements > 1; }

#endif
