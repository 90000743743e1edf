/*
 * registry.h -- all tensors of a checkpoint, in a table with a hash by name.
 *
 * Tensors are appended as they are read; the hash follows one file behind (registry_commit), so a file that
 * turns out to be bad leaves no trace (registry_rollback). 500,000 tensors are an ordinary load: nothing here
 * is quadratic, whatever the names.
 */
#ifndef NUMEL_REGISTRY_REGISTRY_H
#define NUMEL_REGISTRY_REGISTRY_H

#include "base/names.h"
#include "registry/patterns.h"

#include <string.h>

struct registry {
    const numel_allocator *memory;
    struct arena *arena; /* borrowed: holds names and dims */
    numel_tensor *tensors;
    size_t count, cap;
    size_t hashed; /* tensors[0..hashed) are entered in `names` */
    struct names names;
    struct patterns patterns; /* of the same tensors: patterns.of[i] is that of tensor i */
};

/* n dims of two tensors; NULL for none is fine. */
static inline bool dims_same(const uint64_t *a, const uint64_t *b, uint32_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

void registry_init(struct registry *r, struct arena *a);
void registry_done(struct registry *r);

/* Reserves room for n more; header readers call it once, so that adding is cheap. */
NUMEL_MUST bool registry_reserve(struct registry *r, size_t n, numel_error *);
/* Appends. The caller's memory for name and dims must outlive the registry. */
NUMEL_MUST static inline bool registry_add(struct registry *r, const numel_tensor *t, numel_error *e)
{
    if (r->count == r->cap && !registry_reserve(r, 1, e)) return false;
    r->tensors[r->count] = *t;
    r->tensors[r->count++].size = sizeof *t;
    return true;
}

/* Hashes the tensors added since the last commit. DUPLICATE if a name occurs twice in one file: *first and
 * *second are then their indices. A name known from another file is marked NUMEL_REPEATED. */
NUMEL_MUST bool registry_commit(struct registry *r, size_t *first, size_t *second, numel_error *);
/* After DUPLICATE: the second one stays in the table without a name, and commit may continue. */
void registry_pass_over(struct registry *r);
/* Commits all: the first tensor keeps a repeated name. For tables made from one whose reader has reported
 * repeats. */
NUMEL_MUST bool registry_commit_firsts(struct registry *r, numel_error *);
/* Forgets the tensors from index `count` on. */
void registry_rollback(struct registry *r, size_t count);

/* The tensors from index `i` on; NULL if there are none. */
static inline numel_tensor *registry_from(const struct registry *r, uint64_t i)
{
    return r->tensors ? r->tensors + i : NULL;
}

/* The pattern of its name; the tensor must be committed. */
static inline const struct pattern *registry_pattern(const struct registry *r, size_t i)
{
    return &r->patterns.items[r->patterns.of[i]];
}

/* Is the text in any name? */
bool registry_mentions(const struct registry *r, numel_str text);
/* Does any name end with it? */
bool registry_ends(const struct registry *r, numel_str end);
/* Does each name have a dot? */
bool registry_dotted(const struct registry *r);
const numel_tensor *registry_find(const struct registry *r, numel_str name);
/* Sum of all elements; OVERFLOW if it does not fit. */
NUMEL_MUST bool registry_stored(const struct registry *r, uint64_t *sum, numel_error *);
/* Indices of all tensors in natural order of names, or by another key; the caller frees them. */
NUMEL_MUST bool registry_order(const struct registry *r, numel_sort by, uint32_t **order, numel_error *);

#endif
