/*
 * checkpoint.h -- files found and joined: the object behind the public interface.
 *
 * Tensors, metadata, findings and file facts of all files in one place. Sources are closed after
 * reading, except those whose long metadata arrays are still pointed into.
 */
#ifndef NUMEL_READER_CHECKPOINT_H
#define NUMEL_READER_CHECKPOINT_H

#include "reader/find.h"
#include "reader/reader.h"
#include "source/source.h"

struct numel_checkpoint {
    struct arena arena;
    struct registry registry;
    struct metadata metadata;
    struct findings findings;
    numel_file *files; /* those that were read, in the order of the set */
    struct source *sources; /* of the same numbers */
    size_t file_count, file_cap;
    size_t missing;    /* files of the set that are not there */
    const char *path;  /* heading */
    const char *dir;   /* where config.json would be; NULL for memory */
    struct shard_index index;
    const char *index_path; /* NULL when the set has none */
    uint64_t stored;
    bool strict;
};

/* Reads one file into the checkpoint: used by open and identify. */
struct opening {
    numel_checkpoint *ck;
    const numel_options *options;
    struct reading r;
    struct source *source;
    const struct reader *reader;
    numel_error *error;
};
void opening_init(struct opening *o, numel_checkpoint *ck, const numel_options *, numel_error *);
void opening_done(struct opening *o);
/* Takes the source over. False: nothing of the file is left in the checkpoint. */
bool opening_file(struct opening *o, struct source *s, const char *path);

void checkpoint_init(numel_checkpoint *ck, const numel_allocator *);
void checkpoint_done(numel_checkpoint *ck);
/* After the last file: index and split facts are compared, sums made. */
bool checkpoint_close(numel_checkpoint *ck, numel_error *e);

/* split.c: split.no, split.count, split.tensors.count of GGUF sets against names and numbers. */
void split_check(numel_checkpoint *ck);

#endif
