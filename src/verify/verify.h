/*
 * verify.h -- is this download complete, and is it what it claims to be: levels that build on each other.
 *
 * A level is a row of a table (verify.c): its number and the function that adds its findings. The checkpoint
 * is opened leniently: unreadable parts are findings too, and the levels check the rest. A finding belongs to
 * one level, by its rule (registry/finding.h); the report leaves out those of levels that were not requested,
 * whichever code made them.
 */
#ifndef NUMEL_VERIFY_VERIFY_H
#define NUMEL_VERIFY_VERIFY_H

#include "source/stream.h"
#include "statement/handle.h"
#include "reader/checkpoint.h"
#include "reader/listing.h"

/* The faults of a model besides its statement; the model owns them. */
struct model_fault {
    enum finding_rule rule;
    const char *text;
};
struct model_faults {
    const struct model_fault *items;
    size_t count;
    bool proven; /* the whole model was checked, without a formula */
};

/* Makes a handle ready (handle_ready()), and reports the model's faults. verify does not know adapters and
 * loaders: the reporter asks them, and passes the result here. */
typedef bool verify_ready_fn(struct handle *c, struct model_faults *out, numel_error *e);

/* The models of a multi-model file (components/single.h), each ready, and its unknown tensors. */
struct verify_split {
    struct handle **models;
    size_t count;
    const numel_checkpoint *unknown; /* NULL: none */
    void (*done)(struct verify_split *);
    struct single_parts *own; /* the maker's own data */
};
/* Fills *out for a checkpoint with several models; else leaves it empty. NOMEM. */
struct verify;
typedef bool verify_split_fn(struct verify *v, struct verify_split *out, numel_error *e);

struct verify {
    numel_checkpoint *ck; /* its own: opened for it, freed with the report */
    const struct found_set *set;
    const struct numel_found *found; /* all sets that are verified */
    const numel_options *options;    /* during the run */
    bool strict;
    const numel_check *check;
    numel_knowledge knowledge;   /* the user's: for the level config */
    numel_level level;           /* the highest to check */
    struct arena *arena;         /* the checkpoint's */
    struct value_report *values; /* of values.h; NULL: not requested */
    const char *whole;           /* what is complete if nothing is wrong; NULL: the number of files */
    bool in_part;                /* the level config could not check everything */
    bool unread;                 /* the given manifest could not be compared in full */
    bool stopped;                /* before all data was read */
    struct hashed *hashed;       /* of the level hash; NULL: not checked */
    struct listing published;    /* of check->against; empty: not given */
    const char *published_dir;   /* the local folder that has these files */
    bool published_sizes;        /* all files of the folder were compared with it */
    struct file_identity *was;   /* each file of the set before opening */
    struct handle *model;        /* NULL until requested */
    verify_ready_fn *ready;      /* makes it */
    struct model_faults faults;  /* made with it */
    verify_split_fn *split;      /* NULL: no file is split */
    numel_error *error;
};

/* Opens the checkpoint and runs the requested levels. The caller has filled set, options, check, ready and
 * error, and left the rest zero; `a` outlives it. NOMEM, or a user's request that cannot be met.
 * verify_done() frees it in any case, also an all-zero one. */
NUMEL_MUST bool verify_run(struct verify *v, struct arena *a);
void verify_done(struct verify *v);

/* The model, with what reconcile reports on it; nothing is expected of an adapter. Made once, freed by
 * verify_done(); false for NOMEM or a user's request that cannot be met. Needs a file that was read. */
bool verify_model(struct verify *v, const struct handle **c);

/* The levels: each adds findings to v->ck; false only if the report cannot be made (NOMEM). verify.c has
 * their table; each has a file of its name. */
NUMEL_MUST bool verify_size(struct verify *v);
/* Finds that a file of that many bytes is not as large as the listing says. */
struct listed_file;
void verify_size_differs(struct verify *v, const char *path, uint64_t bytes,
                         const struct listed_file *published, const char *listing);
bool verify_index(struct verify *v);
NUMEL_MUST bool verify_config(struct verify *v);
NUMEL_MUST bool verify_hash(struct verify *v);
/* records.c: a part of the level hash. */
NUMEL_MUST bool verify_records(struct verify *v);
/* review.c: a part of the level config. */
NUMEL_MUST bool verify_review(struct verify *v);
/* published.c: a part of the level size: the folder against the published files. */
NUMEL_MUST bool verify_published(struct verify *v);
/* zeros.c: a part of the level size. */
void verify_zeros(struct verify *v);
/* ollama.c: the same. */
void verify_ollama(struct verify *v);

/* values.c: outside the levels, on request. */
NUMEL_MUST bool verify_values(struct verify *v);

#endif
