/*
 * search_internal.h -- shared only by the files search_*.c that look for a specification.
 *
 *   search_fit.c        one specification, or class of it: its inferred configuration, what it leaves open
 *   search_kept.c       what the best trial has made
 *   search_published.c  sizes of published models
 *   search_timm.c       architectures of timm, which a file's tensors indicate directly
 *   search_usual.c      the most likely of equal types
 *   search_say.c        texts about the search
 *   search_spec.c       which candidates are tried, in what order, and which is chosen
 */
#ifndef NUMEL_MODEL_SEARCH_INTERNAL_H
#define NUMEL_MODEL_SEARCH_INTERNAL_H

#include "formula/infer.h"
#include "model/logical.h"
#include "model/model_internal.h"
#include "model/sample.h"

/* The work that the search may still do: a file with many names that fit nothing must not take forever. */
struct purse {
    uint64_t matched; /* tensors of the file that the specifications tried so far expect */
    uint64_t steps;
    bool cut; /* steps ran out, in total or in one inference */
};

struct identity {
    const struct library_entry *entry;
    const char *type, *class; /* indicated by the names; NULL: any that the specification matches */
    const char *published;    /* CLASS.ID: the product that states all sizes; NULL: the tensors show them */
    bool wrapped;             /* an architecture of timm in transformers' wrapper */
    bool part;                /* the type covers only what precedes the patches; the rest is inferred */
    bool tied;                /* its head is tied: the file lacks one */
};

struct candidate {
    struct identity is;
    numel_str classes;       /* all that have these names, */
    struct identity closest; /* ... and the one that fits best with all its values */
    enum infer_keep keep;
    bool told;                       /* it shares nine of ten names with the file */
    bool same;                       /* it shares all names */
    uint32_t lacked;                 /* names that the file lacks; UINT32_MAX if the file has others */
    unsigned known;                  /* words of the file's names that it has */
    unsigned phrases;                /* pairs of adjacent words that it also has */
    unsigned place;                  /* in usual.table */
    bool parsed;                     /* its specification has no errors */
    struct config_inferred inferred; /* of its configuration */
    uint64_t apart;                  /* what it leaves open of the sample */
    uint64_t off;                    /* ... and of all tensors; UINT64_MAX if unknown */
    uint64_t biases;                 /* attributed to a quantizer: another class may have them */
    bool sure;                       /* no other sizes would explain what it leaves open */
    bool lacks;                      /* few tensors are off, but all of a repeated kind are missing */
    bool shown;                      /* the file has more sizes than there are values to infer */
    bool weighed;                    /* it was at least considered */
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
    const struct registry *seen; /* what is looked at: `logical`, `reversed` or the files' own */
    struct registry reversed;    /* ... with names that specifications may have instead of a writer's */
    struct sample sample;
    struct candidate *list;
    unsigned count;
    struct candidate best;  /* of all candidates weighed, even if it left the list */
    struct trial_kept kept; /* of the best, if it left nothing open */
    struct candidate named; /* indicated by nine of ten names; type NULL if there is none */
    unsigned measured, perfect;
    struct purse purse;
    numel_error *error;
};

enum { FEW = 4 }; /* tensors that may be off if the rest of a file is clear */

/* search_fit.c: */
struct purse purse_for(const struct sample *s);
/* Makes the files as if nothing in them were packed. */
NUMEL_MUST bool make_logical(struct model *model, struct logical *l, struct arena *a, numel_error *e);
const struct registry *logical_or(const struct logical *l, const struct registry *files);
/* Makes the candidate's specification and inferred values the model's. */
NUMEL_MUST bool take(struct trials *t, struct candidate *c);
NUMEL_MUST bool name_all(struct model *model, numel_error *e);
/* Infers the candidate's configuration from the sample. */
NUMEL_MUST bool fit(struct trials *t, struct candidate *c);
/* Infers the key `hidden` from the sample, whatever the configuration states (".": all keys; NULL: only
 * undeclared ones). The configuration is left unchanged. *known: *out has something, and the caller frees
 * it. Needs a specification. */
NUMEL_MUST bool infer_shown(struct model *model, const struct sample *sample, const char *hidden,
                            struct inference *out, bool *known, numel_error *e);
/* Compares the candidate with all tensors. The best of all weighed candidates is kept, with its inferred
 * values. */
NUMEL_MUST bool weigh(struct trials *t, struct candidate *c);

/* The position of a model type or a specification in usual.table (search_usual.c). */
unsigned usual_place(const char *name);
/* Replaces the best by the most likely of the types that leave no more open. */
NUMEL_MUST bool prefer_usual(struct trials *t);

/* Tries the candidate with the values of its class that `keep` selects; forgets earlier trials
 * (search_spec.c). */
NUMEL_MUST bool try_with(struct trials *t, struct candidate *c, enum infer_keep keep);

/* Moves what a trial has made out of the model; drops what was kept before (search_kept.c). */
void kept_take(struct trial_kept *k, struct model *model);
/* Moves it back into the model, which must not have made anything since it took the candidate. */
void kept_give(struct trial_kept *k, struct model *model);
void kept_drop(struct trial_kept *k, const numel_allocator *m);

/* Tries the architectures of timm that have all these tensors, with or without transformers' wrapper; sets
 * t->perfect if some explain the files (search_timm.c). */
NUMEL_MUST bool try_timm(struct trials *t, bool wrapped);

/* If the best leaves nothing open, and a published model of its class does neither, that becomes the best
 * (search_published.c). */
NUMEL_MUST bool try_published(struct trials *t);

/* The evidence for the architecture; NULL if memory runs out (search_say.c). */
const char *say_alike(const struct trials *t);
/* The name of the best: its model type or class, else its specification; NULL if memory runs out. */
NUMEL_MUST const char *say_called(const struct trials *t);
/* "ControlNetModel at the size of SDXL"; NULL if memory runs out. */
NUMEL_MUST const char *say_published(const struct trials *t);
void tell_cut(struct model *model);
/* Reports that the names indicate a class, but its sizes are unknown. */
NUMEL_MUST bool tell_names(struct trials *t, const struct candidate *c);

#endif
