/* expand_internal.h -- shared by expand*.c only. */
#ifndef NUMEL_FORMULA_EXPAND_INTERNAL_H
#define NUMEL_FORMULA_EXPAND_INTERNAL_H

#include "formula/alike.h"
#include "formula/expand.h"
#include "formula/scratch.h"

struct fold;

struct expanding {
    struct expansion *x;
    struct group group; /* the enclosing `oneof`; they do not nest */
    bool grouped;
    uint64_t steps;
    struct scratch scratch;
    struct fold *fold; /* NULL: each iteration is walked, each row made */
};

/* expand_rows.c: makes the rows of a site that is not yet in x->sites. SPEC, CONFIG, LIMIT, NOMEM in the
 * env's error. */
NUMEL_MUST bool expand_rows(struct spec_walk *w, struct site *site, const struct tensor_part *p);

/* ... and, once the iterations it stands for are known, rewrites each name to cover all of them. */
NUMEL_MUST bool expand_ranges(struct expansion *x, numel_error *e);

/* expand_cache.c: handles the current cache line. An error in it does not end the expansion, but the cache
 * counts as unknown. NOMEM. */
NUMEL_MUST bool expand_cache(struct spec_walk *w);

NUMEL_MUST bool fold_init(struct expanding *a, numel_error *e);
void fold_done(struct expanding *a);
/* For the current loop: call these before iteration i is made, with the iteration, and after it. *next is the
 * iteration to walk next. LIMIT, NOMEM in the env's error. */
bool fold_begin(struct spec_walk *w, int64_t i, int64_t to);
void fold_turn(struct spec_walk *w, struct turn *turn, struct value *number);
void fold_end(struct spec_walk *w, int64_t i, int64_t to, int64_t *next);

#endif
