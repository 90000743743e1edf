/*
 * timm.h -- whose of timm's architectures a file is, told by its tensors.
 *
 * timm saves no configuration with its weights but beside them. What an architecture builds is one set of names and shapes, save for the head
 * and the first convolution: so timm.table has a number for each that stands for all others, and a file has the same number or is another.
 * open_clip's models are told in the same way, by open_clip.table.
 */
#ifndef NUMEL_FORMULA_TIMM_H
#define NUMEL_FORMULA_TIMM_H

#include "registry/registry.h"

struct timm_found {
    numel_str name;  /* of the architecture */
    numel_str class; /* what match lines ask of it: "ResNet", "table" */
    int64_t classes,
        channels; /* that its head tells apart, 0 without one, and that it sees; -1: its own number */
};

enum { TIMM_FOUND = 24 };

/* All architectures with the file's number, the shortest name first, at most TIMM_FOUND; their count. *wrapped: it is saved by
 * transformers' wrapper. */
unsigned timm_find(const struct registry *r, struct timm_found found[TIMM_FOUND], bool *wrapped);

/* Those that have the file's network before their patches, whatever they make of them. */
unsigned timm_find_before(const struct registry *r, struct timm_found found[TIMM_FOUND]);

#endif
