/*
 * search_internal.h -- between the files search_*.c that look for a spec only.
 *
 *   search_fit.c    one spec, or class of it, held against the files: its configuration inferred, what it leaves open
 *   search_published.c  sizes that are those of a published model
 *   search_timm.c   architectures of timm, which a file's tensors tell at once
 *   search_say.c    what is said of the search
 *   search_spec.c   which are tried, in what order, and which is taken
 */
#ifndef NUMEL_MODEL_SEARCH_INTERNAL_H
#define NUMEL_MODEL_SEARCH_INTERNAL_H

#include "formula/infer.h"
#include "model/logical.h"
#include "model/model_internal.h"
#include "model/sample.h"

/* What is left of the work that a search may be: a file with many names that fit nothing must not take for ever. */
struct purse {
    uint64_t matched; /* tensors of the file that the specifications tried so far expect */
    uint64_t steps;
    bool cut; /* it was not enough, or that of one inference was not */
};

struct identity {
    const struct library_entry *entry;
    const char *type, *class; /* that it is taken for by its names; NULL: any that the spec is for */
    const char *published;    /* the product's line that says all sizes; NULL: the tensors do */
    bool wrapped;             /* the type is an architecture of timm, in transformers' wrapper */
    bool part; /* the type says what lies before the patches alone: all else is read off the tensors */
    bool tied; /* its head is: the file lacks one */
};

struct candidate {
    struct identity is;
    numel_str classes;       /* all that have these names; */
    struct identity closest; /* of which this one fits best with all its values */
    enum infer_keep keep;
    bool told;                       /* nine of ten names are its own and the file's */
    bool same;                       /* all of both are */
    uint32_t lacked;                 /* names that the file lacks, which has no others; UINT32_MAX: it has */
    unsigned known;                  /* words of the file's names that it has */
    unsigned phrases;                /* two words of a name, one behind the other, that it has so */
    unsigned place;                  /* in `usual` */
    bool parsed;                     /* its spec is not an error */
    struct config_inferred inferred; /* of its configuration */
    uint64_t apart;                  /* what it leaves open of the sample */
    uint64_t off;                    /* and of all tensors; UINT64_MAX when that is not known */
    uint64_t biases;                 /* that it takes for a quantizer's: another may know them */
    bool sure;                       /* no other sizes would explain what it leaves open */
    bool lacks;                      /* few tensors are off, but all of a kind that repeats are missing */
    bool shown;                      /* the file has more sizes than there are values to choose */
    bool weighed;                    /* it was looked at, at least */
};

struct trial_kept {
    bool there;
    struct arena made;
    struct expansion *x;
    const struct spec *spec;
    struct library_linked linked;
    struct naming naming;
    struct match match;
    struct differences differences;
};

struct trials {
    struct model *model;
    struct arena arena;
    struct logical logical;      /* the files as if nothing were packed */
    const struct registry *seen; /* what is looked at: that, or the files' own */
    struct registry reversed;    /* those, and what a spec may have in place of a writer's names */
    struct sample sample;
    struct candidate *list;
    unsigned count;
    struct candidate best;  /* of all that were weighed, whatever became of it in the list */
    struct trial_kept kept; /* of that one, where nothing was left open */
    struct candidate named; /* that the names alone tell: nine of ten are its class's; type NULL: none */
    unsigned measured, perfect;
    struct purse purse;
    numel_error *error;
};

enum { FEW = 4 }; /* tensors that may be off, where the rest of a file shows what it is */

/* search_fit.c: */
struct purse purse_for(const struct sample *s);
/* The files as if nothing in them were packed. */
NUMEL_MUST bool make_logical(struct model *model, struct logical *l, struct arena *a, numel_error *e);
const struct registry *logical_or(const struct logical *l, const struct registry *files);
/* The candidate's spec and inferred values are the model's now. */
NUMEL_MUST bool take(struct trials *t, struct candidate *c);
NUMEL_MUST bool name_all(struct model *model, numel_error *e);
/* What the sample speaks of the candidate's configuration. */
NUMEL_MUST bool fit(struct trials *t, struct candidate *c);
/* What the sample shows of the key `hidden`, whatever the configuration says of it (".": of all keys; NULL: of those that nothing
 * declares); the configuration stays as it is. *known: there is something, which the caller frees. Needs a spec. */
NUMEL_MUST bool infer_shown(struct model *model, const struct sample *sample, const char *hidden,
                            struct inference *out, bool *known, numel_error *e);
/* The candidate against all tensors; the best of all that are weighed is kept, with its inferred values. */
NUMEL_MUST bool weigh(struct trials *t, struct candidate *c);

/* search_usual.c: the place of a model type or a spec in usual.table. */
unsigned usual_place(const char *name);
/* Of the types that leave no more open than the best, the one that the file most likely is becomes the best. */
NUMEL_MUST bool prefer_usual(struct trials *t);

/* search_spec.c: the candidate with what is kept of its class; what it was tried with before is forgotten. */
NUMEL_MUST bool try_with(struct trials *t, struct candidate *c, enum infer_keep keep);

/* search_kept.c: what a trial has made is put aside, and leaves the model without it; what was there before is dropped. */
void kept_take(struct trial_kept *k, struct model *model);
/* It is the model's again, which has made nothing since it took the candidate. */
void kept_give(struct trial_kept *k, struct model *model);
void kept_drop(struct trial_kept *k, const numel_allocator *m);

/* search_timm.c: the architectures of timm that have all these tensors, in transformers' wrapper or without;
 * t->perfect when some explain the files. */
NUMEL_MUST bool try_timm(struct trials *t, bool wrapped);

/* search_published.c: where the best leaves nothing open, a published model of its class that does neither is the best. */
NUMEL_MUST bool try_published(struct trials *t);

/* search_say.c: where the architecture is from, NULL without memory; and why there is none. */
const char *say_alike(const struct trials *t);
/* What the best one is called: its model type or class, else its specification; NULL: no memory. */
NUMEL_MUST const char *say_called(const struct trials *t);
/* "ControlNetModel at the size of SDXL"; NULL without memory. */
const char *say_published(const struct trials *t);
void tell_cut(struct model *model);
/* Whose names they are is known, and what its sizes are is not. */
NUMEL_MUST bool tell_names(struct trials *t, const struct candidate *c);

#endif
