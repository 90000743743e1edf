/* parts.h -- finds out whether a checkpoint contains several models (components/single.h). */
#ifndef NUMEL_SUBJECT_PARTS_H
#define NUMEL_SUBJECT_PARTS_H

#include "components/single.h"

/* *out is NULL for one model, for an adapter, and if the user states the type. `k` may be NULL. NOMEM,
 * DUPLICATE. */
NUMEL_MUST bool parts_open(struct single_parts **out, const numel_checkpoint *, const numel_knowledge *k,
                           const numel_allocator *, numel_error *);

#endif
