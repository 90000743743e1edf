/* diff_values.h -- the part of a diff's report that is about values. */
#ifndef NUMEL_REPORTER_DIFF_VALUES_H
#define NUMEL_REPORTER_DIFF_VALUES_H

#include "diff/values.h"
#include "page/report.h"

struct value_sections;

/* Reads and compares; the report gets its verdict. Errors as of diff_compare(). */
NUMEL_MUST bool diff_values_make(struct numel_report *out, struct value_sections **made, const struct diff *d,
                                 const numel_work *how, numel_error *e);
/* The tables, and "values" of the JSON. */
void diff_values_sections(struct numel_report *out, const struct value_sections *s, bool all);
/* The last line of text. */
void diff_values_verdict(struct numel_report *out, const struct value_sections *s);

#endif
