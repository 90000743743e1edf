/*
 * naming_tails.h -- the ends of the names in a file: rules out most missing names quickly.
 *
 * A name looked for with another prefix shares at least the last parts with an existing one. A bit represents the
 * last three parts of each, without numbers, so that one name of a pattern (registry/patterns.h) covers all.
 */
#ifndef NUMEL_MODEL_NAMING_TAILS_H
#define NUMEL_MODEL_NAMING_TAILS_H

#include "base/memory.h"

struct tails {
    uint64_t *bits; /* NULL: not made, everything is possible */
    size_t count;   /* of bits: a power of 2 */
};

/* For about this many names. NOMEM. */
NUMEL_MUST bool tails_make(struct tails *t, size_t names, struct arena *a, numel_error *e);
void tails_add(struct tails *t, numel_str name);
/* May the file have the name, perhaps with a prefix added or dropped? False is certain. */
bool tails_may_have(const struct tails *t, numel_str name);

#endif
