/*
 * prefixes.h -- prefixes of names, in files with several models and in adapters: the lines of
 * src/data/products/prefixes.table, which explains them, as compiled by the build (data/derive).
 */
#ifndef NUMEL_REGISTRY_PREFIXES_H
#define NUMEL_REGISTRY_PREFIXES_H

#include "registry/registry.h"

#include <string.h>

enum single_kind {
    SINGLE_DIFFUSION,
    SINGLE_EMA, /* an average of the weights, under names of its own */
    SINGLE_VAE,
    SINGLE_TEXT,
    SINGLE_IMAGE, /* encodes the image from which a video or another image starts */
    SINGLE_OTHER,
    SINGLE_BUFFERS, /* not a component: see single_beside() */
    SINGLE_UNKNOWN,
    /* whole names of tensors next to the components */
    SINGLE_SCHEDULE, /* of the noise: one number per step; all have the same length */
    SINGLE_NUMBER,   /* a single number of any type */
    SINGLE_MARKER,   /* its presence is the information: at most one element */
    SINGLE_LATENT    /* one number per latent channel: 1, C, 1, 1 */
};

/* Arrays instead of pointers, which the dynamic linker would have to relocate at each start. */
struct prefix {
    char text[52];
    uint8_t bytes, kind; /* length of `text`; enum single_kind */
    char name[20];
    bool single, gguf, adapter, base; /* where it is used */
    bool sure, key, told;
    char inner[48], needs[48]; /* "A|B"; a name; "": unspecified */
};
extern const struct prefix embedded_prefixes[];
extern const uint32_t embedded_prefix_count;

static inline bool prefix_is(const struct prefix *p, numel_str name)
{
    return name.n >= p->bytes && memcmp(name.p, p->text, p->bytes) == 0;
}

#endif
