/*
 * list_row.h -- the row of one checkpoint in a list: a numel_row, from its headers and its configuration.
 */
#ifndef NUMEL_REPORTER_LIST_ROW_H
#define NUMEL_REPORTER_LIST_ROW_H

#include "base/memory.h"

/* Fills the row from the headers; row->path, name, files, disk and id are set by the caller. A read
 * failure becomes the row's error. The error and all texts are in the arena. False: NOMEM. */
NUMEL_MUST bool list_row_make(numel_row *row, const numel_found *found, size_t i, const numel_options *,
                              const numel_knowledge *, struct arena *a, numel_error *e);
/* Likewise for an open component of a single file; *product is its id (formula/product.h), NULL if
 * unknown. */
NUMEL_MUST bool list_row_ask(numel_row *row, const char **product, const numel_checkpoint *,
                             const numel_options *, const numel_knowledge *, struct arena *a, numel_error *e);
/* Likewise; the first component of a multi-part model (numel_found_components()) gets the row of the whole
 * model. */
NUMEL_MUST bool list_row_of(numel_row *row, const numel_found *found, size_t i, const numel_options *,
                            const numel_knowledge *, struct arena *a, numel_error *e);

struct components;
struct memory;
/* Judges the components, and adds up those that count. `k` may be NULL. NOMEM, OVERFLOW, USAGE. */
NUMEL_MUST bool list_row_sum(numel_row *row, struct components *, const numel_options *,
                             const numel_knowledge *k, struct arena *a, numel_error *e);
/* Sets row->fits: the longest context that fits into the given memory. NOMEM. */
NUMEL_MUST bool list_row_fits(numel_row *row, const struct memory *, struct arena *a, numel_error *e);

#endif
