/*
 * pytorch_internal.h -- shared by the files that read a PyTorch file: pytorch.c has its layout, pytorch_walk.c
 * its values, pytorch_tensor.c its tensors, pytorch_place.c where their data is.
 */
#ifndef NUMEL_READER_PYTORCH_INTERNAL_H
#define NUMEL_READER_PYTORCH_INTERNAL_H

#include "reader/extents.h"
#include "reader/pickle_machine.h"
#include "reader/zip.h"

enum { TORCH_DEPTH = 100, TORCH_NAME = 4096, TORCH_OBJECTS = 4 };

/* The bytes of one or more tensors, as a persistent id names them. */
struct torch_storage {
    numel_str key; /* first: see names.h */
    const numel_dtype *dtype;
    uint64_t count, bytes; /* elements of dtype */
    uint64_t at;           /* in the file; NUMEL_NOWHERE: not there */
    uint64_t users;        /* tensors that were read */
};

/* Memory for reading: kept across files, freed at the end. */
struct torch_room {
    struct pickle_room values;
    struct torch_storage *storages;
    size_t count, cap;
    struct names keys, records; /* of storages; of the entries of a zip */
    uint32_t *storage_of;       /* by tensor of the file */
    size_t of_cap;
};

/* An object that needs code. */
struct torch_object {
    struct pickle_object *object;
    struct torch_object *next;
};

struct torch {
    struct reading *r;
    struct torch_room *room;
    bool legacy;
    struct zip zip; /* unless legacy */
    struct zip_bytes bytes;
    const struct zip_entry *record;   /* FOLDER/data.pkl */
    numel_str folder;                 /* "archive/" */
    numel_str code;                   /* the pickle of the object */
    uint64_t origin;                  /* its offset in the file */
    uint64_t data;                    /* legacy: where the storages begin */
    const struct pickle_items *model; /* the chosen dict; NULL: the whole object */

    char path[TORCH_NAME];
    size_t length;
    uint64_t at;      /* of the last key */
    uint64_t letters; /* left for names: all together have no more than the pickle allows */
    unsigned depth;
    bool hidden; /* inside an object that needs code: tensors are only counted */
    struct torch_object *objects, **last;
    uint64_t object_count, hidden_tensors, strided, lazy, bare, scalars;
    char named[TORCH_OBJECTS][120]; /* the first objects that need code */
};

static inline struct arena *torch_arena(const struct torch *t) { return &t->room->values.arena; }

/* Where the directory says that a record is, for messages: it may be anywhere. */
static inline uint64_t torch_record_at(const struct torch *t, const struct zip_entry *x)
{
    return x->at < t->zip.at ? x->at : t->zip.at;
}

/* pytorch_walk.c: adds the tensors below a value. */
NUMEL_MUST bool torch_walk(struct torch *t, const struct pickle_value *root);
/* The chosen dict of a training checkpoint, as converters to safetensors choose it, and its key. */
void torch_choose(struct torch *t, const struct pickle_value *root);

/* pytorch_tensor.c */
enum torch_form { TORCH_NOTHING, TORCH_TENSOR, TORCH_WRAPPED, TORCH_TYPED, TORCH_SPARSE, TORCH_BARE };
/* How the function makes a tensor. */
enum torch_form torch_form(const struct pickle_object *x);
/* The global that is called; NULL if it is computed. */
const struct pickle_global *torch_callee(const struct pickle_value *callee);
/* Adds the tensor that a TORCH_TENSOR makes, under the current path. */
NUMEL_MUST bool torch_add(struct torch *t, const struct pickle_object *x);
/* Adds the storage of a persistent id; *out is NULL if it is none. */
NUMEL_MUST bool torch_storage_of(struct torch *t, const struct pickle_value *id, uint32_t *out,
                                 uint64_t *view);

/* pytorch_place.c: finds the storages in the file, places the tensors, and accounts for every byte. */
NUMEL_MUST bool torch_place(struct torch *t, const struct pickle_value *keys);

#endif
