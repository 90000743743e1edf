/*
 * subject.h -- what a path is, opened once: the public numel_subject.
 *
 *   one checkpoint              its handle (statement/handle.h): model, statement, judgement
 *   several models in a file    the same file, and its parts (components/single.h)
 *   a pipeline's folder         several found checkpoints, each a subject of its own
 *   a configuration             a handle without a checkpoint
 *
 * Nothing is opened until it is needed, because verify also opens files that all other reports refuse.
 * Whatever is open stays open until the subject is closed. The members of a pipeline are the exception: all
 * at once take too much memory, so the caller opens and closes each.
 */
#ifndef NUMEL_SUBJECT_SUBJECT_H
#define NUMEL_SUBJECT_SUBJECT_H

#include "components/components.h"
#include "statement/handle.h"

struct numel_subject {
    struct arena arena;
    numel_options options;
    numel_knowledge knowledge; /* a copy */
    struct remote *remotes;    /* of a base or a configuration that is named by a URL */
    numel_found *own_found;
    const numel_found *found; /* NULL: not found by a path */
    size_t at;
    size_t components; /* number in the pipeline that begins at `at`; 0: no pipeline */
    numel_checkpoint *own_ck;
    const numel_checkpoint *ck;
    const char *config; /* path of the configuration; NULL: none, or only the one in `knowledge` */
    bool configured;    /* a configuration without a checkpoint */
    /* The path has a configuration's name: reports on a model read it as one, others as a file that is not
     * a checkpoint. */
    bool named_config;
    numel_error lacks; /* why only the configuration was read; OK: the files are present */
    struct single_parts *parts;
    bool split; /* `parts` has been set */
    struct handle *handle;
    struct components *whole; /* for several models: asked and judged; NULL: not yet */
    numel_judgement judgement;
};

NUMEL_MUST struct numel_subject *subject_new(const numel_knowledge *, const numel_options *, numel_error *);
/* Selects the at-th found checkpoint; with `whole`, the whole pipeline that begins there. */
NUMEL_MUST bool subject_found(struct numel_subject *, const numel_found *, size_t at, bool whole,
                              numel_error *);
void subject_free(struct numel_subject *); /* accepts NULL */

/* Opens the checkpoint on the first call. Errors as for numel_open(); USAGE for a configuration or a
 * pipeline. */
NUMEL_MUST bool subject_opened(struct numel_subject *, numel_error *);
/* If only the index and a configuration with a formula are present, opens the names in the index
 * (numel_checkpoint.named). Otherwise does nothing. NOMEM. */
NUMEL_MUST bool subject_names(struct numel_subject *, numel_error *);
/* True if reports show a configuration, named by path or read from a pipe. */
bool subject_is_config_file(const struct numel_subject *);
/* Gets the parts; NULL for one model. Errors as for subject_opened() and parts_open(). */
NUMEL_MUST bool subject_parts(struct numel_subject *, struct single_parts **, numel_error *);
/* Gets the number of models that a folder or file combines; 0 if it is one. Errors as for subject_parts(). */
NUMEL_MUST bool subject_members(struct numel_subject *, size_t *count, numel_error *);
/* The handle of the checkpoint. Errors as for subject_opened(). */
NUMEL_MUST struct handle *subject_stored(struct numel_subject *, numel_error *);
/* The handle of the checkpoint; or of a configuration, if the subject is one, or if only that is present. */
NUMEL_MUST struct handle *subject_model(struct numel_subject *, numel_error *);
/* Gets the components of several models, in the arena, not yet asked. */
NUMEL_MUST bool subject_components(struct numel_subject *, struct components *, struct arena *,
                                   numel_error *);

#endif
