/*
 * tensor.h -- the facts about one tensor, and about one expected tensor, as a value.
 *
 * A model has them in several tables: the matches, the packed weights, the expansion. Callers ask here and
 * see none of them; without a formula every tensor is unknown, with no ground.
 */
#ifndef NUMEL_MODEL_TENSOR_H
#define NUMEL_MODEL_TENSOR_H

#include "formula/layout.h"
#include "model/model.h"

struct model_tensor {
    bool known;              /* there is a formula; if false, only stored elements are known */
    uint32_t row;            /* of the expansion, or NAMES_ABSENT */
    const struct site *site; /* the row's, or NULL */
    numel_str role;          /* the site's: "attn.q", or its part's: "quant.scale"; {NULL, 0}: none */
    enum cause cause;
    enum fit fit;
    enum ground ground;
    bool supposed;         /* only a name, with a shape from its row (supposed.h) */
    const char *class;     /* "weight", "buffer", "quant", "tied", "unknown" */
    const char *layout;    /* that claims the weight, or the tensor next to one; or NULL */
    enum layout_role part; /* of CAUSE_SIDECAR: its role for its weight; VALUE: unknown */
    uint64_t stored;       /* elements */
    uint64_t logical;      /* represented elements: packed values expanded, 0 for scales */
};

/* Is it a parameter exactly as expected, including its shape? */
bool model_as_expected(const struct model *m, uint32_t tensor);
/* Has a layout claimed it? */
bool model_as_packed(const struct model *m, uint32_t tensor);
/* For a checkpoint's model, also without a formula. */
struct model_tensor model_tensor(const struct model *m, uint32_t tensor);

/* The parameters that the formula counts in it. */
static inline uint64_t tensor_parameters(const struct model_tensor *t)
{
    return t->cause == CAUSE_EXPECTED ? t->logical : 0;
}

/* The values in it, including scales. */
static inline uint64_t tensor_values(const struct model_tensor *t)
{
    return t->fit == FIT_PACKED ? t->logical : t->stored;
}

/* The site of the tensor that this one, which is tied, duplicates, both outside all layers; NULL if there is none. */
const struct site *model_tied_to(const struct expansion *x, const struct site *s);

struct model_row {
    numel_str name; /* as expected */
    const struct site *site;
    uint32_t tensor;   /* its match, or NAMES_ABSENT */
    bool parameter;    /* that tensor counts as one */
    bool missing;      /* required, but missing */
    bool renamed;      /* the tensor is stored only under the name of a tied copy */
    uint64_t elements; /* of the tensor, packed values expanded; else as expected */
};

/* Needs m->x and a checkpoint. */
struct model_row model_row(const struct model *m, uint32_t row);

/* The tensor of a canonical name, in any spelling of the checkpoint; or NAMES_ABSENT. Needs m->x. */
NUMEL_MUST bool model_find(const struct model *m, numel_str canonical, uint32_t *tensor, numel_error *e);

struct meanings;
/* The meanings of its checkpoint's names; for one thread at a time, like the model. */
struct meanings *model_meanings(const struct model *m);

struct training;
/* The training state in its checkpoint, if it has one. */
const struct training *model_training(const struct model *m);

/* How weights are packed, proven by their shapes. */
struct model_packing {
    bool quantized;              /* a weight has at most 8 bits per value, or the configuration declares it */
    const char *method;          /* the configuration's name for it, or NULL */
    const char *layout, *choice; /* of most weights: "gptq", "b 4, g 128"; NULL: none is packed */
    int64_t bits, group;         /* of those; 0: none, or solutions differ */
    uint64_t open;               /* weights with several solutions: see model_solution() */
    uint64_t weights;            /* held by a layout */
    uint64_t bytes, elements;    /* of those without a fault: all stored bytes, and represented elements */
};
struct model_packing model_packing(const struct model *m);

/* One of several possible storage formats: the shapes allow each, and nothing else decides. */
struct model_solution {
    const char *layout;
    int64_t bits, group; /* 0: none */
    bool whole;          /* one group per row */
    uint64_t weights;    /* that it fits */
};
/* The i-th; false if there are no more. */
bool model_solution(const struct model *m, unsigned i, struct model_solution *out);

#endif
