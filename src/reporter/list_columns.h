/*
 * list_columns.h -- what can be said of a row: by name, for tables, CSV, sorting and JSON.
 */
#ifndef NUMEL_REPORTER_LIST_COLUMNS_H
#define NUMEL_REPORTER_LIST_COLUMNS_H

#include "page/report.h"
#include "reporter/list_record.h"

struct list_column {
    const char *name; /* in --columns and --sort, in CSV */
    const char *heading;
    const char *json; /* the key of JSON that it asks for */
    unsigned flags;   /* enum column_flag */
    bool shown;       /* in a table, unless others are asked for */
    struct field from;
    struct cell (*cell)(const numel_row *); /* of what has to be computed; else NULL */
};

/* identify_report.c: a numel_error as an object, in a report of it and in a line of a list. */
extern const struct table error_table;

enum { LIST_COLUMNS = 20 };
extern const struct list_column list_columns[LIST_COLUMNS];

struct cell list_cell(const struct list_column *, const numel_row *);

/* Those that a list of names asks for, in its order; NULL: those that a table shows. USAGE names the first that is
 * none, and those there are. */
struct list_choice {
    const struct list_column *columns[LIST_COLUMNS];
    unsigned count;
    bool all; /* nothing was asked for */
};
NUMEL_MUST bool list_choose(struct list_choice *out, const char *names, numel_error *e);
/* What a row comes by when it is sorted by a column: numbers from large to small, what is not known last. */
struct list_key list_key_of(const struct list_column *c, const numel_row *row);

#endif
