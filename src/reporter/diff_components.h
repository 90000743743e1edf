/* diff_components.h -- the part of a diff's report that is about files that are several models. Text alone. */
#ifndef NUMEL_REPORTER_DIFF_COMPONENTS_H
#define NUMEL_REPORTER_DIFF_COMPONENTS_H

#include "diff/diff.h"
#include "page/report.h"

struct diff_components;

/* Of two that are equal, or one model each, there are no rows. All of the arena. NOMEM, DUPLICATE. */
NUMEL_MUST bool diff_components_make(struct diff_components **out, const struct diff *d, struct arena *a,
                                     numel_error *e);
void diff_components_section(struct numel_report *out, const struct diff_components *c);

#endif
