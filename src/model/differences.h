/*
 * differences.h -- where a checkpoint differs from what its architecture and layouts expect.
 *
 * These are lists over the matches (tensor.h): expected tensors that are missing or have the wrong shape or
 * type; stored tensors whose cause is a disagreement; contradictions between configuration, layout and
 * shapes. The tensors' grounds are counted as well. A model is consistent if all lists are empty and no
 * tensor has ground `none`. It is proven if, in addition, no tensor has only ground `name` and no size was
 * inferred from the tensors themselves.
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
    bool beside;    /* a scale or similar, next to a packed weight: the formula does not count it */
    numel_str name; /* as expected */
    const uint64_t *dims;
    uint32_t ndim;
    numel_str types; /* "float", "integer", "I32|U32" */
};

struct contradiction { /* between configuration, layout and shapes */
    numel_str name;    /* the weight's; "" if it concerns all */
    const char *text;  /* with both values */
    const char *said;  /* `name` and `text` as one sentence */
    bool loader;       /* the metadata break a rule of the loader (llama_cpp.h) */
};

struct reason {              /* why shapes are wrong: a key of the configuration */
    const char *key;         /* "intermediate_size" */
    int64_t declared, found; /* its value in the configuration, and in the shapes */
    uint64_t weights;        /* number of weights with such shapes */
    const char *said;        /* as a sentence */
};

struct differences {
    struct gap *gaps;
    size_t missing, mismatched; /* in `gaps`, missing ones first */
    struct contradiction *contradictions;
    size_t contradiction_count;
    struct reason *reasons;
    size_t reason_count;
    uint32_t *unexpected; /* tensors whose cause is a disagreement */
    size_t unexpected_count;
    uint64_t grounds[GROUND_COUNT]; /* number of tensors */
    bool consistent, proven;
};

/* Sets m->differences, in the model's arena. Needs m->match. NOMEM. */
NUMEL_MUST bool differences_make(struct model *m, numel_error *e);
/* Sets `proven` from the differences and the model's current evidence. */
void differences_prove(struct model *m);
/* reason.c: sets `reasons` if shapes are wrong and the configuration's values explain it. NOMEM. */
NUMEL_MUST bool reasons_make(struct model *m, numel_error *e);
/* The number of missing, mismatched and unexpected tensors. */
size_t differences_count(const struct differences *d);

#endif
