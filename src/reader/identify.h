/*
 * identify.h -- one line on any path, and the kind of the file.
 *
 * Kinds: weights (safetensors, GGUF, other formats), index, config, tokenizer, template, code, text, json,
 * pickle, archive, image, media, document, data, program, training, directory, unknown.
 */
#ifndef NUMEL_READER_IDENTIFY_H
#define NUMEL_READER_IDENTIFY_H

#include "base/error.h"

/* Lets higher rooms append to the text on weights: `say` adds to text, of `size` bytes including its NUL.
 * NULL: nothing. */
struct identify_more {
    bool (*say)(void *ctx, numel_checkpoint *ck, char *text, size_t size, numel_error *e);
    void *ctx;
};

/* Writes the line, or the reason why there is none, to text[size]. Returns e->code. *kind is one of the words
 * above; "unreadable" for IO, "damaged" for other errors. */
NUMEL_MUST numel_rc identify_path(const char *path, char *text, size_t size, const char **kind,
                                  const numel_options *options, const struct identify_more *more,
                                  numel_error *e);

#endif
