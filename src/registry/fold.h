/*
 * fold.h -- tensor names folded into a tree in which repeated parts appear once.
 *
 *     model.layers.0.mlp.up.weight          model.layers.[0-31]     32 x
 *     model.layers.1.mlp.up.weight   -->      mlp.up.weight
 *     ...                                     ...
 *
 * Names are cut at '.'. Siblings with numbers as names fold into one node when everything below them is
 * alike: the same names and the same shapes, at any depth. Element types may differ (a quantized model mixes
 * them); a node then names them all. Siblings need not be neighbours: layers 0, 2, 4 of one kind and 1, 3, 5
 * of another are two nodes.
 *
 * Alike is exact: names and shapes are compared, never just hashed. After sorting, the work is linear in the
 * length of all names.
 */
#ifndef NUMEL_REGISTRY_FOLD_H
#define NUMEL_REGISTRY_FOLD_H

#include "registry/registry.h"

enum { FOLD_TYPES = 63 }; /* distinct element types; more share the last bit */

struct fold_node {
    const char *label; /* escaped; "layers.[0-31]", relative to the parent; chains of only children are one
                        * node: "mlp.up.weight" */
    struct fold_node *child, *next;
    uint64_t repeats;                  /* of this node under its parent; 1: not folded */
    uint64_t times;                    /* of this node in the whole checkpoint */
    uint64_t tensors, elements, bytes; /* of all times together */
    uint64_t each;                     /* elements of one of them */
    uint64_t types;                    /* bit set of fold.types */
    const numel_tensor *tensor;        /* a leaf: one of the tensors it stands for; else NULL */
    bool own;                          /* a leaf with its parent's name; its label is "" and takes no dot */
};

struct fold {
    struct fold_node *root; /* its children are the top level */
    const numel_dtype *types[FOLD_TYPES + 1];
    unsigned type_count;
};

/* All of it is in the arena. NOMEM; OVERFLOW if bytes do not add up in 64 bits. */
NUMEL_MUST bool fold_build(struct fold *f, const struct registry *r, struct arena *a, numel_error *e);
/* Writes "F16", "Q4_K+Q6_K", "5 types" to text; "other" for those that share the last bit. */
char *fold_types(const struct fold *f, uint64_t types, char *text, size_t size);

#endif
