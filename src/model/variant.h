/* variant.h -- a file of a known family with whole blocks added or removed, which makes it another model
 * of the family. */
#ifndef NUMEL_MODEL_VARIANT_H
#define NUMEL_MODEL_VARIANT_H

#include "model/model.h"

/* True if the only difference from the model that the tensors identify is the number of blocks, and these
 * are all alike and without a gap. *why then has the number. Needs m->x and a checkpoint with all of its
 * files. */
NUMEL_MUST bool model_is_variant(const struct model *m, numel_error *why);

#endif
