/*
 * printout_report.h -- what the two files of the printout report share: its facts, made once.
 */
#ifndef NUMEL_REPORTER_PRINTOUT_REPORT_H
#define NUMEL_REPORTER_PRINTOUT_REPORT_H

#include "printout/printed_account.h"
#include "printout/printed_stated.h"
#include "reporter/lines.h"

struct printout_report {
    struct printout p;
    struct handle *c; /* NULL: no path */
    const char *path, *name, *architecture, *verdict, *what;
    const char *printed; /* of a table whose figures are rounded: "60.5 M" and what it may be; else NULL */
    struct holdings held;
    struct printed_beside b;
    struct printed_rows rows;
    struct printed_account account;
    struct line_table lines;
    struct stated_rows stated;
    size_t chosen; /* of p.prints */
    const struct numel_report *report;
};

/* The printout that is shown; NULL when the text holds none. */
const struct printed *chosen_print(const struct printout_report *r);
/* Of a text that holds tables alone: the first, or the first that counts what the path holds. */
const struct summary *chosen_table(const struct printout_report *r);
/* What a table counts: its rows; of one that is rounded its total, which is nearer. */
struct figure table_count(const struct summary *x);

/* printout_sections.c: all of the report. `all`: no list is cut. */
void printout_sections(struct numel_report *out, struct printout_report *r, bool all);

#endif
