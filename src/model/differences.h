/*
 * differences.h -- where a checkpoint differs from what its architecture and layouts expect.
 *
 * Lists over the matches (tensor.h): expected tensors that are missing or have another shape or type,
 * stored ones with a cause that disagrees, and contradictions between configuration, layout and shapes;
 * also the tensors' grounds. A model is consistent if all lists are empty and no tensor is on ground
 * `none`; it is proven if, besides, none rests only on its name and no size was inferred from the tensors
 * themselves.
 */
#ifndef NUMEL_MODEL_DIFFERENCES_H
#define NUMEL_MODEL_DIFFERENCES_H

#include "base/names.h"
#include "model/cause.h"

struct model;

struct gap {         /* an expected tensor that is missing or differs */
    uint32_t row;    /* its row; NAMES_ABSENT: none */
    uint32_t tensor; /* NAMES_ABSENT: missing */
    enum fit fit;
    bool beside;    /* a scale or the like of a packed weight: not counted by the formula */
    numel_str name; /* as expected */
    const uint64_t *dims;
    uint32_t ndim;
    numel_str types; /* "float", "integer", "I32|U32" */
};

struct contradiction { /* between configuration, layout and shapes */
    numel_str name;    /* of the weight, "" when all are meant */
    const char *text;  /* has both values */
    const char *said;  /* both as a sentence */
    bool loader;       /* a rule of the loader that the file's metadata break (llama_cpp.h) */
};

struct reason {              /* for wrong shapes: a key of the configuration */
    const char *key;         /* "intermediate_size" */
    int64_t declared, found; /* its value, and the value in the shapes */
    uint64_t weights;        /* with such shapes */
    const char *said;        /* as a sentence */
};

struct differences {
    struct gap *gaps;
    size_t missing, mismatched; /* in gaps: the missing come first */
    struct contradiction *contradictions;
    size_t contradiction_count;
    struct reason *reasons;
    size_t reason_count;
    uint32_t *unexpected; /* tensors with a cause that disagrees */
    size_t unexpected_count;
    uint64_t grounds[GROUND_COUNT]; /* number of tensors */
    bool consistent, proven;
};

/* Sets m->differences, in the model's arena. Needs m->match. NOMEM. */
NUMEL_MUST bool differences_make(struct model *m, numel_error *e);
/* Sets whether they prove the model, with its current evidence. */
void differences_prove(struct model *m);
/* reason.c: sets its reasons, if shapes are wrong and a configuration states others. NOMEM. */
NUMEL_MUST bool reasons_make(struct model *m, numel_error *e);
/* Missing, mismatched and unexpected tensors together. */
size_t differences_count(const struct differences *d);

#endif
