/*
 * border.h -- structs that cross the library's border, in both directions.
 *
 * A struct of numel.h that may grow begins with `size`, the bytes that it has for the caller's compiler,
 * and its fields are only ever appended. So the front that both sides know has the smaller of two sizes:
 * what a caller's older struct lacks is 0 here, which is the default; what ours lacks must be 0 there,
 * else the caller asks for what this version cannot do, and is refused. Nothing is ever read or written
 * behind the size that the caller states.
 *
 * Every public function takes such a struct through here, first of all. The rest of the library sees
 * copies that are whole and looks at no `size`.
 */
#ifndef NUMEL_BASE_BORDER_H
#define NUMEL_BASE_BORDER_H

#include "base/memory.h"

/* *own becomes what `theirs` says, or all defaults for NULL. USAGE: a size of 0, one that no version has
 * had, a field that is set and newer than this library; something in
 * what is reserved; a list of which the count is not 0 and the
 * pointer NULL; an enum's value that is none. Texts and lists are borrowed. */
NUMEL_MUST bool border_options(numel_options *own, const numel_options *theirs,
                               numel_error *e); /* allocator: set */
NUMEL_MUST bool border_work(numel_work *own, const numel_work *theirs, numel_error *e);
NUMEL_MUST bool border_knowledge(numel_knowledge *own, const numel_knowledge *theirs, numel_error *e);
NUMEL_MUST bool border_view(numel_view *own, const numel_view *theirs, numel_error *e);
NUMEL_MUST bool border_plan(numel_plan *own, const numel_plan *theirs, numel_error *e);
NUMEL_MUST bool border_style(numel_style *own, const numel_style *theirs, numel_error *e);
NUMEL_MUST bool border_hashing(numel_hashing *own, const numel_hashing *theirs, numel_error *e);
NUMEL_MUST bool border_printout(numel_printout *own, const numel_printout *theirs, numel_error *e);

/* A struct with a struct in it: own.check.work is NULL or points to the copy beside it. */
struct border_check {
    numel_check check;
    numel_work work;
};
NUMEL_MUST bool border_check(struct border_check *own, const numel_check *theirs, numel_error *e);

/* The same; own.listing.knowledge points to the copy beside it. */
struct border_listing {
    numel_listing listing;
    numel_knowledge knowledge;
};
NUMEL_MUST bool border_listing(struct border_listing *own, const numel_listing *theirs, numel_error *e);
NUMEL_MUST bool border_columns(numel_columns *own, const numel_columns *theirs, numel_error *e);
NUMEL_MUST bool border_row(numel_row *own, const numel_row *theirs, numel_error *e);
NUMEL_MUST bool border_totals(numel_totals *own, const numel_totals *theirs, numel_error *e);

/* The other way: fills a caller's struct, which states its size, from ours; its size becomes the number of
 * bytes that were filled. What it has beyond ours is 0. USAGE for a size as above. */
#define BORDER_GIVE(type, theirs, own, e) \
    border_give((type *){ theirs }, (const type *){ own }, sizeof(type), #type, e)
NUMEL_MUST bool border_give(void *theirs, const void *own, size_t size, const char *type, numel_error *e);

#endif
