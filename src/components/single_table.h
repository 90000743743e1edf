/*
 * single_table.h -- names in files with several models, each under a prefix, as ComfyUI, A1111 and Civitai
 * distribute them: the prefix of each component (src/data/products/prefixes.table), and the tensors next to all of them.
 */
#ifndef NUMEL_COMPONENTS_SINGLE_TABLE_H
#define NUMEL_COMPONENTS_SINGLE_TABLE_H

#include "registry/prefixes.h"

/* The row whose prefix the name has in that file; NULL if none. *key: the part that distinguishes components, or
 * empty; *bare: the rest of the name. */
const struct prefix *single_prefix_of(const struct registry *file, numel_str name, numel_str *key,
                                      numel_str *bare);

/* What such files hold beside all components: its kind, from SINGLE_SCHEDULE on; SINGLE_UNKNOWN: that is none. */
enum single_kind single_beside_kind(numel_str name);
/* Has it the shape and the type of that? `steps`: of the schedule. */
bool single_beside(const numel_tensor *t, uint64_t steps);

#endif
