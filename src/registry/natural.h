/*
 * natural.h -- the natural order of all names in a registry, by their patterns.
 *
 * A name is text, number, text, number, ..., text. The texts of all patterns are ranked once for each place.
 * A name is then a row of numbers, and rows are sorted column by column, so names are never compared with
 * each other.
 */
#ifndef NUMEL_REGISTRY_NATURAL_H
#define NUMEL_REGISTRY_NATURAL_H

#include "registry/registry.h"

/* Writes the indices of all tensors to order[r->count], in the order of text_natural(); equal names are
 * ordered by index. *known is false if patterns do not suffice: one has a number where another has digits
 * that are not one. NOMEM. */
NUMEL_MUST bool natural_order(const struct registry *r, uint32_t *order, bool *known, numel_error *e);

#endif
