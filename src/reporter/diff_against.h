/* diff_against.h -- the section of a diff report on a third checkpoint: two against one base. */
#ifndef NUMEL_REPORTER_DIFF_AGAINST_H
#define NUMEL_REPORTER_DIFF_AGAINST_H

#include "reporter/diff_values.h"

struct against_sections;

/* Compares the third with the base, of which `b` is the comparison with the second. Errors: see diff_make()
 * and diff_compare(). */
NUMEL_MUST bool diff_against_make(struct numel_report *out, struct against_sections **made,
                                  const struct diff_values *b, struct handle *base, struct handle *third,
                                  const numel_work *how, numel_error *e);
/* Adds the tables, and "against" in JSON; null if s is NULL. */
void diff_against_sections(struct numel_report *out, const struct against_sections *s, bool all);
/* Adds the last line of the text; no effect if s is NULL. */
void diff_against_verdict(struct numel_report *out, const struct against_sections *s);

#endif
