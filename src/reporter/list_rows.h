/* list_rows.h -- rows that a list keeps for a table or for sorting; they overflow into an unnamed
 * temporary file. */
#ifndef NUMEL_REPORTER_LIST_ROWS_H
#define NUMEL_REPORTER_LIST_ROWS_H

#include "base/buffer.h"
#include "reporter/list_columns.h"
#include "reporter/wholes.h"
#include "source/sorter.h"

struct list_rows {
    const numel_allocator *allocator; /* NULL: nothing is kept */
    struct arena arena;
    const struct list_column *by;
    struct sorter sorter;
    struct buffer record;
    uint64_t good, top; /* rows without an error, not more than `top` */
    bool reverse;
};

/* Uses how->sort, how->memory and how->folder. Call list_rows_done() even after a failure. USAGE for an
 * unknown column. */
NUMEL_MUST bool list_rows_begin(struct list_rows *, const numel_listing *how, const numel_allocator *,
                                numel_error *);
NUMEL_MUST bool list_rows_add(struct list_rows *, const numel_row *, numel_error *);
/* Passes on the rows, sorted, until one is refused: STOPPED. IO. */
NUMEL_MUST bool list_rows_each(struct list_rows *, numel_row_fn *, void *ctx, numel_error *);
void list_rows_done(struct list_rows *);

/* Adds a row to the totals; files that earlier rows share are left out. */
void list_count(numel_totals *t, const numel_row *row);
/* The totals as a sentence (list_report.c). NULL: NOMEM. */
NUMEL_MUST const char *list_total_text(struct arena *a, const numel_totals *t);

/* The rows that a list has kept, after it ended (list.c). USAGE if it keeps none. */
NUMEL_MUST struct list_rows *list_kept(numel_list *, numel_error *);
/* The models in ComfyUI's folders that a list has met. */
struct wholes *list_wholes(numel_list *);

#endif
