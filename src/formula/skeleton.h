/*
 * skeleton.h -- finds the classes of transformers whose tensor names are like a file's.
 *
 * For each class in the truth (data/derive/skeletons.c), the build has the names of its tensors without
 * numbers between dots ("model.layers.#.mlp.up_proj.weight"), as 30-bit hashes. A class with very many names
 * is represented by the SKELETON_NAMES lowest hashes. The similarity of a line and a file is the share of
 * names that both have. It decides where to search first and proves nothing: the caller checks shapes.
 */
#ifndef NUMEL_FORMULA_SKELETON_H
#define NUMEL_FORMULA_SKELETON_H

#include "registry/registry.h"

struct skeleton {
    numel_str classes;           /* "llama:LlamaForCausalLM,mistral:MistralForCausalLM", from the table */
    uint32_t common, own, names; /* number of names in both, in the file, in the line */
};

/* The lines that share half of their names with the tensors, the most similar first: at most `room`, their
 * number in *count. NOMEM. */
NUMEL_MUST bool skeleton_find(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                              numel_error *e);
/* The next class of a line; advances *classes past it. False if there are no more. */
bool skeleton_class(numel_str *classes, numel_str *model_type, numel_str *name);

#endif
