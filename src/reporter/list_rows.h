/* list_rows.h -- rows that a list keeps, for a table or in another order: beyond their memory in a file without a name. */
#ifndef NUMEL_REPORTER_LIST_ROWS_H
#define NUMEL_REPORTER_LIST_ROWS_H

#include "base/buffer.h"
#include "reporter/list_columns.h"
#include "source/sorter.h"

struct list_rows {
    const numel_allocator *allocator; /* NULL: nothing is kept */
    struct arena arena;
    const struct list_column *by;
    struct sorter sorter;
    struct buffer record;
    uint64_t good; /* without errors */
};

/* As how->sort, how->memory and how->folder say. list_rows_done() frees it also after a failure. USAGE for the column. */
NUMEL_MUST bool list_rows_begin(struct list_rows *, const numel_listing *how, const numel_allocator *,
                                numel_error *);
NUMEL_MUST bool list_rows_add(struct list_rows *, const numel_row *, numel_error *);
/* Hands out the rows, sorted, until one is refused: STOPPED. IO. */
NUMEL_MUST bool list_rows_each(struct list_rows *, numel_row_fn *, void *ctx, numel_error *);
void list_rows_done(struct list_rows *);

/* list.c: what a list has kept, once it ended. USAGE: nothing. */
NUMEL_MUST struct list_rows *list_kept(numel_list *, numel_error *);

#endif
