/*
 * identify.h -- what numel_identify() says, and of which kind the file is.
 *
 * Kinds: weights (safetensors, GGUF, other formats), index, config, tokenizer, template, code, text, json,
 * pickle, archive, image, media, document, data, program, training, directory, unknown.
 */
#ifndef NUMEL_READER_IDENTIFY_H
#define NUMEL_READER_IDENTIFY_H

#include "base/error.h"

/* What rooms above know of weights is said behind what is said here: `say` adds to text, of `size` bytes with its
 * zero. NULL: nothing. */
struct identify_more {
    bool (*say)(void *ctx, numel_checkpoint *ck, char *text, size_t size, numel_error *e);
    void *ctx;
};

/* As numel_identify(); *kind is one of the words above, "damaged" when the result is not OK, and "unreadable"
 * for IO. */
NUMEL_MUST numel_rc identify_path(const char *path, char *text, size_t size, const char **kind,
                                  const numel_options *options, const struct identify_more *more,
                                  numel_error *e);

#endif
