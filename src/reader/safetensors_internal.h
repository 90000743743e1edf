/*
 * safetensors_internal.h -- shared by reading and checking a safetensors header.
 */
#ifndef NUMEL_READER_SAFETENSORS_INTERNAL_H
#define NUMEL_READER_SAFETENSORS_INTERNAL_H

#include "reader/extents.h"
#include "reader/reader.h"

/* Stores the product of the dims in t->elements; false if it does not fit. */
bool safetensors_elements(numel_tensor *t);
/* True if a tensor with known elements passes checks 6 to 9 after one that ended at *expected; then sets its
 * place, and *expected to its end. */
bool safetensors_in_order(const struct reading *r, numel_tensor *t, const struct reading_entry *e,
                          uint64_t *expected);
/* Sets offsets from the start of the file. */
bool safetensors_place(struct reading *r);
/* Checks 6 to 9, in the order of the layout. */
bool safetensors_check(struct reading *r, const struct extents *l);
/* Accounts for the file's bytes, and makes check 10. */
void safetensors_account(struct reading *r, const struct extents *l);

#endif
