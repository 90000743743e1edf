/*
 * unchecked.h -- tensors that were recognised only by name, for people to look at.
 *
 * 45,808 names are too many to read. Numbers between dots become '*', and names that are then equal and have
 * the same reason become one item.
 */
#ifndef NUMEL_STATEMENT_UNCHECKED_H
#define NUMEL_STATEMENT_UNCHECKED_H

#include "statement/statement.h"

struct unchecked_item {
    numel_str key;    /* first, as names.h requires: the pattern and the reason */
    numel_str name;   /* "model.layers.*.mlp.up_proj.weight_scale" */
    const char *code; /* that of the statement's line */
    const char *why;  /* the line's text */
    uint64_t tensors, elements;
};

struct unchecked {
    struct unchecked_item *items; /* in file order; in the model's arena */
    size_t count;
};

/* Needs c->model->x. NOMEM. */
struct handle;
NUMEL_MUST bool unchecked_make(struct unchecked *out, struct handle *c, numel_error *e);
/* A clause that follows "agrees", about weights of 8-bit floats without a scale: they may be plain casts,
 * or their scales may be lost, which shapes do not show. "" if there are none; NULL: out of memory. */
struct model;
NUMEL_MUST const char *unscaled_text(const struct model *m, struct arena *a);

#endif
