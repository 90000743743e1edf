/*
 * review.h -- what somebody who must vouch for a download asks: what in it runs code, and what of it?
 *
 * Loading weights runs nothing where they are safetensors or GGUF. What lies beside them may: pickles that a
 * loader prefers or falls back to, Python that config.json names, chat templates, Keras' Lambda layers,
 * programs. Each is a note, which --strict makes an error; a pickle that imports what no weights need is
 * a warning. Nothing is run, unpacked or followed out of the folder.
 *
 * A part of the level config. Folders below that of the checkpoint are looked at too, unless they hold
 * checkpoints of their own; of a pipeline's parts the first looks at the pipeline's folder.
 */
#ifndef NUMEL_VERIFY_REVIEW_H
#define NUMEL_VERIFY_REVIEW_H

#include "verify/verify.h"

struct review {
    struct verify *v;
    struct arena arena;   /* its own, for as long as the review */
    const char *dir;      /* the folder being looked at */
    unsigned deepest;     /* levels below it that are looked at */
    const char *real_dir; /* resolved; NULL when it cannot be */
    uint64_t files;       /* looked at so far */
};

/* One file, by path; `name` is its own. Each adds its findings; false for NOMEM. */
/* review_json.c: auto_map, custom pipelines and modules, chat templates. */
NUMEL_MUST bool review_json(struct review *g, const char *path, numel_str name);
/* review_pickle.c: what a file of that content, whatever its name, runs when it is loaded: pickles raw and
 * in zips, object arrays, Lambda layers, programs. */
NUMEL_MUST bool review_content(struct review *g, const char *path, numel_str name);
/* A template that stands at `offset` of a file; `which` is its name, or empty. */
void review_template(struct review *g, const char *path, numel_str which, numel_str text, uint64_t offset);

/* It was not looked at, whatever it is: "whether it names code". What the disk does not give is an error, as a
 * file of the checkpoint would be; what is broken or too large a warning. */
void review_unread(struct review *g, const char *path, const char *what, const numel_error *why);

#define review_find(g, rule, file, offset, ...) \
    findings_add(&(g)->v->ck->findings, rule, file, NO_TENSOR, offset, __VA_ARGS__)

#endif
