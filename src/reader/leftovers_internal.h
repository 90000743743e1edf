/*
 * leftovers_internal.h -- shared by the files of leftovers: the state of one walk.
 */
#ifndef NUMEL_READER_LEFTOVERS_INTERNAL_H
#define NUMEL_READER_LEFTOVERS_INTERNAL_H

#include "reader/leftovers.h"
#include "source/folder.h"

struct leaving {
    struct leftovers *out;
    struct arena scratch; /* of the folders being looked at */
    struct seen used;     /* what links lead to, and the blobs that manifests name */
    struct seen folders;  /* those already looked at */
    const numel_options *options;
    uint64_t now;
    numel_error *error;
};

/* Adds a copy; a file that changed recently is kept. */
NUMEL_MUST bool leftover_add(struct leaving *l, const struct leftover *x);
/* May a program still be writing to it? */
bool leftover_is_fresh(const struct leaving *l, const char *path);
/* Marks the file or folder as used. */
NUMEL_MUST bool leftover_use(struct leaving *l, const char *path);

/* leftovers_stores.c: a repository of a Hugging Face cache; its snapshots are walked like other folders.
 * `real`: its path from the root. */
NUMEL_MUST bool leftovers_in_repository(struct leaving *l, const char *dir, const char *real);
/* The parts in a folder of blobs, or of a --local-dir's unfinished files; *fresh if one may be under way. */
NUMEL_MUST bool leftovers_of_downloads(struct leaving *l, const char *folder, const char *beside,
                                       const char *model, bool *fresh);
/* The blobs of a models folder of Ollama. */
NUMEL_MUST bool leftovers_in_ollama(struct leaving *l, const char *dir);

#endif
