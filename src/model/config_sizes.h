/*
 * config_sizes.h -- sizes in the configurations of components, to compare one's input with another's output.
 * All are positive integers; 0 if missing.
 */
#ifndef NUMEL_MODEL_CONFIG_SIZES_H
#define NUMEL_MODEL_CONFIG_SIZES_H

#include "base/json_doc.h"

int64_t size_at(const json_value *doc, const char *path);
/* The first value found under n keys; a NULL key ends the list. */
int64_t size_first(const json_value *doc, const char *const *keys, size_t n);
/* The width of a text encoder's vectors, one per token. */
int64_t size_hidden(const json_value *doc);

#endif
