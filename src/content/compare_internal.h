/* compare_internal.h -- what compare.c and compare_noted.c share. */
#ifndef NUMEL_CONTENT_COMPARE_INTERNAL_H
#define NUMEL_CONTENT_COMPARE_INTERNAL_H

#include "content/compare.h"

#include "content/resume.h"

/* What an earlier run has found out: fills in results and sets done[] of their pairs. `was` are the files as they are
 * now. NOMEM. */
NUMEL_MUST bool compare_take(const struct resume *r, struct compare *c, struct file_identity *const was[2],
                             bool *done, struct arena *a, numel_error *e);
/* Notes a pair that is done. */
void compare_note(struct resume *r, const struct compare *c, const struct compare_pair *p,
                  struct file_identity *const was[2]);

#endif
