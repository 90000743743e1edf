/*
 * safetensors_internal.h -- what reading a safetensors header and checking it share.
 */
#ifndef NUMEL_READER_SAFETENSORS_INTERNAL_H
#define NUMEL_READER_SAFETENSORS_INTERNAL_H

#include "reader/extents.h"
#include "reader/reader.h"

/* The product of the dims into t->elements; false: it does not fit. */
bool safetensors_elements(numel_tensor *t);
/* Of a tensor whose elements are known: does it pass checks 6 to 9, the one before it having ended at *expected? Then it has its place,
 * and *expected is its own end. */
bool safetensors_in_order(const struct reading *r, numel_tensor *t, const struct reading_entry *e,
                          uint64_t *expected);
/* Offsets from the start of the file. */
bool safetensors_place(struct reading *r);
/* Checks 6 to 9, in the order of the layout. */
bool safetensors_check(struct reading *r, const struct extents *l);
/* The names; one that stands twice is told with the places of both. */
bool safetensors_commit(struct reading *r);
/* What the file's bytes are, and check 10. */
void safetensors_account(struct reading *r, const struct extents *l);

#endif
