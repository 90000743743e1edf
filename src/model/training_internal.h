/* training_internal.h -- what the names of a checkpoint of training say, as training.c and training_sets.c share it. */
#ifndef NUMEL_MODEL_TRAINING_INTERNAL_H
#define NUMEL_MODEL_TRAINING_INTERNAL_H

#include "model/training.h"
#include "model/training_words.h"

struct told {       /* of a tensor, by its name alone */
    numel_str base; /* of the weight that it is or belongs to; first: see names.h */
    unsigned word;  /* COPY_WORD: a copy; UNTOLD_WORD: a state nobody knows; above: a weight */
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
        settings; /* counts of what was averaged into the weights, lists of an optimizer: nothing else is called so */
    bool scalar_squares; /* exp_avg_sq is one number a weight, of all of them */
};

static inline bool told_weight(const struct told *x) { return x->word > UNTOLD_WORD; }

/* What the name of a tensor says by itself. */
void training_tell(const struct taking *g, struct told *x, const numel_tensor *t);
/* Are all names those of weights, and nothing wraps them? */
bool training_plain(const struct taking *g);
/* What wraps names of weights, in front of all of them; NULL past the last. */
const char *training_wrapper_text(unsigned i);
/* Takes the start off a longer name. */
bool training_drop_one(numel_str *s, const char *start);

/* The weight of that name, with or without what wraps it; NAMES_ABSENT. */
uint32_t training_weight(const struct taking *g, numel_str base);
/* Does the moment have the shape that one of the weight must have? */
bool training_fits(enum training_form form, const numel_tensor *t, const numel_tensor *w);
/* What an optimizer keeps of one weight, held against what it keeps of the others: what is incomplete becomes OFF. */
NUMEL_MUST bool training_settle_sets(struct taking *g);

#endif
