/*
 * list_record.h -- a numel_row as bytes, to be kept in a sorter: the key it is sorted by, and behind it the row.
 */
#ifndef NUMEL_REPORTER_LIST_RECORD_H
#define NUMEL_REPORTER_LIST_RECORD_H

#include "base/buffer.h"

/* By what a record comes: the number first, of those that have the same the text in natural order. */
struct list_key {
    uint64_t number;
    numel_str text;
};

void list_record_put(struct buffer *b, const struct list_key *key, const numel_row *row);
/* The row's texts are those of the record; its error is put into *error. False: it is no such record. */
NUMEL_MUST bool list_record_get(numel_str record, numel_row *row, numel_error *error);
/* A sorter_order_fn. */
int list_record_order(const void *ctx, numel_str a, numel_str b);

#endif
