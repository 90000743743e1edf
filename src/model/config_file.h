/* config_file.h -- config.json next to a checkpoint. */
#ifndef NUMEL_MODEL_CONFIG_FILE_H
#define NUMEL_MODEL_CONFIG_FILE_H

#include "base/buffer.h"
#include "base/json_doc.h"
#include "reader/checkpoint.h"

/* The file's text, at most 16 MiB, appended to `text`. */
NUMEL_MUST bool config_file_text(const char *path, struct buffer *text, numel_error *e);
/* The parsed document; NULL and *e if the file cannot be read or is not JSON. */
NUMEL_MUST json_value *config_file_read(const char *path, struct arena *a, numel_error *e);
/* Parses a text in memory. */
NUMEL_MUST json_value *config_text_read(const void *p, size_t n, struct arena *a, numel_error *e);
/* NULL without an error if there is no such file; NULL and *e if it cannot be read or is not JSON. The
 * caller frees the document with json_doc_free(). *path, in the arena, is the path that was tried. */
NUMEL_MUST json_value *config_file_load(const numel_checkpoint *ck, const char *name, struct arena *a,
                                        const char **path, numel_error *e);

#endif
