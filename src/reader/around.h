/*
 * around.h -- what else a folder holds that is weights, beside the checkpoints that are read of it.
 *
 *     checkpoint-500   a checkpoint of training, by its name or by what a trainer leaves there
 *     onnx             files of a form that is not read
 *     original         the same model again: its config.json says no other size
 *     whisper-large    a model of its own, by its config.json
 *     optimizer.pt     of the folder itself, what is not read
 *
 * Told by names and configurations alone: nobody opens the weights, and nothing of it is counted.
 */
#ifndef NUMEL_READER_AROUND_H
#define NUMEL_READER_AROUND_H

#include "base/json_doc.h"
#include "source/folder.h"

enum around_kind {
    AROUND_OTHER,    /* nothing says what it is */
    AROUND_TRAINING, /* what a trainer left */
    AROUND_COPY,     /* the model of the folder above, as both configurations say */
    AROUND_MODEL,    /* another */
    AROUND_ADAPTER,
    AROUND_PIPELINE /* a model of components */
};

enum { AROUND_FORMS = 3 };

struct around_item {
    const char *place; /* below the folder: "onnx", "unet/onnx"; of files in it the first: "optimizer.pt" */
    enum around_kind kind;
    const char *class, *type;        /* that its config.json says, of a model; NULL */
    const char *forms[AROUND_FORMS]; /* of its files, "safetensors", "ONNX model"; the rest NULL */
    uint64_t files, bytes;
};

struct around {
    struct around_item *items;
    size_t count, cap;
    bool more; /* folders were left out: there are too many */
};

struct numel_found;
/* All of it in `dir`, a few folders down. What `told` has of the folders in it is left out; NULL: nothing is told. What
 * cannot be listed is passed over. NOMEM. */
NUMEL_MUST bool around_list(struct around *, const char *dir, const struct numel_found *told, struct arena *,
                            numel_error *);

/* The configuration of a folder; NULL where there is none, or it cannot be read. Freed with json_doc_free(). NOMEM. */
NUMEL_MUST bool around_config(json_value **doc, const char *dir, const struct folder *f, struct arena *,
                              numel_error *);
/* What a folder is beside one whose configuration is `above` (NULL: it has none); *class as in an item. NOMEM. */
NUMEL_MUST bool around_judge(struct around_item *x, const json_value *above, const char *dir,
                             const struct folder *f, struct arena *, numel_error *);

#endif
