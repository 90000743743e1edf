/*
 * expected.h -- the tensors that an expansion expects, looked up by module names.
 *
 * A spec's names are those of files, and mostly those of modules too. If they differ, its `spelling`
 * lines give the other name; but these are slow to try, and most names not found belong to modules
 * that do not exist. So spellings are tried only for a place that no expected name is near: not for
 * q_norm next to q_proj. Places are module names with # for each number; a model has few.
 */
#ifndef NUMEL_PRINTOUT_EXPECTED_H
#define NUMEL_PRINTOUT_EXPECTED_H

#include "base/names.h"
#include "formula/expand.h"

struct expected {
    const struct expansion *x;
    struct names rows, by_place;
    numel_str *places; /* modules near a tensor, "model.layers.#.self_attn" */
    size_t place_count, place_cap;
    struct arena arena;
    struct buffer text; /* scratch */
};

/* NOMEM. Call expected_done() in either case. */
NUMEL_MUST bool expected_init(struct expected *k, const struct expansion *x, const numel_allocator *m,
                              numel_error *e);
void expected_done(struct expected *k);
/* The site of that tensor; NULL if it is not expected, or is an extra that is not part of the model. */
const struct site *expected_find(struct expected *k, numel_str name);
/* The same for a name in another spelling. Also NULL when out of memory: then k->text or k->arena has
 * failed. */
const struct site *expected_renamed(struct expected *k, numel_str name);

#endif
