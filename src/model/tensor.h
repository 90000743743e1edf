/*
 * tensor.h -- the facts about one stored tensor, or one expected tensor, as a value.
 *
 * A model keeps them in several tables: the matches, the packed weights, the expansion. Callers ask here
 * instead. Without a formula every tensor is unknown, with ground `none`.
 */
#ifndef NUMEL_MODEL_TENSOR_H
#define NUMEL_MODEL_TENSOR_H

#include "formula/layout.h"
#include "formula/witness.h"
#include "model/model.h"

struct model_tensor {
    bool known;              /* there is a formula; otherwise only `stored` is known */
    uint32_t row;            /* of the expansion, or NAMES_ABSENT */
    const struct site *site; /* the row's, or NULL */
    numel_str role;          /* the site's, "attn.q", or its part's, "quant.scale"; {NULL, 0} if none */
    enum cause cause;
    enum fit fit;
    enum ground ground;
    bool supposed;         /* only the name is in the file; the shape comes from the row (supposed.h) */
    const char *class;     /* "weight", "buffer", "quant", "tied", "training", "unknown" */
    const char *layout;    /* the layout that claimed the tensor, or NULL */
    enum layout_role part; /* for CAUSE_SIDECAR: its role for the weight; VALUE if unknown */
    uint64_t stored;       /* elements */
    uint64_t logical;      /* elements represented: packed values expanded, 0 for scales */
};

/* True for a parameter that is exactly as expected, including its shape. */
bool model_as_expected(const struct model *m, uint32_t tensor);
/* True if a layout claimed the tensor. */
bool model_as_packed(const struct model *m, uint32_t tensor);
/* For the model of a checkpoint, even without a formula. */
struct model_tensor model_tensor(const struct model *m, uint32_t tensor);

/* The number of its parameters in the formula. */
static inline uint64_t tensor_parameters(const struct model_tensor *t)
{
    return t->cause == CAUSE_EXPECTED ? t->logical : 0;
}

/* The number of values in it; scales count. */
static inline uint64_t tensor_values(const struct model_tensor *t)
{
    return t->fit == FIT_PACKED ? t->logical : t->stored;
}

/* The untied site that the tied site `s` duplicates, both outside all layers; NULL if there is none. */
const struct site *model_tied_to(const struct expansion *x, const struct site *s);

struct model_row {
    numel_str name; /* as expected */
    const struct site *site;
    uint32_t tensor;   /* its match, or NAMES_ABSENT */
    bool parameter;    /* the tensor counts as a parameter */
    bool missing;      /* required, but not in the file */
    bool renamed;      /* the tensor is stored only under the name of a tied copy */
    uint64_t elements; /* the tensor's, with packed values expanded; without one, as expected */
};

/* Needs m->x and a checkpoint. */
struct model_row model_row(const struct model *m, uint32_t row);

/* Finds the tensor with a canonical name, in any spelling of the checkpoint; NAMES_ABSENT if there is
 * none. Needs m->x. */
NUMEL_MUST bool model_find(const struct model *m, numel_str canonical, uint32_t *tensor, numel_error *e);

struct meanings;
/* The meanings of the names in the checkpoint. One thread at a time may use them, like the model. */
struct meanings *model_meanings(const struct model *m);

struct training;
/* The training state in the checkpoint, if any. */
const struct training *model_training(const struct model *m);

/* How a packed weight's numbers follow from its tensors (an `unpack` line of its layout). */
enum { MODEL_PARTS = 8 };
struct model_unpack {
    const char *method;
    int64_t bits, group, args[LAYOUT_ARGS]; /* 0: none */
    uint64_t stack, out, in;                /* the weight: stack 1 unless it is of several experts */
    struct {
        enum layout_role role;
        uint32_t tensor;
    } parts[MODEL_PARTS]; /* without activations, markers and biases, in the order of the layout */
    unsigned count;
};
/* False if the tensor does not stand for a packed weight without faults, or the layout has no method. */
bool model_unpacked(const struct model *m, uint32_t tensor, struct model_unpack *out);
/* Reads a small tensor of a struct model, if its bytes are on disk unchanged (match_packed.c). */
NUMEL_MUST bool model_read_tensor(void *model, uint32_t tensor, uint8_t out[WITNESS_DATA], size_t *n);

/* The layout of the packed weight that the tensor stands for, or NULL; *method: does it have a method? */
const char *model_packed_as(const struct model *m, uint32_t tensor, bool *method);

/* How weights are packed, as their shapes prove. */
struct model_packing {
    bool quantized;              /* some weight has 8 bits per value or fewer, or the configuration says so */
    const char *method;          /* the configuration's name for the method, or NULL */
    const char *layout, *choice; /* of most weights: "gptq", "b 4, g 128"; NULL: nothing is packed */
    int64_t bits, group;         /* of those; 0: none, or solutions differ */
    uint64_t open;               /* weights with several solutions: see model_solution() */
    uint64_t weights;            /* number held by a layout */
    uint64_t bytes, elements;    /* without faulty ones: bytes stored, elements represented */
};
struct model_packing model_packing(const struct model *m);

/* One of several ways in which weights may be stored: shapes allow each, and nothing else decides. */
struct model_solution {
    const char *layout;
    int64_t bits, group; /* 0: none */
    bool whole;          /* one group per row */
    uint64_t weights;    /* number of weights it fits */
};
/* Gets the i-th solution; false if there are no more. */
bool model_solution(const struct model *m, unsigned i, struct model_solution *out);

#endif
