/*
 * fold.h -- tensor names folded into a tree in which repeated parts appear once.
 *
 *     model.layers.0.mlp.up.weight          model.layers.[0-31]     32 x
 *     model.layers.1.mlp.up.weight   -->      mlp.up.weight
 *     ...                                     ...
 *
 * Names are cut at '.'. Siblings whose names are numbers fold into one node if everything below them is
 * alike: the same names with the same shapes, at any depth. Element types may differ, since a quantized model
 * mixes them; the node then names them all. They need not be neighbours: layers 0, 2, 4 of one kind and 1, 3,
 * 5 of another make two nodes.
 *
 * Alike is exact: names and shapes are compared, never just hashed. After sorting, the work is linear in the
 * length of all names.
 */
#ifndef NUMEL_REGISTRY_FOLD_H
#define NUMEL_REGISTRY_FOLD_H

#include "registry/registry.h"

enum { FOLD_TYPES = 63 }; /* distinct element types; more share the last bit */

struct fold_node {
    const char *label; /* escaped, relative to the parent: "layers.[0-31]"; a chain of only children is one
                        * node: "mlp.up.weight" */
    struct fold_node *child, *next;
    uint64_t repeats;                  /* how often it occurs under its parent; 1: not folded */
    uint64_t times;                    /* how often it occurs in the whole checkpoint */
    uint64_t tensors, elements, bytes; /* totals over all occurrences */
    uint64_t each;                     /* elements of one occurrence */
    uint64_t types;                    /* bit set of fold.types */
    const numel_tensor *tensor;        /* in a leaf, one of the tensors that it represents; else NULL */
    uint32_t leaf;                     /* its number among the leaves */
    bool own;                          /* a leaf with its parent's name; its label is "", without a dot */
};

struct fold {
    struct fold_node *root; /* its children are the top level */
    const numel_dtype *types[FOLD_TYPES + 1];
    unsigned type_count;
    uint32_t *leaf_of; /* by tensor, the number of its leaf */
    uint32_t leaf_count;
};

/* All memory is in the arena. NOMEM; OVERFLOW if the total bytes do not fit in 64 bits. */
NUMEL_MUST bool fold_build(struct fold *f, const struct registry *r, struct arena *a, numel_error *e);
/* Writes "F16", "Q4_K+Q6_K" or "5 types" to text; "other" stands for types that share the last bit. */
char *fold_types(const struct fold *f, uint64_t types, char *text, size_t size);

#endif
