/* ledger_internal.h -- what the files of the ledger share; see ledger.h. */
#ifndef NUMEL_EXPLAIN_LEDGER_INTERNAL_H
#define NUMEL_EXPLAIN_LEDGER_INTERNAL_H

#include "explain/ledger.h"

/* A new entry of the ledger, of nothing; NULL and NOMEM. */
NUMEL_MUST struct entry *ledger_entry(struct ledger *l, numel_error *e);
/* The number of the kind that a layer is of, which is counted as k->layers more of it. */
uint32_t ledger_kind(struct ledger *l, const struct layer_kind *k);
/* ledger_names.c: a checkpoint without a formula. */
NUMEL_MUST bool ledger_from_names(struct ledger *l, numel_error *e);
/* What an expected tensor is. */
uint32_t ledger_site_traits(const struct ledger *l, const struct site *s);
/* ledger_offered.c: of a configuration, the buffers that a file might hold. */
NUMEL_MUST bool ledger_offered(struct ledger *l, numel_error *e);
/* ledger_scales.c: the scales that a configuration says a quantizer writes. */
NUMEL_MUST bool ledger_scales(struct ledger *l, numel_error *e);

#endif
