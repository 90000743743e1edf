/*
 * wrapper.h -- parts of a checkpoint's names that its architecture does not have.
 *
 *     module.model.layers.0.q.weight                 text "module.", before the names
 *     model.layers.0._orig_mod.q.weight              text "_orig_mod.", anywhere
 *     model.language_model.layers.0.q.weight         text "language_model.", after "model."
 *
 * The model is matched and counted without them if training.c and naming.c strip them. Loaders seldom do, so
 * subject/loaders.c asks here.
 */
#ifndef NUMEL_MODEL_WRAPPER_H
#define NUMEL_MODEL_WRAPPER_H

#include "model/model.h"

struct wrapper {
    numel_str before, text;  /* of a name in the files; text ends with a dot */
    bool anywhere;           /* text is one of torch's words, anywhere in names */
    bool unmatched;          /* tensors with such names were not matched */
    uint64_t names, weights; /* number of weights' names with it, and of all */
    uint64_t explains;       /* differences that disappear without it */
};

enum { WRAPPERS = 5 };

/* Fills `out` and returns how many there are: 0 for GGUF, for a model without a formula, and if optimizer states
 * or copies of the weights make it a training checkpoint. `base` is the prefix that a class without a head lacks,
 * "model."; empty for none. Texts point into the checkpoint's names. */
unsigned model_wrappers(const struct model *m, numel_str base, struct wrapper out[WRAPPERS]);

/* May classes keep their base model under this part of a name, "bert"? OWN: similar to the model type; COMMON: used by others. */
enum prefix_kind { PREFIX_NONE, PREFIX_COMMON, PREFIX_OWN };
enum prefix_kind wrapper_prefix(const struct model *m, numel_str part);

/* The number of adapter tensors in a whole model; *inside: its weights are under PEFT's `base_layer`. */
uint64_t model_adapters(const struct model *m, bool *inside);

#endif
