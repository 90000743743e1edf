/*
 * search_kept.c -- keeps what a trial that explained all tensors has made. Expansion, names and matches of a
 * model are most of the work of a search, so those of the best candidate are not made twice; see
 * search_internal.h.
 */
#include "model/search_internal.h"

void kept_drop(struct trial_kept *k, const numel_allocator *m)
{
    if (!k->there) return;
    match_done(&k->match);
    expansion_free(k->x);
    naming_done(&k->naming);
    library_linked_free(&k->linked, m);
    arena_done(&k->made);
    *k = (struct trial_kept){ .there = false };
}

void kept_take(struct trial_kept *k, struct model *model)
{
    const numel_allocator *m = model->made.memory;
    kept_drop(k, m);
    *k = (struct trial_kept){ .there = true,
                              .made = model->made,
                              .x = model->x,
                              .spec = model->spec,
                              .linked = model->linked,
                              .naming = model->inner->naming,
                              .match = model->inner->match,
                              .differences = model->differences };
    arena_init(&model->made, m);
    model->x = NULL;
    model->linked = (struct library_linked){ .items = NULL };
    model->inner->naming = (struct naming){ .registry = NULL };
    model->inner->match = (struct match){ .model = NULL };
}

void kept_give(struct trial_kept *k, struct model *model)
{
    library_linked_free(&model->linked, model->library->arena.memory);
    arena_done(&model->made);
    model->made = k->made;
    model->x = k->x;
    model->spec = k->spec;
    model->linked = k->linked;
    model->inner->naming = k->naming;
    model->inner->match = k->match;
    model->differences = k->differences;
    *k = (struct trial_kept){ .there = false };
}
