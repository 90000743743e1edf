/* training_internal.h -- the names of a training checkpoint, shared by training.c and training_sets.c. */
#ifndef NUMEL_MODEL_TRAINING_INTERNAL_H
#define NUMEL_MODEL_TRAINING_INTERNAL_H

#include "model/training.h"
#include "model/training_words.h"

struct told {       /* about a tensor, only by its name */
    numel_str base; /* of the weight that it is or belongs to; first: see names.h */
    unsigned word;  /* COPY_WORD: a copy; UNTOLD_WORD: an unknown state; above: a weight */
    bool numbered;
};

struct taking {
    struct training *t;
    const struct registry *r;
    struct arena *arena;
    numel_error *error;
    struct told *told;
    struct names weights; /* by base, of told[] */
    size_t weight_count, moments, untold, copy_count;
    size_t
        settings; /* counts of what was averaged into the weights, lists of an optimizer: nothing else has these names */
    bool scalar_squares; /* exp_avg_sq is one number per weight, for all weights */
};

static inline bool told_weight(const struct told *x) { return x->word > UNTOLD_WORD; }

/* Finds the meaning of a tensor's name. */
void training_tell(const struct taking *g, struct told *x, const numel_tensor *t);
/* Are all names those of weights, without wrappers? */
bool training_plain(const struct taking *g);
/* Wrappers before all names of weights; NULL after the last. */
const char *training_wrapper_text(unsigned i);
/* Removes the start of a longer name. */
bool training_drop_one(numel_str *s, const char *start);

/* The weight of that name, with or without its wrapper; NAMES_ABSENT. */
uint32_t training_weight(const struct taking *g, numel_str base);
/* Does the moment have the shape that the weight's must have? */
bool training_fits(enum training_form form, const numel_tensor *t, const numel_tensor *w);
/* Compares an optimizer's states of each weight with those of the others: incomplete sets become OFF. */
NUMEL_MUST bool training_settle_sets(struct taking *g);

#endif
