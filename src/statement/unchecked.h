/*
 * unchecked.h -- what a checkpoint holds on the strength of its names alone, for people to look at.
 *
 * 45,808 names are not a list that anybody reads: numbers between dots become '*', and names that are
 * then alike and are reported for the same reason are one item.
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
    struct unchecked_item *items; /* in the order of the files; of the model's arena */
    size_t count;
};

/* Needs c->model->x. NOMEM. */
struct handle;
NUMEL_MUST bool unchecked_make(struct unchecked *out, struct handle *c, numel_error *e);
/* Weights of 8-bit floats that no scale belongs to: cast as they are, or the scales are lost, which no shape tells. A clause
 * that goes behind "agrees", "" where there are none; NULL: out of memory. */
struct model;
NUMEL_MUST const char *unscaled_text(const struct model *m, struct arena *a);

#endif
