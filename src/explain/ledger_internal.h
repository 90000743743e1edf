/* ledger_internal.h -- shared by the files of the ledger; see ledger.h. */
#ifndef NUMEL_EXPLAIN_LEDGER_INTERNAL_H
#define NUMEL_EXPLAIN_LEDGER_INTERNAL_H

#include "explain/ledger.h"

/* Adds an empty entry to the ledger; NULL: NOMEM. */
NUMEL_MUST struct entry *ledger_entry(struct ledger *l, numel_error *e);
/* The index of k's kind, whose layers it increases by k->layers. */
uint32_t ledger_kind(struct ledger *l, const struct layer_kind *k);
/* ledger_names.c: fills the ledger of a checkpoint without a formula. */
NUMEL_MUST bool ledger_from_names(struct ledger *l, numel_error *e);
/* The traits of an expected tensor. */
uint32_t ledger_site_traits(const struct ledger *l, const struct site *s);
/* ledger_offered.c: for a configuration, adds buffers that a file may contain. */
NUMEL_MUST bool ledger_offered(struct ledger *l, numel_error *e);
/* ledger_scales.c: for a configuration, adds the scales that its quantizer would write. */
NUMEL_MUST bool ledger_scales(struct ledger *l, numel_error *e);

#endif
