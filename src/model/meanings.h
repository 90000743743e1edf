/*
 * meanings.h -- the meanings of a registry's names, computed once per pattern (registry/patterns.h).
 *
 * The table of names (meaning.h) uses numbers only where one may be a name: "wi_0", "weight_scale_2". Names of such
 * patterns are looked up one by one.
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

/* For a registry that outlives it and gets no more tensors. NOMEM. */
NUMEL_MUST bool meanings_init(struct meanings *m, const struct registry *r, struct arena *a, numel_error *e);
/* As meaning_of() the tensor's name. */
struct meaning meanings_at(struct meanings *m, size_t tensor);

#endif
