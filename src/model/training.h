/*
 * training.h -- what a checkpoint of training holds beside its weights: optimizer states, copies that follow the weights
 * (EMA), steps; and what wraps the names of the weights themselves.
 *
 *     model.module.layers.0.q.weight                   the weight; `module.` is a wrapper's
 *     optimizer.state.layers.0.q.weight.exp_avg        its moment, of the same shape
 *     state.17.exp_avg_sq                              by number: some weight has its shape
 *     ema.layers.0.q.weight, shadow_params.17          its copy
 *     optimizer.state.layers.0.q.weight.step           a scalar
 *
 * A name alone proves nothing: a moment or a copy is one where the weight that it belongs to is there, in the shape that the
 * moment must have; by number, where weights of that shape are left for it. Where a file has no weight at all, the moments
 * of one weight must fit each other. What fits none is OFF.
 *
 * The view is the registry as a specification is to see it: weights without their wrappers, and what is none of them under
 * names that nobody asks for. Numbers of tensors are the same.
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
    TRAINING_UNTOLD, /* a word that nobody knows, of a weight that is there */
    TRAINING_PARTS
};

struct training {
    bool any;       /* a part that is no weight */
    bool alone;     /* there are no weights */
    bool wrapped;   /* names of weights have a wrapper's parts in them */
    uint8_t *parts; /* by tensor; NULL: all are weights */
    const struct registry *view;
    struct registry own; /* the view, where it is not the registry itself */
    struct training_sum {
        uint64_t tensors, elements, bytes;
    } sums[TRAINING_PARTS];
};

/* Of a registry that outlives it. NOMEM, OVERFLOW. */
NUMEL_MUST bool training_make(struct training *t, const struct registry *r, struct arena *a, numel_error *e);
void training_done(struct training *t);

static inline enum training_part training_part(const struct training *t, uint32_t tensor)
{
    return t->parts ? (enum training_part)t->parts[tensor] : TRAINING_WEIGHT;
}

/* "moments": what people call the part, and programs. */
const char *training_name(enum training_part p);
/* What torch puts between the parts of a name, and in front of them: "_orig_mod." */
enum { TRAINING_LAYERS = 3 };
const char *training_layer_text(unsigned i);
/* The bytes of the one that the name begins with, and in *which (or NULL) its number; 0 when it begins with none. */
size_t training_layer(numel_str name, unsigned *which);
/* Is it a name of the view that stands for nothing? */
bool training_hides(numel_str name);

#endif
