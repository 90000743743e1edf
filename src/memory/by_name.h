/*
 * by_name.h -- what layers keep, where no specification says it: inferred from the names and shapes of projections.
 *
 * A layer that projects keys and values keeps as many elements of each for a token as the projections have rows. Windows, shared
 * caches and states have no shape, so this is the most that such a model keeps, and it proves nothing: ground `name`.
 */
#ifndef NUMEL_MEMORY_BY_NAME_H
#define NUMEL_MEMORY_BY_NAME_H

#include "memory/memory.h"

/* Sets by_name, inferred_*, cache_known, where such projections are there. */
NUMEL_MUST bool memory_by_name(struct memory *m, numel_error *e);
NUMEL_MUST bool memory_by_name_cache(const struct memory *m, const struct memory_run *run,
                                     struct cache_bytes *out, numel_error *e);

#endif
