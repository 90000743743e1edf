/*
 * match_internal.h -- each tensor of a checkpoint against what its architecture expects, and each expected
 * tensor against the checkpoint: for the room itself. Others ask model_tensor() and model_row().
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
    bool excused; /* absent, and nothing is missed: a tied copy, another alternative is there */
    bool renamed; /* the tensor has the name of a tied copy, and its own is not there */
};

struct match {
    struct model *model;
    struct tensor_match *tensors; /* by number of the registry; of the arena */
    struct row_match *rows;       /* by number of the expansion */
    int64_t layers;               /* largest layer of the expansion + 1 */
    bool quantized;               /* a weight of at most 8 bits a value, or a configuration that says so */
    bool declared_quantized;      /* the configuration says so */
    uint64_t packed_ends; /* of the ends that names of packed weights have: a bit for each that is here */
    bool named;           /* a weight is taken for packed by its name alone */
    struct packed packed; /* what layouts say of it; owned */
};

/* Needs model->x. Freed with match_done(), also after a failure. */
NUMEL_MUST bool match_make(struct match *m, struct model *model, numel_error *e);
void match_done(struct match *m);

/* What a tensor of a row is to the whole: EXPECTED, BUFFER, TIED_COPY or EXTRA. */
enum cause match_cause_of(const struct site *s);

/* match_tied.c: a tensor that is stored under the name of its tied copy alone is taken for both, as loaders of transformers do. */
void match_tied(struct match *m);
/* The row is that tensor, which fits like that; its cause follows. */
void match_take(struct match *m, uint32_t row, uint32_t tensor, enum fit fit);

/* match_packed.c: the rows that a layout stores, and the tensors beside them. `own`: by tensor, the row
 * that has it by its own name; `tensor`: by row, the same the other way round. */
NUMEL_MUST bool match_packed(struct match *m, const uint32_t *own, const uint32_t *tensor, numel_error *e);
/* Has a layout claimed the tensor? */
bool match_claimed(const struct match *m, uint32_t tensor);

/* The cause of a tensor that no spec expects, mostly by its name alone, and what that rests on; UNKNOWN
 * when nothing says. */
enum cause leftover_cause(struct match *m, uint32_t tensor, enum ground *ground);
/* Which ends of such names the files have; before leftover_packed(), so that it need not look for the others. */
void leftover_look(struct match *m);
/* The packed form of an expected weight, "P.qweight" for "P.weight"; NAMES_ABSENT when none. `even`:
 * each value takes the same whole number of bits in it. */
uint32_t leftover_packed(struct match *m, numel_str expected, bool *even);
/* Is there a scale, or another of a quantizer's tensors, for the one of that name? */
bool leftover_has_sidecar(struct match *m, numel_str name);

/* The class of a tensor for lists: "weight", "buffer", "quant", "tied" or "unknown". */
const char *match_class(const struct match *m, uint32_t tensor);

#endif
