/*
 * layout_internal.h -- shared by layout_solve.c, layout_invert.c and layout_config.c only: runs the symbols
 * of a layout through their values, and calls finish() at the end of each branch.
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
    uint32_t
        computed[LAYOUT_STEPS]; /* by step: the expression for its symbol's value in this branch; 0 if none */
    const char *contradiction;  /* between the sources of this branch */
    numel_error *error;
};

/* A `when` that cannot be evaluated does not hold. Fails only if out of memory. */
NUMEL_MUST bool layout_when(struct env *env, uint32_t node, bool *yes, numel_error *e);
/* Binds the given symbols: marks, sizes, role. False if the sizes are too large. */
bool solving_bind(struct solving *s);
/* Binds only the sizes; marks and role are bound already. */
bool solving_sizes(struct solving *s, int64_t out, int64_t in);
/* Runs the steps from here on, for each value of a symbol. */
NUMEL_MUST bool solving_branch(struct solving *s, unsigned step);
/* True if a `plain` line holds for the bound symbols: the weight stays as it is. */
bool solving_plain(struct solving *s);
/* True if all `only` lines hold. */
bool solving_allowed(struct solving *s);
/* A number above zero; 0 if it is unknown or `node` is 0. */
void solving_number(struct solving *s, uint32_t node, int64_t *out);
/* Evaluates a source or a witness; *said is false if it has no value. Fails only if out of memory. */
bool solving_hear(struct solving *s, uint32_t node, struct value *v, bool *said);
/* The text of a template, with marks. */
bool solving_text(struct solving *s, uint32_t node, numel_str *out);

#endif
