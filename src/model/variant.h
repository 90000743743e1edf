/* variant.h -- a file of a known family with whole blocks more or fewer, which is then another model of it. */
#ifndef NUMEL_MODEL_VARIANT_H
#define NUMEL_MODEL_VARIANT_H

#include "model/model.h"

/* Does the file have more or fewer blocks than the model that its tensors alone name, all alike, without a hole, and differ
 * in nothing else? Then *why says in how many. Needs m->x and a checkpoint whose files are all there. */
NUMEL_MUST bool model_is_variant(const struct model *m, numel_error *why);

#endif
