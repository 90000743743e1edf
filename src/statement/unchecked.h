/*
 * unchecked.h -- what a checkpoint holds on the strength of names only, for people to look at.
 *
 * 45,808 names are too many to read: numbers between dots become '*', and names that are then alike and are
 * reported for the same reason become one item.
 */
#ifndef NUMEL_STATEMENT_UNCHECKED_H
#define NUMEL_STATEMENT_UNCHECKED_H

#include "statement/statement.h"

struct unchecked_item {
    numel_str key;    /* first: see names.h; the pattern and the reason */
    numel_str name;   /* "model.layers.*.mlp.up_proj.weight_scale" */
    const char *code; /* of the statement's line */
    const char *why;  /* its text */
    uint64_t tensors, elements;
};

struct unchecked {
    struct unchecked_item *items; /* in file order; in the model's arena */
    size_t count;
};

/* Needs c->model->x. NOMEM. */
struct handle;
NUMEL_MUST bool unchecked_make(struct unchecked *out, struct handle *c, numel_error *e);
/* 8-bit float weights without a scale: cast as they are, or the scales are lost; shapes do not tell which. A
 * clause that follows "agrees", "" if there are none; NULL: out of memory. */
struct model;
NUMEL_MUST const char *unscaled_text(const struct model *m, struct arena *a);

#endif
