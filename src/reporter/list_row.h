/*
 * list_row.h -- what a list says of one checkpoint: a numel_row, made of its headers and its configuration.
 */
#ifndef NUMEL_REPORTER_LIST_ROW_H
#define NUMEL_REPORTER_LIST_ROW_H

#include "base/memory.h"

/* Fills what the headers say: row->path, name, files, disk and id are the caller's. What cannot be read becomes the
 * row's error, of the arena as all its texts are. False: NOMEM. */
NUMEL_MUST bool list_row_make(numel_row *row, const numel_found *found, size_t i, const numel_options *,
                              const numel_knowledge *, struct arena *a, numel_error *e);
/* The same of a component of one file, which is open; *product is its id (formula/product.h), NULL: unknown. */
NUMEL_MUST bool list_row_ask(numel_row *row, const char **product, const numel_checkpoint *,
                             const numel_options *, const numel_knowledge *, struct arena *a, numel_error *e);
/* The same; of the first component of a model of several (numel_found_components()) the row is that of all of it. */
NUMEL_MUST bool list_row_of(numel_row *row, const numel_found *found, size_t i, const numel_options *,
                            const numel_knowledge *, struct arena *a, numel_error *e);

struct components;
struct memory;
/* Asks and judges them; the sums of those that count. `k` may be NULL. NOMEM, OVERFLOW, USAGE. */
NUMEL_MUST bool list_row_sum(numel_row *row, struct components *, const numel_options *,
                             const numel_knowledge *k, struct arena *a, numel_error *e);
/* Up to which context it fits into the memory that was asked of. NOMEM. */
NUMEL_MUST bool list_row_fits(numel_row *row, const struct memory *, struct arena *a, numel_error *e);

#endif
