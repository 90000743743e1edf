/* loaders.h -- causes that are a loader's rule: each is a finding of verify under the same code. */
#ifndef NUMEL_SUBJECT_LOADERS_H
#define NUMEL_SUBJECT_LOADERS_H

#include "subject/causes.h"

/* The causes of a handle that is ready, in its arena; NULL and *e for NOMEM. `a` as for causes_of_loaders(). */
NUMEL_MUST const struct causes *loaders_of(struct numel_model *c, const struct adapter *a, numel_error *e);
/* The rule of verify that has the code of such a cause; false when none has. */
bool loaders_rule(const char *code, enum finding_rule *rule);

#endif
