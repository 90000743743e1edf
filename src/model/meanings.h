/*
 * meanings.h -- the meanings of a registry's names, computed once per pattern (registry/patterns.h).
 *
 * The table of names (meaning.h) distinguishes numbers only where they are part of a name: "wi_0",
 * "weight_scale_2". Names of such patterns are looked up one by one.
 */
#ifndef NUMEL_MODEL_MEANINGS_H
#define NUMEL_MODEL_MEANINGS_H

#include "model/meaning.h"
#include "registry/registry.h"

struct meanings {
    const struct registry *registry;
    struct meaning *of; /* by pattern; NULL: nothing is kept */
    bool *known;
};

/* The registry must outlive it, and must not grow. NOMEM. */
NUMEL_MUST bool meanings_init(struct meanings *m, const struct registry *r, struct arena *a, numel_error *e);
/* What meaning_of() returns for the tensor's name. */
struct meaning meanings_at(struct meanings *m, size_t tensor);

#endif
