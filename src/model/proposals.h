/*
 * proposals.h -- other sizes than the configuration states, under which a checkpoint differs less.
 *
 * A proposal puts what the tensors show in place of what is stated: one key, two, or as many as differ. Each is tried: the
 * model is made again with these values, and what still differs is counted. The fewest keys that leave least are kept;
 * several proposals of as many keys that leave as little are all kept.
 */
#ifndef NUMEL_MODEL_PROPOSALS_H
#define NUMEL_MODEL_PROPOSALS_H

#include "model/model.h"

enum { PROPOSAL_KEYS = 8, PROPOSALS = 4 };

struct proposal_key {
    const char *key; /* as it is asked for: "text_config.hidden_size", "block_count" */
    struct value was, is;
    bool
        stated; /* in the configuration; else `was` is what is taken without it, null when that is computed */
};

struct proposal {
    struct proposal_key keys[PROPOSAL_KEYS];
    unsigned count;
    size_t left; /* differences and contradictions that stay */
    bool *stays; /* of each gap, then of each unexpected tensor of the model */
};

struct proposals {
    struct proposal items[PROPOSALS];
    unsigned count;
    /* A specification that fits all tensors where the one of the configuration does not; NULL: none, or it was not looked
     * for. Its keys are those in which the configuration differs from what it would be. */
    const char *other;
    struct proposal of_other;
};

/* Of a model that differs from its checkpoint; empty when it has no configuration, and where nothing helps. All is in the
 * arena. NOMEM. */
NUMEL_MUST bool proposals_make(struct proposals *out, const struct model *m, const numel_knowledge *k,
                               struct arena *a, numel_error *e);

#endif
