/*
 * expression.h -- describes the caches of layers in the specification's symbols.
 */
#ifndef NUMEL_MEMORY_EXPRESSION_H
#define NUMEL_MEMORY_EXPRESSION_H

#include "formula/cache.h"

/* "2*K*D per token, 32 layers; E*C per sequence, 8 layers", in the arena; "" if layers keep nothing; NULL:
 * NOMEM. */
const char *memory_expression(const struct expansion *x, struct arena *a);

#endif
