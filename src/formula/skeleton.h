/*
 * skeleton.h -- which classes of transformers call their tensors as a file does.
 *
 * The build has for each class of the truth (data/derive/skeletons.c) the names of its tensors, numbers between dots left out
 * ("model.layers.#.mlp.up_proj.weight"), as hashes of 30 bits; of a class with very many names the SKELETON_NAMES
 * lowest hashes, which stand for all. What is like a file's names is the share of them that a line and the file have
 * in common. It says where to look first, and proves nothing: shapes are for whoever asks.
 */
#ifndef NUMEL_FORMULA_SKELETON_H
#define NUMEL_FORMULA_SKELETON_H

#include "registry/registry.h"

struct skeleton {
    numel_str classes;           /* "llama:LlamaForCausalLM,mistral:MistralForCausalLM", of the table */
    uint32_t common, own, names; /* names that both have; those of the file; those of the line */
};

/* The lines that are most like the names of the tensors, the best first, that have half of the names in common: room for `room`,
 * their number in *count. NOMEM. */
NUMEL_MUST bool skeleton_find(const struct registry *r, struct skeleton *out, unsigned room, unsigned *count,
                              numel_error *e);
/* The next class of a line: *classes goes on behind it. False when there is none. */
bool skeleton_class(numel_str *classes, numel_str *model_type, numel_str *name);

#endif
