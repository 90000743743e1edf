/*
 * layout_internal.h -- between layout_solve.c, layout_invert.c and layout_config.c only: the symbols of a layout running through
 * their values, and what happens at the end of each branch.
 */
#ifndef NUMEL_FORMULA_LAYOUT_INTERNAL_H
#define NUMEL_FORMULA_LAYOUT_INTERNAL_H

#include "formula/layout.h"

struct solving {
    const struct layout *l;
    const struct layout_module *m;
    bool (*finish)(struct solving *s); /* at the end of a branch; false ends all */
    struct layout_forms *out;
    struct arena *arena;
    struct env env;
    uint32_t computed
        [LAYOUT_STEPS]; /* by step: the value of its symbol in this branch is this expression; 0: it is not */
    const char *contradiction; /* of the sources of this branch */
    numel_error *error;
};

/* A `when` that cannot be computed is one that does not hold; only memory running out is a failure. */
NUMEL_MUST bool layout_when(struct env *env, uint32_t node, bool *yes, numel_error *e);
/* Binds what is given: marks, sizes, role. False when the sizes are too large. */
bool solving_bind(struct solving *s);
/* The sizes alone, of marks and role that are bound. */
bool solving_sizes(struct solving *s, int64_t out, int64_t in);
/* The steps from here on, each value of a symbol in turn. */
NUMEL_MUST bool solving_branch(struct solving *s, unsigned step);
/* Does a `plain` line hold, of the symbols as they are bound? Then the weight stays as it is. */
bool solving_plain(struct solving *s);
/* Do all `only` lines hold? */
bool solving_allowed(struct solving *s);
/* A number above zero, else 0: it cannot be said, or `node` is 0. */
void solving_number(struct solving *s, uint32_t node, int64_t *out);
/* What a source or a witness says; *said is false when it is silent. Only memory running out fails. */
bool solving_hear(struct solving *s, uint32_t node, struct value *v, bool *said);
/* A template's text, with marks. */
bool solving_text(struct solving *s, uint32_t node, numel_str *out);

#endif
