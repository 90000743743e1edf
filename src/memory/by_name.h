/*
 * by_name.h -- the caches of layers without a specification, inferred from the names and shapes of
 * projections.
 *
 * For each token, a layer keeps as many elements of keys and values as its projections have rows. Shapes do
 * not show windows, shared caches and states, so this is an upper bound that proves nothing: ground `name`.
 */
#ifndef NUMEL_MEMORY_BY_NAME_H
#define NUMEL_MEMORY_BY_NAME_H

#include "memory/memory.h"

/* If there are such projections, sets by_name, inferred_* and cache_known. */
NUMEL_MUST bool memory_by_name(struct memory *m, numel_error *e);
NUMEL_MUST bool memory_by_name_cache(const struct memory *m, const struct memory_run *run,
                                     struct cache_bytes *out, numel_error *e);

#endif
