/*
 * name.h -- numbers in names: "model.layers.7.mlp.experts.3.up.weight" has a 7 and a 3.
 *
 * A number is a whole segment between dots: digits without a leading zero, 18 at most.
 */
#ifndef NUMEL_DIFF_NAME_H
#define NUMEL_DIFF_NAME_H

#include "base/text.h"

/* The next segment, without its dot; false at the end. *at starts at 0. */
bool name_segment(numel_str name, size_t *at, numel_str *segment);
bool name_number(numel_str segment, uint64_t *v);
/* The k-th number of a name, from 0, and where it starts. False if there are fewer. */
bool name_number_at(numel_str name, unsigned k, uint64_t *v, size_t *start);
/* The name with `*` for its first `most` numbers, and a dot appended. */
void name_pattern(struct buffer *b, numel_str name, unsigned most);
/* Writes 7 or [0-2,5,7-9] for sorted distinct values; after some ranges "..." and the last. */
void name_ranges(struct buffer *b, const uint64_t *v, size_t n);

#endif
