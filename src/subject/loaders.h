/* loaders.h -- causes that are a loader's rule: each is a finding of verify under the same code. */
#ifndef NUMEL_SUBJECT_LOADERS_H
#define NUMEL_SUBJECT_LOADERS_H

#include "subject/causes.h"

/* The causes of a handle that is ready, looked for once and kept with it; NULL and *e as of adapter_of(). */
NUMEL_MUST const struct causes *loaders_of(struct handle *c, numel_error *e);
/* The rule of verify that has the code of such a cause; false when none has. */
bool loaders_rule(const char *code, enum finding_rule *rule);

#endif
