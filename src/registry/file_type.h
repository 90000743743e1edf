/*
 * file_type.h -- what GGUF's general.file_type states, and whether the tensors match it.
 *
 * The number (llama.h, enum llama_ftype) names a recipe of llama-quantize: "Q4_K_M" is Q4_K for most matrices
 * and Q6_K for some. llama.cpp prints it but does not load by it, so it can be wrong, and often is in files
 * mixed by others. file_type.c has the types a recipe gives to each matrix.
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

/* Added by llama.cpp to the number of a guessed recipe. */
enum { FILE_TYPE_GUESSED = 1024 };

/* NULL: not a number of llama.cpp. */
const struct file_type *file_type_find(uint64_t id);

enum file_type_fit {
    FILE_TYPE_APART, /* not a matrix for recipes: a norm, a router, the embedding, the output */
    FILE_TYPE_BASE,  /* of the main type, or of its stand-in where a row is not a whole number of blocks */
    FILE_TYPE_MIXED, /* of another type that the recipe gives to such a matrix */
    FILE_TYPE_KEPT,  /* plain, where converters keep some plain */
    FILE_TYPE_ODD    /* the recipe never gives this type there */
};

/* What a file's metadata states about its types. */
struct file_type_said {
    const struct metadata_entry *entry; /* general.file_type; NULL: absent */
    bool number;
    int64_t id;                   /* as stored, if a number */
    const struct file_type *type; /* without the mark of a guess; NULL: unknown */
    bool guessed;
    uint64_t experts; /* per layer, by the architecture's key; 0: none */
};

struct file_type_said file_type_said(const struct metadata *m);

/* `experts`: per layer, 0 for none. The embedding and the output are apart: llama-quantize has an option for
 * each, and a converter's copy keeps its type. */
enum file_type_fit file_type_fit(const struct file_type *, const numel_tensor *, uint64_t experts);

/* Would llama-quantize change this tensor's type? Not for norms, biases, routers, positions and the like,
 * which it copies. */
bool file_type_quantizes(const numel_tensor *);

static inline bool file_type_packed(const numel_dtype *d) { return d->block_elements > 1; }

#endif
