/*
 * file_type.h -- what general.file_type of GGUF says, and whether the tensors are of such a file.
 *
 * The number (llama.h, enum llama_ftype) names a recipe of llama-quantize: "Q4_K_M" is Q4_K for most
 * matrices and Q6_K for some. llama.cpp prints it and loads by none of it, so that it can be wrong, and in
 * files that others mixed it often is. What a recipe gives to which matrix stands in file_type.c.
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

/* llama.cpp adds it to the number of a recipe that it only guessed. */
enum { FILE_TYPE_GUESSED = 1024 };

/* NULL: llama.cpp knows no such number. */
const struct file_type *file_type_find(uint64_t id);

enum file_type_fit {
    FILE_TYPE_APART, /* no matrix that recipes are for: a norm, a router, the embedding, the output */
    FILE_TYPE_BASE,  /* of the type of most, or of what stands for that where a row is no whole block */
    FILE_TYPE_MIXED, /* of another that the recipe gives to such a matrix */
    FILE_TYPE_KEPT,  /* plain, where converters keep some so */
    FILE_TYPE_ODD    /* the recipe gives no such type there */
};

/* What the metadata of a file says of its types. */
struct file_type_said {
    const struct metadata_entry *entry; /* general.file_type; NULL: it is not there */
    bool number;
    int64_t id;                   /* as stored, if it is a number */
    const struct file_type *type; /* without the mark of a guess; NULL: unknown */
    bool guessed;
    uint64_t experts; /* of a layer, by the architecture's key; 0: none */
};

struct file_type_said file_type_said(const struct metadata *m);

/* `experts`: of a layer, 0 for none. The embedding and the output are apart, for llama-quantize has options
 * for each, and a converter's copy of them keeps its type. */
enum file_type_fit file_type_fit(const struct file_type *, const numel_tensor *, uint64_t experts);

/* Would llama-quantize give this tensor another type? Not to norms, biases, routers, positions and the
 * like, which it copies. */
bool file_type_quantizes(const numel_tensor *);

static inline bool file_type_packed(const numel_dtype *d) { return d->block_elements > 1; }

#endif
