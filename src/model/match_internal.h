/*
 * match_internal.h -- matches each tensor of a checkpoint with what its architecture expects, and each
 * expected tensor with the checkpoint: only for this room. Others call model_tensor() and model_row().
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
    bool excused; /* may be missing: a tied copy, or another alternative exists */
    bool renamed; /* the tensor has the name of a tied copy, and its own name is missing */
};

struct match {
    struct model *model;
    struct tensor_match *tensors; /* by registry index; in the arena */
    struct row_match *rows;       /* by expansion row */
    int64_t layers;               /* largest layer of the expansion + 1 */
    bool quantized;          /* a weight has at most 8 bits per value, or the configuration declares it */
    bool declared_quantized; /* the configuration declares it */
    uint64_t packed_ends;    /* the ends of packed weights' names: a bit for each that occurs */
    bool named;              /* a weight is taken as packed only by its name */
    struct packed packed;    /* its layouts; owned */
};

/* Needs model->x. Freed with match_done(), also after a failure. */
NUMEL_MUST bool match_make(struct match *m, struct model *model, numel_error *e);
void match_done(struct match *m);

/* The cause of a tensor in a row: EXPECTED, BUFFER, TIED_COPY or EXTRA. */
enum cause match_cause_of(const struct site *s);

/* match_tied.c: a tensor stored only under the name of its tied copy is taken for both, as transformers' loaders do. */
void match_tied(struct match *m);
/* Assigns the tensor to the row, with that fit; its cause follows. */
void match_take(struct match *m, uint32_t row, uint32_t tensor, enum fit fit);

/* match_packed.c: the rows stored by a layout, and the tensors next to them. `own`: by tensor, the
 * row with its own name; `tensor`: by row, the inverse. */
NUMEL_MUST bool match_packed(struct match *m, const uint32_t *own, const uint32_t *tensor, numel_error *e);
/* Has a layout claimed the tensor? */
bool match_claimed(const struct match *m, uint32_t tensor);

/* The cause of a tensor that no spec expects, usually only by its name, and its ground; UNKNOWN if
 * there is no evidence. */
enum cause leftover_cause(struct match *m, uint32_t tensor, enum ground *ground);
/* Finds which ends of such names the files have; call it before leftover_packed(), which skips the others. */
void leftover_look(struct match *m);
/* The packed form of an expected weight, "P.qweight" for "P.weight"; NAMES_ABSENT if there is
 * none. `even`: each value takes the same whole number of bits. */
uint32_t leftover_packed(struct match *m, numel_str expected, bool *even);
/* Is there a scale, or another tensor of a quantizer, for the one of that name? */
bool leftover_has_sidecar(struct match *m, numel_str name);

/* The class of a tensor for lists: "weight", "buffer", "quant", "tied" or "unknown". */
const char *match_class(const struct match *m, uint32_t tensor);

#endif
