/*
 * single.h -- splits one checkpoint with several models by the prefixes of its tensors' names.
 *
 *   diffusion_model    model.diffusion_model.     686 tensors
 *   ema                model_ema.                 686            not counted: the same weights, averaged
 *   vae                first_stage_model.         248
 *   text_encoder       cond_stage_model.          197
 *   buffers            betas, alphas_cumprod       12
 *   unexplained        all other tensors
 *
 * Each component is a separate checkpoint, whose tensors have the rest of their names, and is judged as a
 * model without a configuration. Other tensors are recognised by name, shape and type (single_table.h), or
 * unknown.
 */
#ifndef NUMEL_COMPONENTS_SINGLE_H
#define NUMEL_COMPONENTS_SINGLE_H

#include "components/single_table.h"
#include "statement/handle.h"

struct single_part {
    const struct prefix *prefix; /* NULL: buffers, or unknown tensors */
    enum single_kind kind;
    numel_str key;       /* "0" in conditioner.embedders.0. */
    const char *name;    /* "text_encoder_2", "clip_l"; "buffers", "unexplained" */
    const char *variant; /* "ema"; "" */
    numel_checkpoint *ck;
};

/* The parts of a file. */
struct single_parts {
    struct arena arena;
    const numel_checkpoint *whole;
    struct single_part *items; /* components in the order of the table of prefixes, then other tensors */
    size_t count, models;      /* the first `models` are components */
};

/* A quick check of each pattern of names: false if it cannot contain several models. */
bool single_may(const numel_checkpoint *ck);
/* *out is NULL if the checkpoint is one model. `whole` must outlive it. NOMEM, DUPLICATE. */
NUMEL_MUST bool single_open(struct single_parts **out, const numel_checkpoint *whole, const numel_allocator *,
                            numel_error *);
void single_close(struct single_parts *); /* accepts NULL */

#endif
