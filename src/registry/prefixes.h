/*
 * prefixes.h -- how names begin in a file that holds several models, and in adapters: the lines of
 * src/data/products/prefixes.table, which says what they mean, as the build writes them (data/derive).
 */
#ifndef NUMEL_REGISTRY_PREFIXES_H
#define NUMEL_REGISTRY_PREFIXES_H

#include "registry/registry.h"

#include <string.h>

enum single_kind {
    SINGLE_DIFFUSION,
    SINGLE_EMA, /* the same weights averaged, under their own names */
    SINGLE_VAE,
    SINGLE_TEXT,
    SINGLE_IMAGE, /* encodes the image that a video or another image starts from */
    SINGLE_OTHER,
    SINGLE_BUFFERS, /* not a component: see single_beside() */
    SINGLE_UNKNOWN,
    /* not components, but whole names of the tensors next to them */
    SINGLE_SCHEDULE, /* of the noise: a number for each step; all have one length */
    SINGLE_NUMBER,   /* one, of any type */
    SINGLE_MARKER,   /* its presence is the information: no element, or one */
    SINGLE_LATENT    /* a number per channel of the latents: 1, C, 1, 1 */
};

/* Arrays, not pointers: those would be work for the dynamic linker at each start. */
struct prefix {
    char text[52];
    uint8_t bytes, kind; /* of text; enum single_kind */
    char name[20];
    bool single, gguf, adapter, base; /* who reads it */
    bool sure, key, told;
    char inner[48], needs[48]; /* "A|B"; a name; "": nothing is said */
};
extern const struct prefix embedded_prefixes[];
extern const uint32_t embedded_prefix_count;

static inline bool prefix_is(const struct prefix *p, numel_str name)
{
    return name.n >= p->bytes && memcmp(name.p, p->text, p->bytes) == 0;
}

#endif
