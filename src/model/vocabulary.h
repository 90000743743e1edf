/*
 * vocabulary.h -- the number of tokens of the tokenizer in a folder: the rows of a table without another source.
 */
#ifndef NUMEL_MODEL_VOCABULARY_H
#define NUMEL_MODEL_VOCABULARY_H

#include "base/memory.h"

/* 0: no tokenizer in a known format, or its numbers have gaps. NOMEM. */
NUMEL_MUST bool vocabulary_count(const char *dir, int64_t *count, struct arena *a, numel_error *e);

#endif
