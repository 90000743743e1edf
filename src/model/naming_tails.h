/*
 * naming_tails.h -- which ends the names of a file have: a quick no for most names that are not there.
 *
 * A name that is looked for with another prefix has at least the last parts of one that is there. A bit stands for the last three
 * parts of each, numbers left out, so that one name of a pattern (registry/patterns.h) speaks for all.
 */
#ifndef NUMEL_MODEL_NAMING_TAILS_H
#define NUMEL_MODEL_NAMING_TAILS_H

#include "base/memory.h"

struct tails {
    uint64_t *bits; /* NULL: not made, nothing is known */
    size_t count;   /* of bits: a power of 2 */
};

/* For about so many names. NOMEM. */
NUMEL_MUST bool tails_make(struct tails *t, size_t names, struct arena *a, numel_error *e);
void tails_add(struct tails *t, numel_str name);
/* May the file have the name, perhaps with a prefix added or dropped? False is certain. */
bool tails_may_have(const struct tails *t, numel_str name);

#endif
