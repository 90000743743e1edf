/* diff_components.h -- the section of a diff report on files that hold several models. Text only. */
#ifndef NUMEL_REPORTER_DIFF_COMPONENTS_H
#define NUMEL_REPORTER_DIFF_COMPONENTS_H

#include "diff/diff.h"
#include "page/report.h"

struct diff_components;

/* Makes no rows if the two are equal, or hold one model each. Everything is in the arena. NOMEM,
 * DUPLICATE. */
NUMEL_MUST bool diff_components_make(struct diff_components **out, const struct diff *d, struct arena *a,
                                     numel_error *e);
void diff_components_section(struct numel_report *out, const struct diff_components *c);

#endif
