/*
 * expected.h -- the tensors that an expansion expects, asked for by the names that modules have.
 *
 * A spec's names are those of files, and mostly those of modules too. Where they are not, its
 * `spelling` lines know the other name; but trying these costs, and most names that are asked for and
 * not found are of modules that are not there at all. So spellings are tried only for a place that no
 * expected name is near to: not for q_norm beside q_proj. Places are names of modules with each
 * number as #, of which a model has few.
 */
#ifndef NUMEL_PRINTOUT_EXPECTED_H
#define NUMEL_PRINTOUT_EXPECTED_H

#include "base/names.h"
#include "formula/expand.h"

struct place {
    numel_str name; /* first: see names.h; "model.layers.#.self_attn" */
};

struct expected {
    const struct expansion *x;
    struct names rows, by_place;
    struct place *places;
    size_t place_count, place_cap;
    struct arena arena;
    struct buffer text; /* scratch */
};

/* NOMEM. expected_done() is for either case. */
NUMEL_MUST bool expected_init(struct expected *k, const struct expansion *x, const numel_allocator *m,
                              numel_error *e);
void expected_done(struct expected *k);
/* The site of that tensor; NULL when it is not expected, or only stored beside the model. */
const struct site *expected_find(struct expected *k, numel_str name);
/* The same of a name in another spelling. NULL also when memory is out: k->text or k->arena has
 * failed then. */
const struct site *expected_renamed(struct expected *k, numel_str name);

#endif
