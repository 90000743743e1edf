/*
 * proposals.h -- other sizes than the configuration's, with which a checkpoint differs less.
 *
 * A proposal replaces stated values by those of the tensors: one key, two, or as many as differ. Each is tried: the
 * model is made again with these values, and the remaining differences are counted. The fewest keys that leave the
 * fewest differences are kept; all proposals with as many keys that leave as few are kept.
 */
#ifndef NUMEL_MODEL_PROPOSALS_H
#define NUMEL_MODEL_PROPOSALS_H

#include "model/model.h"

enum { PROPOSAL_KEYS = 8, PROPOSALS = 4 };

struct proposal_key {
    const char *key; /* as looked up: "text_config.hidden_size", "block_count" */
    struct value was, is;
    bool stated; /* in the configuration; else `was` is the default, null if that is computed */
};

struct proposal {
    struct proposal_key keys[PROPOSAL_KEYS];
    unsigned count;
    size_t left; /* remaining differences and contradictions */
    bool *stays; /* for each gap, then for each unexpected tensor of the model */
};

struct proposals {
    struct proposal items[PROPOSALS];
    unsigned count;
    /* A specification that fits all tensors while the configuration's does not; NULL: none, or not searched for.
     * Its keys are those in which the configuration differs from its own. */
    const char *other;
    struct proposal of_other;
};

/* For a model that differs from its checkpoint; empty without a configuration, or if nothing helps. All in the
 * arena. NOMEM. */
NUMEL_MUST bool proposals_make(struct proposals *out, const struct model *m, const numel_knowledge *k,
                               struct arena *a, numel_error *e);

#endif
