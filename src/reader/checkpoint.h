/*
 * checkpoint.h -- files found and joined: the object behind the public interface.
 *
 * Holds the tensors, metadata, findings and file facts of all files. Sources are closed after
 * reading, except those that long metadata arrays still point into.
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
    numel_file *files;      /* those that were read, in set order */
    struct source *sources; /* parallel to files */
    size_t file_count, file_cap;
    size_t missing;      /* files of the set that do not exist */
    size_t opened;       /* number of findings from opening; those of verify follow */
    const char *path;    /* heading */
    const char *name;    /* common name, or NULL */
    const char *config;  /* its configuration, if it is not config.json in dir; else NULL */
    const char *dir;     /* where config.json would be; NULL for memory */
    const char *part;    /* which component of the named folder it is; NULL if it is not one */
    const char *module;  /* its class in sentence-transformers, unless its folder states it; else NULL */
    const char *modules; /* then: the path of the index that states it */
    const char *place;   /* of dir below the named folder; "" if it is that folder */
    numel_str *full;     /* of a slice (slice.h): its tensors' names in the files; else NULL */
    uint32_t *whole;     /* likewise: their indices in the original checkpoint */
    struct shard_index index;
    const char *index_path; /* NULL if the set has none */
    /* Points to itself if no file of the index is here: the tensors are its names, with unknown type and
     * shape until model/supposed.c sets those of a formula; files[0], which is not counted, is the index.
     * Else NULL. */
    numel_checkpoint *named;
    const numel_dtype *unknown; /* then: the type of these tensors */
    uint64_t stored;
    uint64_t spent;              /* how much of SOURCE_FREE its files have used */
    const struct remote *remote; /* likewise */
    numel_file
        *shown_files; /* of a remote one: the files and findings by their URLs, for the public interface */
    numel_finding *shown_findings;
    size_t shown; /* number of these findings: those from opening */
    bool heads;   /* likewise */
    bool strict;
    bool unguarded;            /* the host handles SIGBUS */
    bool piped;                /* read from a pipe: no data and no folder */
    bool lenient;              /* opened by checkpoint_inspect() */
    bool by_name;              /* opened by checkpoint_by_name() */
    struct file_state *states; /* then: one for each file of the set */
};

/* The state of an inspected file of the set. */
struct file_state {
    const char *path; /* where it is or should be */
    uint32_t file;    /* its index in the checkpoint; NAMES_ABSENT: not read */
    bool missing;
    bool recognised;   /* a checkpoint file, whole or damaged, or a pointer to one */
    uint64_t promised; /* bytes, if it is a pointer; else 0 */
};

/* Reads one file into the checkpoint; used by open and identify. */
struct opening {
    numel_checkpoint *ck;
    const numel_options *options; /* never NULL */
    struct reading r;
    struct source *source;
    const struct reader *reader;
    struct recognised as; /* for a file that could not be read */
    numel_error *error;
};
void opening_init(struct opening *o, numel_checkpoint *ck, const numel_options *, numel_error *);
void opening_done(struct opening *o);
/* Takes ownership of the source. False: the checkpoint has nothing from the file. */
bool opening_file(struct opening *o, struct source *s, const char *path);

void checkpoint_init(numel_checkpoint *ck, const numel_allocator *);
void checkpoint_done(numel_checkpoint *ck);
/* After the last file: compares index and split facts, computes sums. */
NUMEL_MUST bool checkpoint_close(numel_checkpoint *ck, numel_error *e);

/* Opens a set for verify: unreadable files are findings, and the checkpoint opens with the rest,
 * possibly none (file_count 0). False for NOMEM, and IO for a single file that cannot be opened.
 * The findings are not closed: later checks add theirs. */
NUMEL_MUST bool checkpoint_inspect(numel_checkpoint **out, const struct found_set *, const numel_options *,
                                   numel_error *e);

/* The i-th as in numel_open(); if no file of its index is here, with the index's names as tensors (see
 * `named`). */
NUMEL_MUST bool checkpoint_by_name(numel_checkpoint **out, const numel_found *, size_t i,
                                   const numel_options *, numel_error *e);
/* index_alone.c: true if no file of its index is here; then the index's names serve as tensors. */
bool index_is_alone(const numel_checkpoint *ck, const struct found_set *set);
NUMEL_MUST bool index_name_tensors(numel_checkpoint *ck, numel_error *e);

/* True if it is about an existing file of the set that could not be read: the registry lacks its tensors. */
bool checkpoint_finding_unread(const numel_checkpoint *ck, const numel_finding *f);
/* The state of its bytes as opened: UNKNOWN if nothing is wrong, else INCOMPLETE or DAMAGED. Likewise for one
 * finding; with strict, warnings count. */
numel_state checkpoint_state(const numel_checkpoint *ck);
numel_state checkpoint_finding_state(const numel_checkpoint *ck, const numel_finding *f);

/* dcp.c: joins tensors that the ranks of a training run wrote in slices, after the last file. Slices that fit
 * together become one tensor, without a place in any file (its offset is NUMEL_NOWHERE); others are left
 * unchanged, with a finding. */
NUMEL_MUST bool dcp_join(numel_checkpoint *ck, numel_error *e);
/* set.c: names in two files, copies without data; for the set of an index, the index against the shards. */
void set_check(numel_checkpoint *ck);
NUMEL_MUST bool set_index(numel_checkpoint *ck, const struct found_set *set, numel_error *e);
/* split.c: split.no, split.count, split.tensors.count of GGUF sets against names and numbers. */
void split_check(numel_checkpoint *ck);

#endif
