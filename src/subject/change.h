/*
 * change.h -- explains in a few sentences why a statement does not close. Each explains many differences.
 *
 *   config.json says num_hidden_layers is 2, the file has 4 layers: set it to 4
 *   each of 32 layers lacks self_attn.q_proj.bias
 *
 * The smallest change of the configuration that makes the tensors fit comes first (model/proposals.h), then a
 * prefix that all names have in common. The rest is grouped by layer, by expert and by kind. It is made once,
 * as a part of its handle.
 */
#ifndef NUMEL_SUBJECT_CHANGE_H
#define NUMEL_SUBJECT_CHANGE_H

#include "statement/handle.h"

enum { CHANGE_CAUSES = 16, CHANGE_NONE = 0 };

struct change_cause {
    const char *code, *text; /* escaped */
    uint64_t explains;       /* number of differences and contradictions */
    bool alone;              /* adds nothing to the list of differences */
    bool loader;             /* it is a loader's (loaders.h), which a judgement lists first */
    bool lacks;              /* something is missing, rather than different in shape or name */
};

struct change {
    struct change_cause causes[CHANGE_CAUSES];
    unsigned count;
    bool by_configuration; /* the first cause is a change of the configuration that settles everything */
    uint32_t *gaps, *unexpected,
        *contradictions; /* for each of the model's, its cause from 1, or CHANGE_NONE; NULL: no differences */
    size_t gap_count, unexpected_count;
    struct change_name { /* sorted: tensors by name, contradictions by text */
        numel_str name;
        uint32_t cause;
    } * names;
    size_t name_count;
};

/* NULL: NOMEM. Empty if the model has no differences. */
NUMEL_MUST const struct change *change_of(struct handle *c, numel_error *e);
/* The cause that explains a finding about a tensor, or about counts of layers, heads or experts; else
 * CHANGE_NONE. */
uint32_t change_explains(const struct change *, const numel_finding *);

#endif
