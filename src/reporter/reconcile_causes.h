/* reconcile_causes.h -- the lists of reconcile; differences that follow from a cause fold under it. */
#ifndef NUMEL_REPORTER_RECONCILE_CAUSES_H
#define NUMEL_REPORTER_RECONCILE_CAUSES_H

#include "page/report.h"
#include "subject/change.h"

/* Adds a line for each cause that is not itself a difference. `all`: nothing is folded. NOMEM. */
NUMEL_MUST bool cause_lines(struct numel_report *out, const struct change *c, bool all);
/* Limits a list in text to differences that their cause (of[i], may be NULL) does not explain, and to
 * `shown` rows. False: NOMEM. */
NUMEL_MUST bool folded_list(struct numel_report *out, const struct change *c, const uint32_t *of,
                            struct section *s, size_t shown);

#endif
