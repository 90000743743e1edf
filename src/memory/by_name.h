/*
 * by_name.h -- the caches of layers without a specification: inferred from the names and shapes of projections.
 *
 * A layer that projects keys and values keeps as many elements of each for a token as the projections have rows.
 * Shapes do not show windows, shared caches and states, so this is an upper bound and proves nothing: ground `name`.
 */
#ifndef NUMEL_MEMORY_BY_NAME_H
#define NUMEL_MEMORY_BY_NAME_H

#include "memory/memory.h"

/* Sets by_name, inferred_*, cache_known if there are such projections. */
NUMEL_MUST bool memory_by_name(struct memory *m, numel_error *e);
NUMEL_MUST bool memory_by_name_cache(const struct memory *m, const struct memory_run *run,
                                     struct cache_bytes *out, numel_error *e);

#endif
