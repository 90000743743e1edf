/*
 * packed_plan.h -- what a file would store, by its configuration alone: each weight in the first form of the
 * layout that the configuration names. What lists leave plain, and the roles that the layout keeps, stay plain.
 */
#ifndef NUMEL_MODEL_PACKED_PLAN_H
#define NUMEL_MODEL_PACKED_PLAN_H

#include "formula/expand.h"
#include "formula/library.h"

struct packed_plan {
    bool known;       /* a layout describes it; else nothing below is set */
    uint64_t *values; /* by site: elements stored in place of all its rows */
    uint64_t beside;  /* scales and the like, of all */
    uint64_t tensors; /* ... how many */
};

/* Of the alternatives that the formula counts, and of what is stored and not loaded. Lives in the arena. OVERFLOW, LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool packed_plan_make(struct packed_plan *p, const struct expansion *x, struct config *c,
                                 struct library *library, struct arena *a, numel_error *e);

#endif
