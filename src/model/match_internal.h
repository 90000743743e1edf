/*
 * match_internal.h -- pairs the tensors of a checkpoint with those its architecture expects. For this room
 * only; others call model_tensor() and model_row().
 */
#ifndef NUMEL_MODEL_MATCH_INTERNAL_H
#define NUMEL_MODEL_MATCH_INTERNAL_H

#include "model/cause.h"
#include "model/packed.h"

struct model;

struct tensor_match {
    uint32_t row; /* of the expansion, or NAMES_ABSENT */
    uint8_t cause, fit, ground;
};

struct row_match {
    uint32_t tensor; /* of the registry, or NAMES_ABSENT */
    uint8_t fit;
    bool excused; /* may be missing: it is a tied copy, or another alternative exists */
    bool renamed; /* stored only under the name of its tied copy */
};

struct match {
    struct model *model;
    struct tensor_match *tensors; /* by registry index; in the arena */
    struct row_match *rows;       /* by expansion row */
    int64_t layers;               /* highest layer number of the expansion, plus 1 */
    bool quantized;          /* some weight has 8 bits per value or fewer, or the configuration declares it */
    bool declared_quantized; /* the configuration declares it */
    uint64_t packed_ends;    /* one bit for each ending of packed weights' names that occurs */
    bool named;              /* some weight was recognised as packed by name alone */
    struct packed packed;    /* its layouts; owned */
};

/* Needs model->x. Free with match_done(), even after a failure. */
NUMEL_MUST bool match_make(struct match *m, struct model *model, numel_error *e);
void match_done(struct match *m);

/* The cause of a tensor that has a row: EXPECTED, BUFFER, TIED_COPY or EXTRA. */
enum cause match_cause_of(const struct site *s);

/* match_tied.c: a tensor stored only under the name of its tied copy serves as both, as in transformers'
 * loaders. */
void match_tied(struct match *m);
/* Assigns the tensor to the row with this fit, and sets its cause. */
void match_take(struct match *m, uint32_t row, uint32_t tensor, enum fit fit);

/* match_packed.c: assigns the rows that a layout stores, and the tensors next to them. `own` maps a tensor
 * to the row with its own name; `tensor` maps a row to that tensor. */
NUMEL_MUST bool match_packed(struct match *m, const uint32_t *own, const uint32_t *tensor, numel_error *e);
/* True if a layout has claimed the tensor. */
bool match_claimed(const struct match *m, uint32_t tensor);

/* The cause of a tensor that no spec expects, usually by name alone, and its ground; UNKNOWN if there is
 * no evidence. */
enum cause leftover_cause(struct match *m, uint32_t tensor, enum ground *ground);
/* Finds which of these endings occur in the file. Call it first: leftover_packed() skips the others. */
void leftover_look(struct match *m);
/* The packed form of an expected weight, "P.qweight" for "P.weight"; NAMES_ABSENT if there is none. `even`
 * is true if each value takes the same whole number of bits. */
uint32_t leftover_packed(struct match *m, numel_str expected, bool *even);
/* True if a scale or another quantizer tensor belongs to the tensor of that name. */
bool leftover_has_sidecar(struct match *m, numel_str name);

/* The class of a tensor in lists: "weight", "buffer", "quant", "tied", "training" or "unknown". */
const char *match_class(const struct match *m, uint32_t tensor);

#endif
