/*
 * single_table.h -- names in files with several models, each under a prefix, as ComfyUI, A1111 and Civitai
 * distribute them: the prefix of each component, and the tensors next to all of them.
 */
#ifndef NUMEL_COMPONENTS_SINGLE_TABLE_H
#define NUMEL_COMPONENTS_SINGLE_TABLE_H

#include "registry/registry.h"

enum single_kind {
    SINGLE_DIFFUSION,
    SINGLE_EMA, /* the same weights averaged, under their own names */
    SINGLE_VAE,
    SINGLE_TEXT,
    SINGLE_IMAGE, /* encodes the image that a video or another image starts from */
    SINGLE_OTHER,
    SINGLE_BUFFERS, /* not a component: see single_beside() */
    SINGLE_UNKNOWN  /* unknown */
};

struct single_prefix {
    const char *prefix;
    const char *inner; /* words, one of which may follow and is also removed */
    enum single_kind kind;
    const char *name;
    bool segment;      /* one more part of the name distinguishes components: "conditioner.embedders.0." */
    bool strong;       /* no other model has such names */
    bool told;         /* only with a word of `inner`: else another row is meant */
    const char *needs; /* the file has this tensor, else another row is meant; NULL: always */
};

/* The row whose prefix the name has in that file; NULL if none. *key: the part that distinguishes components, or
 * empty; *bare: the rest of the name. */
const struct single_prefix *single_prefix_of(const struct registry *file, numel_str name, numel_str *key,
                                             numel_str *bare);

/* Tensors next to all components. */
enum single_beside_kind {
    BESIDE_NOTHING,
    BESIDE_SCHEDULE, /* of the noise: a number per step, all of the same length */
    BESIDE_NUMBER,   /* one, of any type */
    BESIDE_MARKER,   /* only its presence matters: no element, or one */
    BESIDE_LATENT    /* a number per channel of the latents: 1, C, 1, 1 */
};
enum single_beside_kind single_beside_kind(numel_str name);
/* Does it have that kind's shape and type? `steps`: of the schedule. */
bool single_beside(const numel_tensor *t, uint64_t steps);

#endif
