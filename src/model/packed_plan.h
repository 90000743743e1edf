/*
 * packed_plan.h -- the tensors that a file would store, only by its configuration: each weight in the first
 * form of the configuration's layout. Weights that lists exclude, and roles that the layout keeps, stay plain.
 */
#ifndef NUMEL_MODEL_PACKED_PLAN_H
#define NUMEL_MODEL_PACKED_PLAN_H

#include "formula/expand.h"
#include "formula/library.h"

/* Elements of one type, of all rows. `type` is the first that the layout allows; NULL: the model's own type. */
struct packed_type {
    numel_str type;
    uint64_t tensors, elements;
};

enum { PACKED_TYPES = 16 };

struct packed_plan {
    bool known;                             /* a layout describes it; else nothing below is set */
    uint64_t *values;                       /* by site: elements stored for all its rows */
    uint64_t beside;                        /* scales and the like, in total */
    uint64_t tensors;                       /* ... their number */
    struct packed_type types[PACKED_TYPES]; /* all tensors, by type */
    size_t type_count;
    bool unsized; /* some tensor's size is unknown */
    bool choices; /* some are optional, or have a choice of types: the sums are of the likeliest */
};

/* Covers the alternatives that the formula counts, and tensors that are stored but not loaded. In the arena.
 * OVERFLOW, LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool packed_plan_make(struct packed_plan *p, const struct expansion *x, struct config *c,
                                 struct library *library, struct arena *a, numel_error *e);

#endif
