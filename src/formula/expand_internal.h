/* expand_internal.h -- between the files expand*.c only. */
#ifndef NUMEL_FORMULA_EXPAND_INTERNAL_H
#define NUMEL_FORMULA_EXPAND_INTERNAL_H

#include "formula/alike.h"
#include "formula/expand.h"
#include "formula/scratch.h"

struct fold;

struct expanding {
    struct expansion *x;
    struct group group; /* the `oneof` around; one cannot stand in another */
    bool grouped;
    uint64_t steps;
    struct scratch scratch;
    struct fold *fold; /* NULL: each turn is walked, each row made */
};

/* expand_rows.c: the rows of the site at hand, which is not among x->sites yet. SPEC, CONFIG, LIMIT, NOMEM in the env's error. */
NUMEL_MUST bool expand_rows(struct spec_walk *w, struct site *site, const struct tensor_part *p);

/* ... and when it is known for how many turns each stands: its name for all of them. */
NUMEL_MUST bool expand_ranges(struct expansion *x, numel_error *e);

/* expand_cache.c: the cache line at hand. What cannot be said of it ends no expansion: nothing is known of the
 * cache then. NOMEM. */
NUMEL_MUST bool expand_cache(struct spec_walk *w);

NUMEL_MUST bool fold_init(struct expanding *a, numel_error *e);
void fold_done(struct expanding *a);
/* Of the loop at hand: before turn i is made, with its turn, and behind it; *next is the turn that is walked
 * next. LIMIT, NOMEM in the env's error. */
bool fold_begin(struct spec_walk *w, int64_t i, int64_t to);
void fold_turn(struct spec_walk *w, struct turn *turn, struct value *number);
void fold_end(struct spec_walk *w, int64_t i, int64_t to, int64_t *next);

#endif
