/* main_type.h -- the type that most of a checkpoint is stored in. */
#ifndef NUMEL_REGISTRY_MAIN_TYPE_H
#define NUMEL_REGISTRY_MAIN_TYPE_H

#include "base/buffer.h"
#include "registry/registry.h"

/* The type of most elements, the first one on a tie; NULL without tensors. `all`, if not NULL, gets the
 * names of all types in file order: "BF16+F32". */
const numel_dtype *dtype_of_most(const struct registry *r, struct buffer *all);

#endif
