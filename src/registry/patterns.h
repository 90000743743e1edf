/*
 * patterns.h -- names without their numbers: what is asked about a name is asked about its pattern, once.
 *
 *     model.layers.12.mlp.experts.3.up_proj.weight   model.layers.#.mlp.experts.#.up_proj.weight   12, 3
 *
 * A number is a run of digits with a dot, an underscore or an end of the name on both sides. One with a leading zero, one
 * beyond PATTERN_NUMBER, the ninth of a name and one behind its first 65,535 bytes are text like the rest. DeepSeek-V3 has 91,991 names and 43 patterns.
 *
 * A number may be a name: `wi_0` and `wi_1`, `weight_scale_2`. Such a number ends a part of the name and has an underscore
 * in front; whoever asks for names like these asks a pattern with `named` for each of its members.
 */
#ifndef NUMEL_REGISTRY_PATTERNS_H
#define NUMEL_REGISTRY_PATTERNS_H

#include "base/memory.h"

enum { PATTERN_SLOTS = 8 };
#define PATTERN_NUMBER (UINT32_MAX - 1) /* the largest number that is one */

struct pattern {
    numel_str sample; /* the name of its first member */
    uint64_t hash;
    uint32_t first, count;         /* that tensor; how many members */
    uint32_t next;                 /* the pattern of the tensor that came after a member the last time */
    uint8_t slots;                 /* numbers of a name */
    bool named;                    /* one of them may be a name */
    bool dotted;                   /* each of them is a part of its own, between dots */
    uint8_t digits[PATTERN_SLOTS]; /* how long they are in the sample */
    uint16_t at[PATTERN_SLOTS];    /* and where they begin */
};

struct patterns {
    const numel_allocator *memory;
    struct pattern *items;
    size_t count, cap;
    uint32_t *of; /* by tensor: its pattern */
    size_t entered, of_cap;
    uint32_t *table; /* numbers of patterns + 1; 0 is empty. At most half full */
    size_t table_size;
    uint64_t seed;
};

void patterns_init(struct patterns *p, const numel_allocator *memory);
void patterns_done(struct patterns *p);

/* Room for n tensors more. NOMEM. */
NUMEL_MUST bool patterns_reserve(struct patterns *p, size_t n, numel_error *e);
/* The name of the next tensor; it stays where it is while the table lives. NOMEM. */
NUMEL_MUST bool patterns_enter(struct patterns *p, numel_str name, numel_error *e);
/* Forgets the tensors from number `count` on, and patterns that only they have. */
void patterns_leave(struct patterns *p, size_t count);

/* The number of the pattern that the name has, or UINT32_MAX. */
uint32_t patterns_find(const struct patterns *p, numel_str name);
/* The numbers in a name of the pattern: x->slots of them. */
void pattern_numbers(const struct pattern *x, numel_str name, uint32_t *out);

/* Might a part of a name, or a glob of one, ask for a number? "mlp.0" does, "fc1" does not. Where none does, one name of a pattern
 * answers for all. */
bool pattern_asks_number(numel_str part);
/* Bytes of the number that begins at byte `at` of the name; 0: none does. */
size_t pattern_number(numel_str name, size_t at);

#endif
