/*
 * printout_report.h -- shared by the two files of the printout report: its facts, made once.
 */
#ifndef NUMEL_REPORTER_PRINTOUT_REPORT_H
#define NUMEL_REPORTER_PRINTOUT_REPORT_H

#include "printout/printed_account.h"
#include "printout/printed_stated.h"
#include "reporter/lines.h"

struct printout_report {
    struct printout p;
    struct handle *c; /* NULL without a path */
    const char *path, *name, *architecture, *verdict, *what;
    const char *printed; /* a rounded table's range, "60.5 M: ..."; else NULL */
    struct holdings held;
    struct printed_beside b;
    struct printed_rows rows;
    struct printed_account account;
    struct line_table lines;
    struct stated_rows stated;
    size_t chosen; /* index into p.prints */
    const struct numel_report *report;
};

/* The printout that is shown; NULL if the text has none. */
const struct printed *chosen_print(const struct printout_report *r);
/* For a text with tables only: the first that matches the path's count, else the first. */
const struct summary *chosen_table(const struct printout_report *r);
/* The count of a table: the sum of its rows, or its stated total if rows are rounded, as that is closer. */
struct figure table_count(const struct summary *x);

/* Adds the whole report (printout_sections.c). `all`: no list is shortened. */
void printout_sections(struct numel_report *out, struct printout_report *r, bool all);

#endif
