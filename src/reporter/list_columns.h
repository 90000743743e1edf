/*
 * list_columns.h -- the columns of a row by name, for tables, CSV, sorting and JSON.
 */
#ifndef NUMEL_REPORTER_LIST_COLUMNS_H
#define NUMEL_REPORTER_LIST_COLUMNS_H

#include "page/report.h"
#include "reporter/list_record.h"

struct list_column {
    const char *name; /* in --columns and --sort, in CSV */
    const char *heading;
    const char *json; /* the JSON key that it selects */
    unsigned flags;   /* enum column_flag */
    bool shown;       /* in a table by default */
    struct field from;
    struct cell (*cell)(const numel_row *); /* for computed values; else NULL */
};

/* A numel_error as an object (identify_report.c), in its own report and in a line of a list. */
extern const struct table error_table;

enum { LIST_COLUMNS = 27 };
extern const struct list_column list_columns[LIST_COLUMNS];

struct cell list_cell(const struct list_column *, const numel_row *);
/* row->fits, with its tone. */
struct cell list_fits_cell(const numel_row *);

/* The columns that a list of names selects, in its order; NULL selects those of a table. An unknown name
 * is USAGE, with a message that lists the known ones. */
struct list_choice {
    const struct list_column *columns[LIST_COLUMNS];
    unsigned count;
    bool all; /* there was no selection */
};
NUMEL_MUST bool list_choose(struct list_choice *out, const char *names, numel_error *e);
/* The key for sorting a row by a column: large numbers first, unknown values last. */
struct list_key list_key_of(const struct list_column *c, const numel_row *row);

#endif
