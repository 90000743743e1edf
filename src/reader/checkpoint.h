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
#include "reader/recognise.h"
#include "source/source.h"

struct numel_checkpoint {
    struct arena arena;
    struct registry registry;
    struct metadata metadata;
    struct findings findings;
    numel_file *files;      /* those that were read, in the order of the set */
    struct source *sources; /* of the same numbers */
    size_t file_count, file_cap;
    size_t missing;     /* files of the set that are not there */
    size_t opened;      /* of the findings, those of opening; what verify adds stands behind them */
    const char *path;   /* heading */
    const char *name;   /* what people call it, or NULL */
    const char *config; /* its configuration, where it is not config.json in dir; else NULL */
    const char *dir;    /* where config.json would be; NULL for memory */
    const char *part;   /* the component that it is of the folder that was named; NULL: it is none */
    const char
        *module; /* its class among modules of sentence-transformers, which its folder does not say; NULL */
    const char *modules; /* then: the path of the index that says so */
    const char *place;   /* of dir below the folder that was named; "" when it is that */
    numel_str *full;     /* of a slice (slice.h): names that its tensors have in the files; else NULL */
    uint32_t *whole;     /* likewise: which they are of the checkpoint that it is a slice of */
    struct shard_index index;
    const char *index_path; /* NULL when the set has none */
    /* Itself, where no file of that index is here: tensors are its names, of unknown type and shape until model/supposed.c gives
     * them those of a formula; files[0], which is not counted, is the index. Else NULL. */
    numel_checkpoint *named;
    const numel_dtype *unknown; /* then: the type of a name */
    uint64_t stored;
    uint64_t spent; /* of SOURCE_FREE */
    bool heads;     /* as found_set's */
    bool strict;
    bool unguarded;            /* SIGBUS is the host's business */
    bool piped;                /* read from a pipe: there is no data, and no folder */
    bool lenient;              /* opened by checkpoint_inspect() */
    bool by_name;              /* opened by checkpoint_by_name() */
    struct file_state *states; /* then: of each file of the set */
};

/* What became of a file of the set that was inspected. */
struct file_state {
    const char *path; /* where it is or should be */
    uint32_t file;    /* its number in the checkpoint; NAMES_ABSENT: not read */
    bool missing;
    bool recognised;   /* a checkpoint's file, whole or damaged, or a pointer to one */
    uint64_t promised; /* bytes, when a pointer stands in its place; else 0 */
};

/* Reads one file into the checkpoint: used by open and identify. */
struct opening {
    numel_checkpoint *ck;
    const numel_options *options; /* never NULL */
    struct reading r;
    struct source *source;
    const struct reader *reader;
    struct recognised as; /* of a file that could not be read */
    numel_error *error;
};
void opening_init(struct opening *o, numel_checkpoint *ck, const numel_options *, numel_error *);
void opening_done(struct opening *o);
/* Takes the source over. False: nothing of the file is left in the checkpoint. */
bool opening_file(struct opening *o, struct source *s, const char *path);

void checkpoint_init(numel_checkpoint *ck, const numel_allocator *);
void checkpoint_done(numel_checkpoint *ck);
/* After the last file: index and split facts are compared, sums made. */
NUMEL_MUST bool checkpoint_close(numel_checkpoint *ck, numel_error *e);

/* Opens a set for verify: what cannot be read is a finding, and the checkpoint opens with what can,
 * be it nothing (file_count 0). False for NOMEM, and IO for a single file that cannot be opened. The
 * findings are not closed: what looks further adds its own. */
NUMEL_MUST bool checkpoint_inspect(numel_checkpoint **out, const struct found_set *, const numel_options *,
                                   numel_error *e);

/* The i-th as numel_open() has it; or, where nothing of its index is here but names, with those (see `named`). */
NUMEL_MUST bool checkpoint_by_name(numel_checkpoint **out, const numel_found *, size_t i,
                                   const numel_options *, numel_error *e);
/* index_alone.c: is no file of its index here? Then the names in it are taken for the tensors. */
bool index_is_alone(const numel_checkpoint *ck, const struct found_set *set);
NUMEL_MUST bool index_name_tensors(numel_checkpoint *ck, numel_error *e);

/* Is it about a file of the set that is there and could not be read? Its tensors are not in the registry. */
bool checkpoint_finding_unread(const numel_checkpoint *ck, const numel_finding *f);
/* What its bytes show, as found when it was opened: UNKNOWN when nothing is wrong with them, else INCOMPLETE or DAMAGED. Of
 * one finding likewise; a warning counts where it is strict. */
numel_state checkpoint_state(const numel_checkpoint *ck);
numel_state checkpoint_finding_state(const numel_checkpoint *ck, const numel_finding *f);

/* set.c: names that stand in two files, copies without data; and, with the set of an index, the
 * index against the shards. */
void set_check(numel_checkpoint *ck);
NUMEL_MUST bool set_index(numel_checkpoint *ck, const struct found_set *set, numel_error *e);
/* split.c: split.no, split.count, split.tensors.count of GGUF sets against names and numbers. */
void split_check(numel_checkpoint *ck);

#endif
