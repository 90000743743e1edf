/*
 * change.h -- why a statement does not close, in few sentences: each explains many differences.
 *
 *     config.json says num_hidden_layers is 2, the file has 4 layers: set it to 4
 *     each of 32 layers lacks self_attn.q_proj.bias
 *
 * First comes the smallest change of the configuration that makes the differing tensors fit (model/proposals.h), then
 * a prefix that all names have; the rest is grouped by layer, by expert and by kind. A part of its handle, made once.
 */
#ifndef NUMEL_SUBJECT_CHANGE_H
#define NUMEL_SUBJECT_CHANGE_H

#include "statement/handle.h"

enum { CHANGE_CAUSES = 16, CHANGE_NONE = 0 };

struct change_cause {
    const char *code, *text; /* escaped */
    uint64_t explains;       /* differences and contradictions */
    bool alone;              /* says no more than the differences */
    bool loader;             /* a loader's (loaders.h); a judgement lists it before these */
    bool lacks;              /* something is missing; false: something has another form or name */
};

struct change {
    struct change_cause causes[CHANGE_CAUSES];
    unsigned count;
    bool by_configuration; /* the first one is a change of the configuration that settles everything */
    uint32_t *gaps, *unexpected,
        *contradictions; /* each of the model's: its cause, from 1, or CHANGE_NONE; NULL: there are no
                          * differences */
    size_t gap_count, unexpected_count;
    struct change_name { /* sorted: tensors by name, contradictions by text */
        numel_str name;
        uint32_t cause;
    } * names;
    size_t name_count;
};

/* NULL: NOMEM. Empty for a model without differences. */
NUMEL_MUST const struct change *change_of(struct handle *c, numel_error *e);
/* The cause of a finding about a tensor, or about counts of layers, heads or experts; else CHANGE_NONE. */
uint32_t change_explains(const struct change *, const numel_finding *);

#endif
