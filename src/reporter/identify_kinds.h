/*
 * identify_kinds.h -- what people call a model of a specification, in a word or two: "VAE", "text encoder", "language model".
 */
#ifndef NUMEL_REPORTER_IDENTIFY_KINDS_H
#define NUMEL_REPORTER_IDENTIFY_KINDS_H

#include "base/text.h"

/* Of the folder that the specification lies in (NULL: the user's), and the class that its file is of; which may be empty. */
const char *identify_kind(const char *family, numel_str class);

#endif
