/*
 * subject.h -- what a path stands for, opened once: the public numel_subject.
 *
 *     one checkpoint              its handle (statement/handle.h): model, statement, judgement
 *     several models in a file    the same file, and its parts (components/single.h)
 *     a pipeline's folder         so many checkpoints of what was found, each a subject of its own
 *     a configuration             a handle without a checkpoint
 *
 * Nothing is opened before somebody asks for it: a report of the bytes (verify) opens a file that nobody else can. What has
 * been opened is kept until the end, but for the members of a pipeline, which are opened for who asks and closed by him: all
 * of them at once are too much.
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
    const numel_found *found; /* NULL: it was not found by a path */
    size_t at;
    size_t components; /* of the pipeline that begins at the at-th; 0: none does */
    numel_checkpoint *own_ck;
    const numel_checkpoint *ck;
    const char *config; /* the configuration that it is; NULL: none, or what the knowledge says alone */
    bool configured;    /* it is a configuration alone */
    bool
        named_config; /* so it is called: to a report of a model it is one, to others a file that is no checkpoint */
    numel_error lacks; /* why its configuration had to do; OK: it did not */
    struct single_parts *parts;
    bool split; /* whether it has parts was asked */
    struct handle *handle;
    struct components *whole; /* of several: asked and judged; NULL: not yet */
    numel_judgement judgement;
};

NUMEL_MUST struct numel_subject *subject_new(const numel_knowledge *, const numel_options *, numel_error *);
/* The at-th of what was found, with all the pipeline that begins there where `whole`. */
NUMEL_MUST bool subject_found(struct numel_subject *, const numel_found *, size_t at, bool whole,
                              numel_error *);
void subject_free(struct numel_subject *); /* NULL is fine */

/* Its checkpoint, opened by the first call. Errors as numel_open(); USAGE: it is a configuration, or a pipeline. */
NUMEL_MUST bool subject_opened(struct numel_subject *, numel_error *);
/* Does a report show its configuration, which its path names, or which came out of a pipe? */
bool subject_is_config_file(const struct numel_subject *);
/* Its parts, NULL where it is one model. Errors as subject_opened(), and as parts_open(). */
NUMEL_MUST bool subject_parts(struct numel_subject *, struct single_parts **, numel_error *);
/* Is it a folder of several, or a file of several? Errors as subject_parts(). */
NUMEL_MUST bool subject_is_several(struct numel_subject *, bool *several, numel_error *);
/* The handle of its checkpoint: as subject_opened(). */
NUMEL_MUST struct handle *subject_stored(struct numel_subject *, numel_error *);
/* The same; or of a configuration, where it is one, or where its files are not here and a configuration is. */
NUMEL_MUST struct handle *subject_model(struct numel_subject *, numel_error *);
/* The components of several, of the arena, not asked. */
NUMEL_MUST bool subject_components(struct numel_subject *, struct components *, struct arena *,
                                   numel_error *);

#endif
