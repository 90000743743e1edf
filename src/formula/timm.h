/*
 * timm.h -- identifies a timm architecture by the tensors of a file.
 *
 * timm saves no configuration inside its weight files. An architecture makes one set of names and shapes,
 * except for the head and the first convolution. So timm.table has one number for each, made from all other
 * tensors: the file is this architecture if it has the same number. open_clip's models are identified in the
 * same way, by open_clip.table.
 */
#ifndef NUMEL_FORMULA_TIMM_H
#define NUMEL_FORMULA_TIMM_H

#include "registry/registry.h"

struct timm_found {
    numel_str name;            /* of the architecture */
    numel_str class;           /* for its match lines: "ResNet" */
    int64_t classes, channels; /* of its head, 0 without one; of its input. -1: the architecture's own */
};

enum { TIMM_FOUND = 24 };

/* Finds all architectures with the file's number, the shortest name first, at most TIMM_FOUND. Returns their
 * number. *wrapped: the file was saved by transformers' wrapper. */
unsigned timm_find(const struct registry *r, struct timm_found found[TIMM_FOUND], bool *wrapped);

/* Finds those with the file's network before the patches, with any network after them. */
unsigned timm_find_before(const struct registry *r, struct timm_found found[TIMM_FOUND]);

#endif
