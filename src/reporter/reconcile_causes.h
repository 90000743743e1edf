/* reconcile_causes.h -- the lists of reconcile, where what follows from a cause folds under it. */
#ifndef NUMEL_REPORTER_RECONCILE_CAUSES_H
#define NUMEL_REPORTER_RECONCILE_CAUSES_H

#include "page/report.h"
#include "subject/change.h"

/* A line a cause that is not itself a difference; all: nothing is folded. NOMEM. */
NUMEL_MUST bool cause_lines(struct numel_report *out, const struct change *c, bool all);
/* Of a list of differences text shows those whose cause (of[i], may be NULL) does not explain them, at most `shown`. False:
 * NOMEM. */
NUMEL_MUST bool folded_list(struct numel_report *out, const struct change *c, const uint32_t *of,
                            struct section *s, size_t shown);

#endif
