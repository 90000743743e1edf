/*
 * packed_plan.h -- what a file would store, by its configuration alone: each weight in the first form of the
 * layout that the configuration names. What lists leave plain, and the roles that the layout keeps, stay plain.
 */
#ifndef NUMEL_MODEL_PACKED_PLAN_H
#define NUMEL_MODEL_PACKED_PLAN_H

#include "formula/expand.h"
#include "formula/library.h"

/* Elements of one type, of all rows. `type` is the first that the layout allows; NULL: what the model is kept in. */
struct packed_type {
    numel_str type;
    uint64_t tensors, elements;
};

enum { PACKED_TYPES = 16 };

struct packed_plan {
    bool known;                             /* a layout describes it; else nothing below is set */
    uint64_t *values;                       /* by site: elements stored in place of all its rows */
    uint64_t beside;                        /* scales and the like, of all */
    uint64_t tensors;                       /* ... how many */
    struct packed_type types[PACKED_TYPES]; /* all of it, by type */
    size_t type_count;
    bool unsized; /* of some tensor nobody knows the size */
    bool choices; /* some may be there or not, or be of another type: the sums are of the likeliest */
};

/* Of the alternatives that the formula counts, and of what is stored and not loaded. Lives in the arena. OVERFLOW,
 * LIMIT, SPEC, NOMEM. */
NUMEL_MUST bool packed_plan_make(struct packed_plan *p, const struct expansion *x, struct config *c,
                                 struct library *library, struct arena *a, numel_error *e);

#endif
