/*
 * proposals.h -- values that make a checkpoint differ less than the configuration's do.
 *
 * A proposal replaces stated values by those of the tensors: one key, two, or as many as differ. Each is
 * tried: the model is made again with these values, and the remaining differences are counted. The proposals
 * kept leave the fewest differences, and among these have the fewest keys.
 */
#ifndef NUMEL_MODEL_PROPOSALS_H
#define NUMEL_MODEL_PROPOSALS_H

#include "model/model.h"

enum { PROPOSAL_KEYS = 8, PROPOSALS = 4 };

struct proposal_key {
    const char *key; /* the key that is looked up: "text_config.hidden_size", "block_count" */
    struct value was, is;
    bool stated; /* stated in the configuration; else `was` is the default, or null if that is computed */
};

struct proposal {
    struct proposal_key keys[PROPOSAL_KEYS];
    unsigned count;
    size_t left; /* remaining differences and contradictions */
    bool *stays; /* by gap, then by unexpected tensor of the model: true if it remains */
};

struct proposals {
    struct proposal items[PROPOSALS];
    unsigned count;
    /* A specification that fits all tensors when the configuration's does not; NULL if there is none, or
     * no search. Its keys are those for which the configuration states another value than the
     * specification needs. */
    const char *other;
    struct proposal of_other;
};

/* For a model that differs from its checkpoint. Empty without a configuration, or if nothing helps. All
 * memory is in the arena. NOMEM. */
NUMEL_MUST bool proposals_make(struct proposals *out, const struct model *m, const numel_knowledge *k,
                               struct arena *a, numel_error *e);

#endif
