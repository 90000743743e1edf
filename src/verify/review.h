/*
 * review.h -- for those who must vouch for a download: what in it runs code, and which code?
 *
 * Loading weights from safetensors or GGUF runs nothing. Files next to them may: pickles that a loader
 * prefers or falls back to, Python named by config.json, chat templates, Keras' Lambda layers, programs. Each
 * is a note, an error with --strict; a pickle that imports what no weights need is a warning. Nothing is run,
 * unpacked or followed out of the folder.
 *
 * It belongs to the level config. Folders below the checkpoint's are searched too, unless they hold
 * checkpoints of their own; the first component of a pipeline searches the pipeline's folder.
 */
#ifndef NUMEL_VERIFY_REVIEW_H
#define NUMEL_VERIFY_REVIEW_H

#include "verify/verify.h"

struct review {
    struct verify *v;
    struct arena arena;   /* its own, for the duration of the review */
    const char *dir;      /* the current folder */
    unsigned deepest;     /* how many levels below it are searched */
    const char *real_dir; /* resolved; NULL if that fails */
    uint64_t files;       /* searched so far */
};

/* One file, by path; `name` is its own. Each adds its findings; false for NOMEM. */
/* review_json.c: auto_map, custom pipelines and modules, chat templates. */
NUMEL_MUST bool review_json(struct review *g, const char *path, numel_str name);
/* review_pickle.c: what loading a file of that content runs, under any name: raw pickles and those in zips,
 * object arrays, Lambda layers, programs. */
NUMEL_MUST bool review_content(struct review *g, const char *path, numel_str name);
/* A template at `offset` of a file; `which` is its name, or empty. */
void review_template(struct review *g, const char *path, numel_str which, numel_str text, uint64_t offset);

/* Reports that it could not be searched: `what` is "whether it names code". A read error is an error, as for
 * a file of the checkpoint; a broken or too large file is a warning. */
void review_unread(struct review *g, const char *path, const char *what, const numel_error *why);

#define review_find(g, rule, file, offset, ...) \
    findings_add(&(g)->v->ck->findings, rule, file, NO_TENSOR, offset, __VA_ARGS__)

#endif
