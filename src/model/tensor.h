/*
 * tensor.h -- what is known of one tensor, and of one expected tensor, as a value.
 *
 * A model holds it in several tables: the matches, the packed weights, the expansion. Who asks about a tensor
 * asks here and sees none of them; without a formula every tensor is unknown, and rests on nothing.
 */
#ifndef NUMEL_MODEL_TENSOR_H
#define NUMEL_MODEL_TENSOR_H

#include "formula/layout.h"
#include "model/model.h"

struct model_tensor {
    bool known;              /* there is a formula: false leaves nothing but what is stored */
    uint32_t row;            /* of the expansion, or NAMES_ABSENT */
    const struct site *site; /* the row's, or NULL */
    numel_str role;          /* the site's: "attn.q", or its part's: "quant.scale"; {NULL, 0}: none */
    enum cause cause;
    enum fit fit;
    enum ground ground;
    bool supposed;         /* it is a name, whose shape its row gave it (supposed.h) */
    const char *class;     /* "weight", "buffer", "quant", "tied", "unknown" */
    const char *layout;    /* that claims it, the weight or what lies beside one; NULL: none */
    enum layout_role part; /* of CAUSE_SIDECAR: what it is to its weight; VALUE: nobody knows */
    uint64_t stored;       /* elements */
    uint64_t logical;      /* elements that it stands for: packed values expanded, 0 of scales */
};

/* Is it a parameter that stands there just as it is expected, shape and all? */
bool model_as_expected(const struct model *m, uint32_t tensor);
/* Has a layout claimed it? */
bool model_as_packed(const struct model *m, uint32_t tensor);
/* Of a checkpoint's model, also of one without a formula. */
struct model_tensor model_tensor(const struct model *m, uint32_t tensor);

/* The parameters that the formula counts in it. */
static inline uint64_t tensor_parameters(const struct model_tensor *t)
{
    return t->cause == CAUSE_EXPECTED ? t->logical : 0;
}

/* The values in it, be they scales. */
static inline uint64_t tensor_values(const struct model_tensor *t)
{
    return t->fit == FIT_PACKED ? t->logical : t->stored;
}

/* The site whose tensor this one, which is tied, is a second name of, both outside of all layers; NULL: none. */
const struct site *model_tied_to(const struct expansion *x, const struct site *s);

struct model_row {
    numel_str name; /* as expected */
    const struct site *site;
    uint32_t tensor;   /* that it is, or NAMES_ABSENT */
    bool parameter;    /* that tensor counts as one */
    bool missing;      /* it should be there */
    bool renamed;      /* that tensor is stored under the name of a tied copy alone */
    uint64_t elements; /* of that tensor, packed values expanded; else as expected */
};

/* Needs m->x and a checkpoint. */
struct model_row model_row(const struct model *m, uint32_t row);

/* The tensor of a name as the spec has it, in whatever spelling the checkpoint has; or NAMES_ABSENT. Needs
 * m->x. */
NUMEL_MUST bool model_find(const struct model *m, numel_str canonical, uint32_t *tensor, numel_error *e);

struct meanings;
/* What the names of its checkpoint mean; for one thread at a time, as the model is. */
struct meanings *model_meanings(const struct model *m);

struct training;
/* Of its checkpoint, if it has one: what lies beside the weights while they are trained. */
const struct training *model_training(const struct model *m);

/* How weights are packed, as their shapes prove it. */
struct model_packing {
    bool quantized;              /* a weight of at most 8 bits a value, or a configuration that says so */
    const char *method;          /* what the configuration calls it, or NULL */
    const char *layout, *choice; /* of most weights: "gptq", "b 4, g 128"; NULL: none is packed */
    int64_t bits, group;         /* of those; 0: it has none, or solutions differ */
    uint64_t open;               /* weights that several solutions fit: see model_solution() */
    uint64_t weights;            /* that a layout holds */
    uint64_t bytes, elements;    /* of those without a fault: all they store, and what it stands for */
};
struct model_packing model_packing(const struct model *m);

/* One of several ways in which weights may be stored: the shapes allow each, and nothing else decides. */
struct model_solution {
    const char *layout;
    int64_t bits, group; /* 0: it has none */
    bool whole;          /* one group a row */
    uint64_t weights;    /* that it fits */
};
/* The i-th; false when there are no more. */
bool model_solution(const struct model *m, unsigned i, struct model_solution *out);

#endif
