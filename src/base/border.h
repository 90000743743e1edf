/*
 * border.h -- structs that cross the library's border, in both directions.
 *
 * A struct of numel.h that may grow begins with `size`, its bytes for the caller's compiler, and its fields
 * are only ever appended. So the front that both sides know has the smaller of the two sizes: fields that a
 * caller's older struct lacks are 0 here, the default; fields that ours lacks must be 0 there, else the
 * caller wants what this version cannot do, and is refused. Nothing is ever read or written beyond the
 * caller's size.
 *
 * Every public function first takes such a struct through here. The rest of the library sees complete copies
 * and ignores `size`.
 */
#ifndef NUMEL_BASE_BORDER_H
#define NUMEL_BASE_BORDER_H

#include "base/memory.h"

/* Copies `theirs` to *own, or sets all defaults for NULL. USAGE: a size of 0 or of no version; a set field
 * newer than this library; a reserved field that is not 0; a list with a count but a NULL pointer; an invalid
 * enum value. Borrows texts and lists. */
NUMEL_MUST bool border_options(numel_options *own, const numel_options *theirs,
                               numel_error *e); /* allocator: set */
NUMEL_MUST bool border_work(numel_work *own, const numel_work *theirs, numel_error *e);
NUMEL_MUST bool border_knowledge(numel_knowledge *own, const numel_knowledge *theirs, numel_error *e);
NUMEL_MUST bool border_view(numel_view *own, const numel_view *theirs, numel_error *e);
NUMEL_MUST bool border_plan(numel_plan *own, const numel_plan *theirs, numel_error *e);
NUMEL_MUST bool border_style(numel_style *own, const numel_style *theirs, numel_error *e);
NUMEL_MUST bool border_hashing(numel_hashing *own, const numel_hashing *theirs, numel_error *e);
NUMEL_MUST bool border_printout(numel_printout *own, const numel_printout *theirs, numel_error *e);

/* A nested struct: own.check.work is NULL or points to the copy next to it. */
struct border_check {
    numel_check check;
    numel_work work;
};
NUMEL_MUST bool border_check(struct border_check *own, const numel_check *theirs, numel_error *e);

/* The same; own.listing.knowledge points to the copy next to it. */
struct border_listing {
    numel_listing listing;
    numel_knowledge knowledge;
};
NUMEL_MUST bool border_listing(struct border_listing *own, const numel_listing *theirs, numel_error *e);
NUMEL_MUST bool border_columns(numel_columns *own, const numel_columns *theirs, numel_error *e);
NUMEL_MUST bool border_row(numel_row *own, const numel_row *theirs, numel_error *e);
NUMEL_MUST bool border_totals(numel_totals *own, const numel_totals *theirs, numel_error *e);

/* The other way: fills a caller's struct, which states its size, from ours; sets its size to the bytes
 * filled. Fields beyond ours are 0. USAGE for a size as above. */
#define BORDER_GIVE(type, theirs, own, e) \
    border_give((type *){ theirs }, (const type *){ own }, sizeof(type), #type, e)
NUMEL_MUST bool border_give(void *theirs, const void *own, size_t size, const char *type, numel_error *e);

#endif
