/*
 * needles.h -- a compiled list whose entries mean names: finds the first entry that means one.
 *
 * Each entry has words that a name must hold for the entry to mean it. The rarest word in the list files the
 * entry, so a name is compared only with the entries whose word it has: time is the length of the name times
 * the lengths of words (at most NEEDLE_LONGEST), however many entries. An entry without words is tried with
 * every name.
 */
#ifndef NUMEL_BASE_NEEDLES_H
#define NUMEL_BASE_NEEDLES_H

#include "base/memory.h"

enum {
    NEEDLE_WORDS = 8,    /* per entry; others are left out */
    NEEDLE_LONGEST = 64, /* bytes of a word; the end of a longer one counts */
    NEEDLE_NONE = -1
};

struct needle {
    numel_str text; /* equal texts are one entry, the first */
    numel_str words[NEEDLE_WORDS];
    unsigned word_count;
};

struct needles {
    struct needle_slot *slots;
    uint32_t *next; /* by entry: the next of the same word */
    size_t slot_count;
    uint64_t seed;
    uint64_t lengths; /* bit n - 1: a word that files an entry has n bytes */
    uint32_t bare;    /* the first entry without words, + 1; 0: none */
    size_t count;
};

/* In the arena, except the texts. At most INT32_MAX entries: LIMIT. NOMEM. */
NUMEL_MUST bool needles_make(struct needles *n, const struct needle *entries, size_t count, struct arena *a,
                             numel_error *e);
/* The number of the first entry whose words the text may hold and that `means` accepts, or NEEDLE_NONE. */
int64_t needles_first(const struct needles *n, numel_str text, bool (*means)(const void *ctx, uint32_t entry),
                      const void *ctx);

#endif
