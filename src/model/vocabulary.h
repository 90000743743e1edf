/*
 * vocabulary.h -- how many tokens the tokenizer in a folder knows: the rows of a table that nothing else says the size of.
 */
#ifndef NUMEL_MODEL_VOCABULARY_H
#define NUMEL_MODEL_VOCABULARY_H

#include "base/memory.h"

/* 0: there is no tokenizer of a form that is read, or its numbers have gaps. NOMEM. */
NUMEL_MUST bool vocabulary_count(const char *dir, int64_t *count, struct arena *a, numel_error *e);

#endif
