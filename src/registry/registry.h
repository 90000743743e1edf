/*
 * registry.h -- all tensors of a checkpoint, in a table with a hash by name.
 *
 * Tensors are appended as they are read; the hash follows one file behind (registry_commit), so a bad file
 * can be removed without a trace (registry_rollback). 500,000 tensors are an ordinary load: nothing here
 * takes quadratic time, whatever the names.
 */
#ifndef NUMEL_REGISTRY_REGISTRY_H
#define NUMEL_REGISTRY_REGISTRY_H

#include "base/names.h"
#include "registry/patterns.h"

#include <string.h>

struct registry {
    const numel_allocator *memory;
    struct arena *arena; /* borrowed: owns names and dims */
    numel_tensor *tensors;
    size_t count, cap;
    size_t hashed; /* tensors[0..hashed) are entered in `names` */
    struct names names;
    struct patterns patterns; /* patterns.of[i] belongs to tensor i */
};

/* Compares n dims of two tensors. With n 0, both may be NULL. */
static inline bool dims_same(const uint64_t *a, const uint64_t *b, uint32_t n)
{
    return n == 0 || memcmp(a, b, n * sizeof *a) == 0;
}

void registry_init(struct registry *r, struct arena *a);
void registry_done(struct registry *r);

/* Reserves room for n more tensors. Header readers call it once, which makes adding cheap. */
NUMEL_MUST bool registry_reserve(struct registry *r, size_t n, numel_error *);
/* Appends a tensor. The caller's memory for name and dims must outlive the registry. */
NUMEL_MUST static inline bool registry_add(struct registry *r, const numel_tensor *t, numel_error *e)
{
    if (r->count == r->cap && !registry_reserve(r, 1, e)) return false;
    r->tensors[r->count] = *t;
    r->tensors[r->count++].size = sizeof *t;
    return true;
}

/* Indexes the tensors added since the last commit. DUPLICATE if a name occurs twice in one file; *first
 * and *second are then the indices. A name that another file also has is marked NUMEL_REPEATED. */
NUMEL_MUST bool registry_commit(struct registry *r, size_t *first, size_t *second, numel_error *);
/* After DUPLICATE: leaves the second tensor in the table without a name, so that commit may continue. */
void registry_pass_over(struct registry *r);
/* Commits all tensors; the first keeps a repeated name. For tables made from one whose reader has already
 * reported repeats. */
NUMEL_MUST bool registry_commit_firsts(struct registry *r, numel_error *);
/* Removes the tensors from index `count` on. */
void registry_rollback(struct registry *r, size_t count);

/* The tensors from index `i` on; NULL if there are none. */
static inline numel_tensor *registry_from(const struct registry *r, uint64_t i)
{
    return r->tensors ? r->tensors + i : NULL;
}

/* The pattern of the tensor's name. The tensor must be committed. */
static inline const struct pattern *registry_pattern(const struct registry *r, size_t i)
{
    return &r->patterns.items[r->patterns.of[i]];
}

/* True if any name contains the text. */
bool registry_mentions(const struct registry *r, numel_str text);
/* True if any name ends with the text. */
bool registry_ends(const struct registry *r, numel_str end);
/* True if every name contains a dot. */
bool registry_dotted(const struct registry *r);
const numel_tensor *registry_find(const struct registry *r, numel_str name);
/* The sum of all elements; OVERFLOW if it does not fit in 64 bits. */
NUMEL_MUST bool registry_stored(const struct registry *r, uint64_t *sum, numel_error *);
/* The indices of all tensors, in natural order of names or by another key. The caller frees them. */
NUMEL_MUST bool registry_order(const struct registry *r, numel_sort by, uint32_t **order, numel_error *);

#endif
