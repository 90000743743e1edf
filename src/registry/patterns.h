/*
 * patterns.h -- names without their numbers, so that a question about names is answered once for each
 * pattern.
 *
 *   model.layers.12.mlp.experts.3.up_proj.weight    model.layers.#.mlp.experts.#.up_proj.weight    12, 3
 *
 * A number is a run of digits between dots, underscores or the ends of the name. Numbers with a leading zero
 * or above PATTERN_NUMBER are ordinary text; so are the ninth and later numbers of a name, and those after
 * its first 65,535 bytes. DeepSeek-V3 has 91,991 names and 43 patterns.
 *
 * A number may also be a name: `wi_0` and `wi_1`, `weight_scale_2`. Such a number ends a part of the name and
 * follows an underscore. To search for such names, check each member of a pattern with `named`.
 */
#ifndef NUMEL_REGISTRY_PATTERNS_H
#define NUMEL_REGISTRY_PATTERNS_H

#include "base/memory.h"

enum { PATTERN_SLOTS = 8 };
#define PATTERN_NUMBER (UINT32_MAX - 1) /* the largest number */

struct pattern {
    numel_str sample; /* the name of its first member */
    uint64_t hash;
    uint32_t first, count;         /* index of that tensor; number of members */
    uint32_t next;                 /* the pattern of the tensor that came after the latest member */
    uint8_t slots;                 /* how many numbers a name has */
    bool named;                    /* one of the numbers may be a name */
    bool dotted;                   /* every number is a whole part, between dots */
    uint8_t digits[PATTERN_SLOTS]; /* the numbers' lengths in the sample */
    uint16_t at[PATTERN_SLOTS];    /* the numbers' positions in the sample */
};

struct patterns {
    const numel_allocator *memory;
    struct pattern *items;
    size_t count, cap;
    uint32_t *of; /* the pattern of each tensor */
    size_t entered, of_cap;
    uint32_t *table; /* indices of patterns, plus 1; 0: empty. At most half full */
    size_t table_size;
    uint64_t seed;
};

void patterns_init(struct patterns *p, const numel_allocator *memory);
void patterns_done(struct patterns *p);

/* Reserves room for n more tensors. NOMEM. */
NUMEL_MUST bool patterns_reserve(struct patterns *p, size_t n, numel_error *e);
/* Enters the next tensor's name, which must stay in place while the table lives. NOMEM. */
NUMEL_MUST bool patterns_enter(struct patterns *p, numel_str name, numel_error *e);
/* Removes the tensors from index `count` on, and the patterns that only they have. */
void patterns_leave(struct patterns *p, size_t count);

/* The index of the name's pattern, or UINT32_MAX. */
uint32_t patterns_find(const struct patterns *p, numel_str name);
/* Writes the x->slots numbers of a name with that pattern. */
void pattern_numbers(const struct pattern *x, numel_str name, uint32_t *out);

/* True if a part of a name, or a glob for one, may contain a number: "mlp.0" does, "fc1" does not. If
 * false, one name of a pattern answers for all. */
bool pattern_asks_number(numel_str part);
/* The length of the number that begins at byte `at` of the name; 0 if none does. */
size_t pattern_number(numel_str name, size_t at);

#endif
