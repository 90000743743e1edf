/* diff_values.h -- the section of a diff report on values. */
#ifndef NUMEL_REPORTER_DIFF_VALUES_H
#define NUMEL_REPORTER_DIFF_VALUES_H

#include "base/number.h"
#include "diff/values.h"
#include "page/report.h"

struct value_sections;

/* Uses the fewest digits that read back as the same number. NaN and infinity become null. */
struct cell value_real_cell(char out[NUMBER_REAL], double v);

/* For people: three digits; decibels with one decimal. Otherwise as value_real_cell(). */
struct cell value_short_cell(char out[NUMBER_REAL], double v);
struct cell value_decibel_cell(char out[NUMBER_REAL], double v);

/* Reads and compares the values, and sets the report's verdict. Errors: see diff_compare(). */
NUMEL_MUST bool diff_values_make(struct numel_report *out, struct value_sections **made, struct diff *d,
                                 const numel_work *how, numel_error *e);
/* The comparison itself. */
const struct diff_values *diff_values_of(const struct value_sections *s);
/* Adds the tables, and "values" in JSON. */
void diff_values_sections(struct numel_report *out, const struct value_sections *s, bool all);
/* Adds the last line of the text. */
void diff_values_verdict(struct numel_report *out, const struct value_sections *s);

#endif
