/*
 * natural.h -- the natural order of all names of a registry, by their patterns.
 *
 * A name is text, number, text, number, ... , text. The texts of all patterns are sorted once, place by
 * place; a name is then a row of numbers, and rows are sorted column by column: no two names are compared.
 */
#ifndef NUMEL_REGISTRY_NATURAL_H
#define NUMEL_REGISTRY_NATURAL_H

#include "registry/registry.h"

/* Indices of all tensors in the order of text_natural(), equal names by index, into order[r->count]. *known
 * is false if patterns do not tell: one has a number where another has digits that are not one. NOMEM. */
NUMEL_MUST bool natural_order(const struct registry *r, uint32_t *order, bool *known, numel_error *e);

#endif
