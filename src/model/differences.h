/*
 * differences.h -- where a checkpoint is not what its architecture and its layouts expect.
 *
 * Lists over the matches (tensor.h): expected tensors that are absent or of another shape or type, stored
 * ones with a cause that disagrees, and contradictions between configuration, layout and shapes. Beside
 * them stands on what ground the tensors rest. A model is consistent when all lists are empty and no
 * tensor is on ground `none`; it is proven when, besides, none rests on its name alone and no size was
 * read off the tensors themselves.
 */
#ifndef NUMEL_MODEL_DIFFERENCES_H
#define NUMEL_MODEL_DIFFERENCES_H

#include "base/names.h"
#include "model/cause.h"

struct model;

struct gap {         /* an expected tensor that is not there, or not as expected */
    uint32_t row;    /* whose it is; NAMES_ABSENT: of none */
    uint32_t tensor; /* NAMES_ABSENT: missing */
    enum fit fit;
    bool beside;    /* a scale or the like of a packed weight: the formula has no elements of it */
    numel_str name; /* as expected */
    const uint64_t *dims;
    uint32_t ndim;
    numel_str types; /* "float", "integer", "I32|U32" */
};

struct contradiction { /* between configuration, layout and shapes */
    numel_str name;    /* of the weight, "" when all are meant */
    const char *text;  /* with both values */
    const char *said;  /* both as a sentence */
    bool loader;       /* a rule of the loader's, that its metadata break (llama_cpp.h) */
};

struct reason {              /* for wrong shapes: a key of the configuration */
    const char *key;         /* "intermediate_size" */
    int64_t declared, found; /* what it says, what the shapes make */
    uint64_t weights;        /* whose shapes */
    const char *said;        /* as a sentence */
};

struct differences {
    struct gap *gaps;
    size_t missing, mismatched; /* of gaps: the missing come first */
    struct contradiction *contradictions;
    size_t contradiction_count;
    struct reason *reasons;
    size_t reason_count;
    uint32_t *unexpected; /* tensors with a cause that disagrees */
    size_t unexpected_count;
    uint64_t grounds[GROUND_COUNT]; /* tensors */
    bool consistent, proven;
};

/* Sets m->differences, in the model's arena. Needs m->match. NOMEM. */
NUMEL_MUST bool differences_make(struct model *m, numel_error *e);
/* Whether they prove the model, as it is known now. */
void differences_prove(struct model *m);
/* reason.c: sets its reasons, where shapes are wrong and a configuration says what they should be. NOMEM. */
NUMEL_MUST bool reasons_make(struct model *m, numel_error *e);
/* Missing, mismatched and unexpected tensors together. */
size_t differences_count(const struct differences *d);

#endif
