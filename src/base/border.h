/*
 * border.h -- copies structs across the library's border, in both directions.
 *
 * A struct of numel.h that may grow begins with `size`, its size for the caller's compiler; fields are only
 * ever appended. Both sides know the front, up to the smaller of the two sizes. Fields that a caller's older
 * struct lacks are 0 here, which is the default. Fields that ours lacks must be 0 in the caller's struct;
 * otherwise the caller asks for something that this version cannot do, and is refused. Nothing beyond the
 * caller's size is ever read or written.
 *
 * Every public function copies such a struct here first. The rest of the library sees complete copies and
 * ignores `size`.
 */
#ifndef NUMEL_BASE_BORDER_H
#define NUMEL_BASE_BORDER_H

#include "base/memory.h"

/* Copies `theirs` to *own; NULL sets the defaults. USAGE: a size that is 0 or of no version; a set field
 * that this library does not know; a reserved field that is not 0; a list with a count but a NULL pointer;
 * an invalid enum value. Texts and lists are borrowed. */
NUMEL_MUST bool border_options(numel_options *own, const numel_options *theirs,
                               numel_error *e); /* sets the allocator */
NUMEL_MUST bool border_work(numel_work *own, const numel_work *theirs, numel_error *e);
NUMEL_MUST bool border_knowledge(numel_knowledge *own, const numel_knowledge *theirs, numel_error *e);
NUMEL_MUST bool border_view(numel_view *own, const numel_view *theirs, numel_error *e);
NUMEL_MUST bool border_plan(numel_plan *own, const numel_plan *theirs, numel_error *e);
NUMEL_MUST bool border_style(numel_style *own, const numel_style *theirs, numel_error *e);
NUMEL_MUST bool border_hashing(numel_hashing *own, const numel_hashing *theirs, numel_error *e);
NUMEL_MUST bool border_printout(numel_printout *own, const numel_printout *theirs, numel_error *e);

/* For a nested struct: own.check.work is NULL or points to the copy next to it. */
struct border_check {
    numel_check check;
    numel_work work;
};
NUMEL_MUST bool border_check(struct border_check *own, const numel_check *theirs, numel_error *e);

/* For a nested struct: own.listing.knowledge points to the copy next to it. */
struct border_listing {
    numel_listing listing;
    numel_knowledge knowledge;
};
NUMEL_MUST bool border_listing(struct border_listing *own, const numel_listing *theirs, numel_error *e);
NUMEL_MUST bool border_columns(numel_columns *own, const numel_columns *theirs, numel_error *e);
NUMEL_MUST bool border_row(numel_row *own, const numel_row *theirs, numel_error *e);
NUMEL_MUST bool border_totals(numel_totals *own, const numel_totals *theirs, numel_error *e);

/* The other direction: fills a caller's struct, which states its size, from ours, and sets its size to the
 * bytes filled. Fields that ours lacks become 0. USAGE for a bad size. */
#define BORDER_GIVE(type, theirs, own, e) \
    border_give((type *){ theirs }, (const type *){ own }, sizeof(type), #type, e)
NUMEL_MUST bool border_give(void *theirs, const void *own, size_t size, const char *type, numel_error *e);

#endif
