/*
 * identify_kinds.h -- the common name for a kind of model, in a word or two: "VAE", "text encoder", "language
 * model".
 */
#ifndef NUMEL_REPORTER_IDENTIFY_KINDS_H
#define NUMEL_REPORTER_IDENTIFY_KINDS_H

#include "base/text.h"

/* `family` is the folder of the specification, NULL if it is the user's. `class` is the file's class, and
 * may be empty. */
const char *identify_kind(const char *family, numel_str class);

#endif
