/*
 * verify.h -- is this download complete, and is it what it claims to be: levels that build on each other.
 *
 * A level is a row of a table (verify.c): its number and the function that adds its findings. The
 * checkpoint is opened leniently: what cannot be read is a finding too, and the levels look at what
 * there is. A finding belongs to one level, by its rule (registry/finding.h); those of levels that
 * were not asked for are left out of the report, whoever made them.
 */
#ifndef NUMEL_VERIFY_VERIFY_H
#define NUMEL_VERIFY_VERIFY_H

#include "source/stream.h"
#include "statement/handle.h"
#include "reader/checkpoint.h"

/* What is wrong with a model besides what its statement says; all of it belongs to the model. */
struct model_fault {
    enum finding_rule rule;
    const char *text;
};
struct model_faults {
    const struct model_fault *items;
    size_t count;
    bool proven; /* all of it was checked there, without a formula */
};

/* Makes a handle ready (handle_ready()), and says what is wrong with the model. verify knows nothing of
 * adapters and loaders: the reporter asks there, and what it hears comes this way. */
typedef bool verify_ready_fn(struct handle *c, struct model_faults *out, numel_error *e);

/* The models in one file that is several (components/single.h), each ready; and tensors of it that nobody knows. */
struct verify_split {
    struct handle **models;
    size_t count;
    const numel_checkpoint *unknown; /* NULL: there are none */
    void (*done)(struct verify_split *);
    struct single_parts *own; /* of who made it */
};
/* Fills *out of a checkpoint that is several models; leaves it empty of any other. NOMEM. */
struct verify;
typedef bool verify_split_fn(struct verify *v, struct verify_split *out, numel_error *e);

struct verify {
    numel_checkpoint *ck; /* its own: opened for it, freed with the report */
    const struct found_set *set;
    const struct numel_found *found; /* with the others that are verified */
    const numel_options *options;    /* while it runs */
    bool strict;
    const numel_check *check;
    numel_knowledge knowledge;   /* of the user: for the level config */
    numel_level level;           /* the highest that is looked at */
    struct arena *arena;         /* the checkpoint's */
    struct value_report *values; /* of values.h; NULL when they were not asked for */
    const char *whole;     /* what the verdict says when nothing is wrong; NULL: how many files there are */
    bool in_part;          /* not everything of the level config could be checked */
    bool unread;           /* what the manifest given says could not be compared in full */
    bool stopped;          /* before all data was read */
    struct hashed *hashed; /* of the level hash; NULL when it was not looked at */
    struct file_identity *was;  /* each file of the set before it was opened */
    struct handle *model;       /* NULL until it is asked for */
    verify_ready_fn *ready;     /* what makes it */
    struct model_faults faults; /* made with it */
    verify_split_fn *split;     /* NULL: nothing is taken apart */
    numel_error *error;
};

/* Opens the checkpoint and runs the levels that are asked for. The caller has filled set, options, check,
 * ready and error, and left the rest zero; `a` outlives it.
 * NOMEM, and what the user asked for and cannot be had. verify_done() frees it in any case, also one that
 * is all zero. */
NUMEL_MUST bool verify_run(struct verify *v, struct arena *a);
void verify_done(struct verify *v);

/* The model, and what reconcile says of it; of an adapter nothing is expected. Made once, freed by
 * verify_done(); false for NOMEM and for what the user asked for and cannot be had. Needs a file that
 * was read. */
bool verify_model(struct verify *v, const struct handle **c);

/* The levels: each adds findings to v->ck; false only when the report cannot be made (NOMEM). verify.c
 * has their table; each has a file of its name. */
bool verify_size(struct verify *v);
bool verify_index(struct verify *v);
NUMEL_MUST bool verify_config(struct verify *v);
NUMEL_MUST bool verify_hash(struct verify *v);
/* review.c: a part of the level config. */
NUMEL_MUST bool verify_review(struct verify *v);
/* zeros.c: a part of the level size. */
void verify_zeros(struct verify *v);
/* ollama.c: the same. */
void verify_ollama(struct verify *v);

/* values.c: beside the levels, when it is asked for. */
NUMEL_MUST bool verify_values(struct verify *v);

#endif
