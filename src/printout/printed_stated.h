/*
 * printed_stated.h -- a total that the text states, held against what is printed: which way of counting
 * meets it.
 *
 * A way is a set of parts on top of what the printout counts: the tables that are shared counted once,
 * 4-bit weights counted as the bytes they are kept in (two values each: what peft and transformers
 * counted for a long time), norms that print no size taken to be as wide as the embedding, the trainable
 * parameters that are stated too, adapters left out. The way with the fewest parts that meets the
 * number wins; an exact number is only met exactly. A number may also be that of one module, or of what
 * a path holds.
 */
#ifndef NUMEL_PRINTOUT_PRINTED_STATED_H
#define NUMEL_PRINTOUT_PRINTED_STATED_H

#include "printout/printed.h"

struct stated_row {
    const struct stated *stated;
    const char *meets;  /* how; NULL: not met */
    const char *remark; /* of one that is not met; may be NULL */
    int64_t difference; /* stated less printed; of a range, its middle */
};

struct stated_rows {
    struct stated_row *items;
    size_t count, unmet;
};

/* In the arena. `sizeless_rest`: beside what is counted there is more that prints no size. */
NUMEL_MUST bool stated_rows_make(struct stated_rows *r, const struct printed_beside *b, struct arena *a,
                                 numel_error *e);

#endif
