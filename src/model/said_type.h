/*
 * said_type.h -- the torch types named by a configuration.
 */
#ifndef NUMEL_MODEL_SAID_TYPE_H
#define NUMEL_MODEL_SAID_TYPE_H

#include "model/model.h"

/* Gets the type of the model's elements; *type is NULL if none is named. NOMEM. */
NUMEL_MUST bool model_declared_type(const struct model *m, const numel_dtype **type, numel_error *e);
/* Gets bitsandbytes' compute type; *type is NULL if none is named. NOMEM. */
NUMEL_MUST bool model_compute_type(const struct model *m, const numel_dtype **type, numel_error *e);

#endif
