/*
 * supposed.h -- shapes for the names in an index without any of its shards; see supposed.c.
 */
#ifndef NUMEL_MODEL_SUPPOSED_H
#define NUMEL_MODEL_SUPPOSED_H

#include "model/model.h"

/* Sets the shape of each row's tensor, if it has one. Does nothing for other checkpoints. NOMEM, OVERFLOW. */
NUMEL_MUST bool shapes_suppose(struct model *m, const uint32_t *tensor, numel_error *e);
/* Clears the shapes of a `named` checkpoint again. */
void shapes_forget(const numel_checkpoint *ck);

#endif
