/*
 * vocabulary.h -- counts the tokens of a folder's tokenizer, for the rows of a table that nothing else
 * states.
 */
#ifndef NUMEL_MODEL_VOCABULARY_H
#define NUMEL_MODEL_VOCABULARY_H

#include "base/memory.h"

/* *count is 0 if there is no tokenizer in a known format, or if its numbers have gaps. NOMEM. */
NUMEL_MUST bool vocabulary_count(const char *dir, int64_t *count, struct arena *a, numel_error *e);

#endif
