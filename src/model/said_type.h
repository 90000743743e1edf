/*
 * said_type.h -- the types of torch that a configuration names.
 */
#ifndef NUMEL_MODEL_SAID_TYPE_H
#define NUMEL_MODEL_SAID_TYPE_H

#include "model/model.h"

/* The type of its elements; *type is NULL where it names none. NOMEM. */
NUMEL_MUST bool model_declared_type(const struct model *m, const numel_dtype **type, numel_error *e);
/* What bitsandbytes is told to compute in; likewise. */
NUMEL_MUST bool model_compute_type(const struct model *m, const numel_dtype **type, numel_error *e);

#endif
