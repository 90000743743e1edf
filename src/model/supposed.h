/*
 * supposed.h -- shapes for the names of an index without any of its shards: see supposed.c.
 */
#ifndef NUMEL_MODEL_SUPPOSED_H
#define NUMEL_MODEL_SUPPOSED_H

#include "model/model.h"

/* Sets the shapes of the rows that have a tensor. Does nothing for any other checkpoint. NOMEM, OVERFLOW. */
NUMEL_MUST bool shapes_suppose(struct model *m, const uint32_t *tensor, numel_error *e);
/* Clears the shapes again; for a `named` one. */
void shapes_forget(const numel_checkpoint *ck);

#endif
