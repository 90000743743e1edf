/*
 * needles.h -- a compiled list of entries that match names; finds the first entry that matches one.
 *
 * Each entry has words that a name must contain for the entry to match. An entry is filed under the word that
 * is rarest in the list, so a name is only compared with entries whose word it contains. The time depends on
 * the length of the name and the number of word lengths (at most NEEDLE_LONGEST), however many entries there
 * are. An entry without words is tried with every name.
 */
#ifndef NUMEL_BASE_NEEDLES_H
#define NUMEL_BASE_NEEDLES_H

#include "base/memory.h"

enum {
    NEEDLE_WORDS = 8,    /* per entry; further ones are ignored */
    NEEDLE_LONGEST = 64, /* bytes of a word; of a longer one only the end is used */
    NEEDLE_NONE = -1
};

struct needle {
    numel_str text; /* of equal texts, only the first entry is kept */
    numel_str words[NEEDLE_WORDS];
    unsigned word_count;
};

struct needles {
    struct needle_slot *slots;
    uint32_t *next; /* by entry: the next one under the same word */
    size_t slot_count;
    uint64_t seed;
    uint64_t lengths; /* bit n - 1: some entry is filed under a word of n bytes */
    uint32_t bare;    /* the first entry without words, plus 1; 0: none */
    size_t count;
};

/* All memory except the texts is in the arena. LIMIT above INT32_MAX entries. NOMEM. */
NUMEL_MUST bool needles_make(struct needles *n, const struct needle *entries, size_t count, struct arena *a,
                             numel_error *e);
/* The number of the first entry whose words the text may contain and that `means` accepts; NEEDLE_NONE if
 * there is none. */
int64_t needles_first(const struct needles *n, numel_str text, bool (*means)(const void *ctx, uint32_t entry),
                      const void *ctx);

#endif
