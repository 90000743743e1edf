/* compare_internal.h -- shared by compare.c and compare_noted.c. */
#ifndef NUMEL_CONTENT_COMPARE_INTERNAL_H
#define NUMEL_CONTENT_COMPARE_INTERNAL_H

#include "content/compare.h"

#include "content/resume.h"

/* Takes the results of an earlier run: fills them in and sets done[] of their pairs. `was`: the files as they
 * are now. NOMEM. */
NUMEL_MUST bool compare_take(const struct resume *r, struct compare *c, struct file_identity *const was[2],
                             bool *done, struct arena *a, numel_error *e);
/* Notes a finished pair. */
void compare_note(struct resume *r, const struct compare *c, const struct compare_pair *p,
                  struct file_identity *const was[2]);

#endif
