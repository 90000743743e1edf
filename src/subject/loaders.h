/* loaders.h -- causes that are a loader's rules. Each is also a finding of verify, with the same code. */
#ifndef NUMEL_SUBJECT_LOADERS_H
#define NUMEL_SUBJECT_LOADERS_H

#include "subject/causes.h"

/* The causes of a ready handle, found once and kept in it; NULL and *e as for adapter_of(). */
NUMEL_MUST const struct causes *loaders_of(struct handle *c, numel_error *e);
/* Finds verify's rule with the code of such a cause; false if there is none. */
bool loaders_rule(const char *code, enum finding_rule *rule);

#endif
