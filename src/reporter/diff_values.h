/* diff_values.h -- the section of a diff report on values. */
#ifndef NUMEL_REPORTER_DIFF_VALUES_H
#define NUMEL_REPORTER_DIFF_VALUES_H

#include "diff/values.h"
#include "page/report.h"

struct value_sections;

/* Reads and compares the values, and sets the report's verdict. Errors: see diff_compare(). */
NUMEL_MUST bool diff_values_make(struct numel_report *out, struct value_sections **made, const struct diff *d,
                                 const numel_work *how, numel_error *e);
/* Adds the tables, and "values" in JSON. */
void diff_values_sections(struct numel_report *out, const struct value_sections *s, bool all);
/* Adds the last line of the text. */
void diff_values_verdict(struct numel_report *out, const struct value_sections *s);

#endif
