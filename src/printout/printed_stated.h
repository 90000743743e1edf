/*
 * printed_stated.h -- compares a stated total with the printed model: which way of counting gives it.
 *
 * A way is a set of choices on top of the printout's count: shared tables counted once, 4-bit weights
 * counted as their bytes (two values each, as peft and transformers counted for a long time), norms
 * that print no size assumed to be as wide as the embedding, the stated trainable parameters added,
 * adapters left out. The way with the fewest choices that gives the number wins; an exact number must
 * be met exactly. A number may also be that of one module, or of the path's model.
 */
#ifndef NUMEL_PRINTOUT_PRINTED_STATED_H
#define NUMEL_PRINTOUT_PRINTED_STATED_H

#include "printout/printed.h"

struct stated_row {
    const struct stated *stated;
    const char *meets;  /* how; NULL: not met */
    const char *remark; /* if it is not met; may be NULL */
    int64_t difference; /* stated minus printed; for a range, from its middle */
};

struct stated_rows {
    struct stated_row *items;
    size_t count, unmet;
};

/* In the arena. NOMEM. */
NUMEL_MUST bool stated_rows_make(struct stated_rows *r, const struct printed_beside *b, struct arena *a,
                                 numel_error *e);

#endif
