/*
 * naming_tails.h -- the endings of the names in a file, to rule out most missing names quickly.
 *
 * A name that is found with another prefix shares at least its last parts with one in the file. For each name
 * in the file, a bit stands for its last three parts without numbers, so one name covers its whole pattern
 * (registry/patterns.h).
 */
#ifndef NUMEL_MODEL_NAMING_TAILS_H
#define NUMEL_MODEL_NAMING_TAILS_H

#include "base/memory.h"

struct tails {
    uint64_t *bits; /* NULL: not made, so any name is possible */
    size_t count;   /* number of bits, a power of 2 */
};

/* Makes room for about this many names. NOMEM. */
NUMEL_MUST bool tails_make(struct tails *t, size_t names, struct arena *a, numel_error *e);
void tails_add(struct tails *t, numel_str name);
/* False if the file cannot have the name, even with a prefix added or dropped. */
bool tails_may_have(const struct tails *t, numel_str name);

#endif
