/*
 * wrapper.h -- what stands in the names of a checkpoint besides those that its architecture has.
 *
 *     module.model.layers.0.q.weight                 text "module.", in front of the names
 *     model.layers.0._orig_mod.q.weight              text "_orig_mod.", anywhere
 *     model.language_model.layers.0.q.weight         text "language_model.", behind "model."
 *
 * The model is matched and counted without them where training.c and naming.c strip them. Loaders seldom do, so
 * subject/loaders.c asks here.
 */
#ifndef NUMEL_MODEL_WRAPPER_H
#define NUMEL_MODEL_WRAPPER_H

#include "model/model.h"

struct wrapper {
    numel_str before, text;  /* of a name in the files; text ends with a dot */
    bool anywhere;           /* text is a word of torch's, a part of names wherever it stands */
    bool unmatched;          /* tensors under such names were not matched */
    uint64_t names, weights; /* names that have it, of all names of weights */
    uint64_t explains;       /* differences that go away without it */
};

enum { WRAPPERS = 5 };

/* Fills `out` and returns how many there are: 0 for GGUF, for a model without a formula, and where optimizer states or
 * copies of the weights make the checkpoint one of training. `base` is what names of a class without a head lack,
 * "model."; empty for none. Texts are those of the checkpoint's names. */
unsigned model_wrappers(const struct model *m, numel_str base, struct wrapper out[WRAPPERS]);

/* May classes keep their base model under this part of a name, "bert"? OWN: it is like the model type; COMMON: others do. */
enum prefix_kind { PREFIX_NONE, PREFIX_COMMON, PREFIX_OWN };
enum prefix_kind wrapper_prefix(const struct model *m, numel_str part);

/* How many tensors of an adapter are stored in a whole model; *inside: its weights are under PEFT's `base_layer`. */
uint64_t model_adapters(const struct model *m, bool *inside);

#endif
