/*
 * training.h -- what a training checkpoint has besides its weights: optimizer states, averaged copies of the
 * weights (EMA), steps; and the wrappers in the names of the weights themselves.
 *
 *     model.module.layers.0.q.weight                   the weight; `module.` is a wrapper's
 *     optimizer.state.layers.0.q.weight.exp_avg        its moment, of the same shape
 *     state.17.exp_avg_sq                              by number: some weight has its shape
 *     ema.layers.0.q.weight, shadow_params.17          its copy
 *     optimizer.state.layers.0.q.weight.step           a scalar
 *
 * A name alone proves nothing: a moment or a copy is one if its weight exists and has the shape that the
 * moment requires; by number, if weights of that shape are left for it. In a file without weights, the
 * moments of one weight must fit each other. Any other is OFF.
 *
 * The view is the registry for a specification: weights without their wrappers, and all other tensors under
 * names that are never looked up. Indices of tensors are the same.
 */
#ifndef NUMEL_MODEL_TRAINING_H
#define NUMEL_MODEL_TRAINING_H

#include "registry/registry.h"

enum training_part {
    TRAINING_WEIGHT,
    TRAINING_MOMENT,
    TRAINING_COPY,
    TRAINING_STEP,
    TRAINING_OFF,
    TRAINING_UNTOLD, /* an unknown word, for an existing weight */
    TRAINING_PARTS
};

struct training {
    bool any;       /* some tensor is not a weight */
    bool alone;     /* there are no weights */
    bool wrapped;   /* names of weights contain a wrapper's parts */
    uint8_t *parts; /* by tensor; NULL: all are weights */
    const struct registry *view;
    struct registry own; /* the view, if it differs from the registry */
    struct training_sum {
        uint64_t tensors, elements, bytes;
    } sums[TRAINING_PARTS];
};

/* For a registry that outlives it. NOMEM, OVERFLOW. */
NUMEL_MUST bool training_make(struct training *t, const struct registry *r, struct arena *a, numel_error *e);
void training_done(struct training *t);

static inline enum training_part training_part(const struct training *t, uint32_t tensor)
{
    return t->parts ? (enum training_part)t->parts[tensor] : TRAINING_WEIGHT;
}

/* "moments": the name of the part for people and programs. */
const char *training_name(enum training_part p);
/* Words that torch inserts between the parts of a name, and before them: "_orig_mod." */
enum { TRAINING_LAYERS = 3 };
const char *training_layer_text(unsigned i);
/* The length of the word that the name begins with, and in *which (or NULL) its index; 0 if there is none. */
size_t training_layer(numel_str name, unsigned *which);
/* Is it a placeholder name of the view? */
bool training_hides(numel_str name);

#endif
