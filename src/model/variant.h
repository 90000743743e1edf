/* variant.h -- a file of a known family with whole blocks more or fewer, which is then another model of the family. */
#ifndef NUMEL_MODEL_VARIANT_H
#define NUMEL_MODEL_VARIANT_H

#include "model/model.h"

/* Does the file have more or fewer blocks, all alike and without a gap, than the model that only its tensors name,
 * and no other difference? Then *why has the number. Needs m->x and a checkpoint with all its files. */
NUMEL_MUST bool model_is_variant(const struct model *m, numel_error *why);

#endif
