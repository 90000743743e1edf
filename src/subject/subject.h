/*
 * subject.h -- what a path is, opened once: the public numel_subject.
 *
 *     one checkpoint              its handle (statement/handle.h): model, statement, judgement
 *     several models in a file    the same file, and its parts (components/single.h)
 *     a pipeline's folder         several found checkpoints, each a subject of its own
 *     a configuration             a handle without a checkpoint
 *
 * Nothing is opened until it is needed: verify opens files that every other report refuses. What is open
 * stays open until the subject is closed, except a pipeline's members: the caller opens and closes each,
 * because all at once take too much memory.
 */
#ifndef NUMEL_SUBJECT_SUBJECT_H
#define NUMEL_SUBJECT_SUBJECT_H

#include "components/components.h"
#include "statement/handle.h"

struct numel_subject {
    struct arena arena;
    numel_options options;
    numel_knowledge knowledge; /* a copy */
    numel_found *own_found;
    const numel_found *found; /* NULL: not found by a path */
    size_t at;
    size_t components; /* of the pipeline that begins at `at`; 0: none does */
    numel_checkpoint *own_ck;
    const numel_checkpoint *ck;
    const char *config; /* its configuration; NULL: none, or only the one in `knowledge` */
    bool configured;    /* it is a configuration without a checkpoint */
    /* By its name: reports of a model read it as a configuration, others as a file that is not a checkpoint. */
    bool named_config;
    numel_error lacks; /* why only its configuration was read; OK: its files are present */
    struct single_parts *parts;
    bool split; /* `parts` is known */
    struct handle *handle;
    struct components *whole; /* of several, asked and judged; NULL: not yet */
    numel_judgement judgement;
};

NUMEL_MUST struct numel_subject *subject_new(const numel_knowledge *, const numel_options *, numel_error *);
/* The at-th found; with `whole`, the whole pipeline that begins there. */
NUMEL_MUST bool subject_found(struct numel_subject *, const numel_found *, size_t at, bool whole,
                              numel_error *);
void subject_free(struct numel_subject *); /* NULL is fine */

/* Opens its checkpoint on the first call. Errors as numel_open(); USAGE: it is a configuration or a pipeline. */
NUMEL_MUST bool subject_opened(struct numel_subject *, numel_error *);
/* If only its index is present, and a configuration that has a formula, opens the names in the index
 * (numel_checkpoint.named). Otherwise has no effect. NOMEM. */
NUMEL_MUST bool subject_names(struct numel_subject *, numel_error *);
/* Does a report show its configuration, named by its path or read from a pipe? */
bool subject_is_config_file(const struct numel_subject *);
/* Its parts, NULL for one model. Errors as subject_opened() and parts_open(). */
NUMEL_MUST bool subject_parts(struct numel_subject *, struct single_parts **, numel_error *);
/* How many models it combines, in a folder or a file; 0: it is one. Errors as subject_parts(). */
NUMEL_MUST bool subject_members(struct numel_subject *, size_t *count, numel_error *);
/* The handle of its checkpoint: as subject_opened(). */
NUMEL_MUST struct handle *subject_stored(struct numel_subject *, numel_error *);
/* The same; or of a configuration, if it is one, or if its files are missing and a configuration is present. */
NUMEL_MUST struct handle *subject_model(struct numel_subject *, numel_error *);
/* The components of several, in the arena, not asked. */
NUMEL_MUST bool subject_components(struct numel_subject *, struct components *, struct arena *,
                                   numel_error *);

#endif
