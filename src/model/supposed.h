/*
 * supposed.h -- shapes for the names of an index none of whose shards is here: see supposed.c.
 */
#ifndef NUMEL_MODEL_SUPPOSED_H
#define NUMEL_MODEL_SUPPOSED_H

#include "model/model.h"

/* The shapes of the rows that have a tensor. Of any other checkpoint nothing is done. NOMEM, OVERFLOW. */
NUMEL_MUST bool shapes_suppose(struct model *m, const uint32_t *tensor, numel_error *e);
/* Its names have no shapes again; for one that is `named`. */
void shapes_forget(const numel_checkpoint *ck);

#endif
