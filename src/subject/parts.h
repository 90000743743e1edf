/* parts.h -- whether a checkpoint is several models (components/single.h). */
#ifndef NUMEL_SUBJECT_PARTS_H
#define NUMEL_SUBJECT_PARTS_H

#include "components/single.h"

/* *out is NULL for one model, an adapter, or a type stated by the user. `k` may be NULL. NOMEM, DUPLICATE. */
NUMEL_MUST bool parts_open(struct single_parts **out, const numel_checkpoint *, const numel_knowledge *k,
                           const numel_allocator *, numel_error *);

#endif
