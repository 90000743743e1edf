/*
 * list_record.h -- a numel_row as bytes for a sorter: the sort key, then the row.
 */
#ifndef NUMEL_REPORTER_LIST_RECORD_H
#define NUMEL_REPORTER_LIST_RECORD_H

#include "base/buffer.h"

/* The sort key: numbers first; in a tie, texts in natural order. */
struct list_key {
    uint64_t number;
    numel_str text;
};

/* The number of a row whose value is unknown; that of an error is one more. */
#define LIST_KEY_UNKNOWN (UINT64_MAX - 1)

/* A number of a record, in 8 bytes. `get` takes it off the front; false if fewer are left. */
void list_record_put_number(struct buffer *b, uint64_t n);
NUMEL_MUST bool list_record_get_number(numel_str *from, uint64_t *n);
void list_record_put(struct buffer *b, const struct list_key *key, const numel_row *row);
/* The row's texts point into the record; its error is stored in *error. Returns false if the record is
 * malformed. */
NUMEL_MUST bool list_record_get(numel_str record, numel_row *row, numel_error *error);
/* A sorter_order_fn; ctx is a bool: reverse, with unknown values last all the same. */
int list_record_order(const void *ctx, numel_str a, numel_str b);

#endif
