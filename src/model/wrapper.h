/*
 * wrapper.h -- parts of a checkpoint's names that are not in its architecture.
 *
 *   module.model.layers.0.q.weight            text "module.", at the start
 *   model.layers.0._orig_mod.q.weight         text "_orig_mod.", anywhere
 *   model.language_model.layers.0.q.weight    text "language_model.", after "model."
 *
 * If training.c and naming.c strip them, the model is matched and counted as if they were not there. Most
 * loaders do not strip them, so subject/loaders.c asks here.
 */
#ifndef NUMEL_MODEL_WRAPPER_H
#define NUMEL_MODEL_WRAPPER_H

#include "model/model.h"

struct wrapper {
    numel_str before, text;  /* names in the files have `before` and then `text`, which ends with a dot */
    bool anywhere;           /* `text` is one of torch's words and may be anywhere in names */
    bool unmatched;          /* tensors with such names were not matched */
    uint64_t names, weights; /* the number of weights with `text` in their names, and of all weights */
    uint64_t explains;       /* number of differences that disappear without it */
};

enum { WRAPPERS = 5 };

/* Fills `out` and returns the number of wrappers. Returns 0 for GGUF, for a model without a formula, and
 * for a training checkpoint, which has optimizer states or copies of the weights. `base` is the prefix
 * that a class without a head lacks, "model."; empty if none. Texts point into the checkpoint's names. */
unsigned model_wrappers(const struct model *m, numel_str base, struct wrapper out[WRAPPERS]);

/* Whether classes may keep their base model under this part of a name, such as "bert". OWN: similar to the
 * model type; COMMON: widely used. */
enum prefix_kind { PREFIX_NONE, PREFIX_COMMON, PREFIX_OWN };
enum prefix_kind wrapper_prefix(const struct model *m, numel_str part);

/* The number of adapter tensors in a whole model; *inside: PEFT wraps its weights in `base_layer`. */
uint64_t model_adapters(const struct model *m, bool *inside);

#endif
