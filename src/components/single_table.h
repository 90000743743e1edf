/*
 * single_table.h -- names in files with several models, as distributed by ComfyUI, A1111 and Civitai: the
 * prefix of each component (src/data/products/prefixes.table), and the tensors outside all components.
 */
#ifndef NUMEL_COMPONENTS_SINGLE_TABLE_H
#define NUMEL_COMPONENTS_SINGLE_TABLE_H

#include "registry/prefixes.h"

/* The row whose prefix the name has in that file; NULL if none. *key is the part that distinguishes
 * components, or empty; *bare is the rest of the name. */
const struct prefix *single_prefix_of(const struct registry *file, numel_str name, numel_str *key,
                                      numel_str *bare);

/* The kind of a tensor outside all components, SINGLE_SCHEDULE or a later one; SINGLE_UNKNOWN if it is not
 * known. */
enum single_kind single_beside_kind(numel_str name);
/* True if the tensor has the shape and type of its kind. `steps` is the length of the schedule. */
bool single_beside(const numel_tensor *t, uint64_t steps);

#endif
