/*
 * config_sizes.h -- sizes in the configurations of components, where one takes what another gives: whole numbers above zero; 0 is none said.
 */
#ifndef NUMEL_MODEL_CONFIG_SIZES_H
#define NUMEL_MODEL_CONFIG_SIZES_H

#include "base/json_doc.h"

int64_t size_at(const json_value *doc, const char *path);
/* That of the first of n keys that says one; NULL ends them. */
int64_t size_first(const json_value *doc, const char *const *keys, size_t n);
/* Of the vectors that an encoder of text gives, one a token. */
int64_t size_hidden(const json_value *doc);

#endif
