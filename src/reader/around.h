/*
 * around.h -- other weights in a folder, besides the checkpoints that are read.
 *
 *     checkpoint-500   a training checkpoint, by its name or by a trainer's files
 *     onnx             files in a format that is not read
 *     original         the same model again: no size in its config.json differs
 *     whisper-large    another model, by its config.json
 *     optimizer.pt     in the folder itself, a file that is not read
 *
 * Judged by names and configurations only: the weights are not opened and not counted.
 */
#ifndef NUMEL_READER_AROUND_H
#define NUMEL_READER_AROUND_H

#include "base/json_doc.h"
#include "source/folder.h"

enum around_kind {
    AROUND_OTHER,    /* unknown */
    AROUND_TRAINING, /* left by a trainer */
    AROUND_COPY,     /* the model of the folder above, by both configurations */
    AROUND_MODEL,    /* another model */
    AROUND_ADAPTER,
    AROUND_PIPELINE /* a multi-component model */
};

enum { AROUND_FORMS = 3 };

struct around_item {
    const char *place; /* below the folder: "onnx", "unet/onnx"; for files in it the first: "optimizer.pt" */
    enum around_kind kind;
    const char *class, *type;        /* from a model's config.json; else NULL */
    const char *forms[AROUND_FORMS]; /* file formats, "safetensors", "ONNX model"; the rest NULL */
    uint64_t files, bytes;
    const char *said; /* all of it in words, for the report */
};

struct around {
    struct around_item *items;
    size_t count, cap;
    bool more; /* too many folders; some were skipped */
};

struct numel_found;
/* Lists the other weights in `dir`, a few folders down, except what `told` has; `told` may be NULL. Skips
 * folders that cannot be listed. NOMEM. */
NUMEL_MUST bool around_list(struct around *, const char *dir, const struct numel_found *told, struct arena *,
                            numel_error *);

/* The configuration of a folder; NULL if missing or unreadable. Freed with json_doc_free(). NOMEM. */
NUMEL_MUST bool around_config(json_value **doc, const char *dir, const struct folder *f, struct arena *,
                              numel_error *);
/* Judges a folder next to one whose configuration is `above` (NULL: none); *class as in an item. NOMEM. */
NUMEL_MUST bool around_judge(struct around_item *x, const json_value *above, const char *dir,
                             const struct folder *f, struct arena *, numel_error *);

#endif
