/*
 * packed_plan.h -- the tensors that a file would store, from its configuration alone: each weight in the
 * first form of the configuration's layout. Weights that lists exclude and roles that the layout keeps stay
 * plain.
 */
#ifndef NUMEL_MODEL_PACKED_PLAN_H
#define NUMEL_MODEL_PACKED_PLAN_H

#include "formula/expand.h"
#include "formula/library.h"

/* The elements of one type in all rows. `type` is the first that the layout allows; NULL: the model's own. */
struct packed_type {
    numel_str type;
    uint64_t tensors, elements;
};

enum { PACKED_TYPES = 16 };

struct packed_plan {
    bool known;                             /* a layout describes the quantization; if not, nothing below
                                             * is set */
    uint64_t *values;                       /* by site: elements stored for all of its rows */
    uint64_t beside;                        /* elements of scales and similar tensors */
    uint64_t tensors;                       /* number of these tensors */
    struct packed_type types[PACKED_TYPES]; /* all tensors, by type */
    size_t type_count;
    bool unsized; /* the size of some tensor is unknown */
    bool choices; /* some tensors are optional or have a choice of types; sums assume the most likely */
};

/* Covers the alternatives that the formula counts, and tensors that are stored but not loaded. Memory is
 * in the arena. OVERFLOW, LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool packed_plan_make(struct packed_plan *p, const struct expansion *x, struct config *c,
                                 struct library *library, struct arena *a, numel_error *e);

#endif
