/*
 * patterns.h -- names without their numbers: a question about a name is answered once, for its pattern.
 *
 *     model.layers.12.mlp.experts.3.up_proj.weight   model.layers.#.mlp.experts.#.up_proj.weight   12, 3
 *
 * A number is a run of digits with a dot, an underscore or an end of the name on both sides. Numbers with a leading zero or beyond
 * PATTERN_NUMBER, the ninth of a name, and those after its first 65,535 bytes are ordinary text. DeepSeek-V3 has 91,991 names and 43
 * patterns.
 *
 * A number may be a name: `wi_0` and `wi_1`, `weight_scale_2`. Such a number ends a part of the name and follows an underscore; to search
 * for such names, check each member of a pattern with `named`.
 */
#ifndef NUMEL_REGISTRY_PATTERNS_H
#define NUMEL_REGISTRY_PATTERNS_H

#include "base/memory.h"

enum { PATTERN_SLOTS = 8 };
#define PATTERN_NUMBER (UINT32_MAX - 1) /* the largest number */

struct pattern {
    numel_str sample; /* the name of its first member */
    uint64_t hash;
    uint32_t first, count;         /* that tensor; how many members */
    uint32_t next;                 /* the pattern of the tensor that last followed a member */
    uint8_t slots;                 /* numbers of a name */
    bool named;                    /* one of them may be a name */
    bool dotted;                   /* each of them is a part by itself, between dots */
    uint8_t digits[PATTERN_SLOTS]; /* their lengths in the sample */
    uint16_t at[PATTERN_SLOTS];    /* their positions in it */
};

struct patterns {
    const numel_allocator *memory;
    struct pattern *items;
    size_t count, cap;
    uint32_t *of; /* by tensor: its pattern */
    size_t entered, of_cap;
    uint32_t *table; /* indices of patterns + 1; 0 is empty. At most half full */
    size_t table_size;
    uint64_t seed;
};

void patterns_init(struct patterns *p, const numel_allocator *memory);
void patterns_done(struct patterns *p);

/* Room for n more tensors. NOMEM. */
NUMEL_MUST bool patterns_reserve(struct patterns *p, size_t n, numel_error *e);
/* Enters the next tensor's name; it must stay in place while the table lives. NOMEM. */
NUMEL_MUST bool patterns_enter(struct patterns *p, numel_str name, numel_error *e);
/* Forgets the tensors from number `count` on, and the patterns only they have. */
void patterns_leave(struct patterns *p, size_t count);

/* The index of the name's pattern, or UINT32_MAX. */
uint32_t patterns_find(const struct patterns *p, numel_str name);
/* The numbers in a name of the pattern: x->slots of them. */
void pattern_numbers(const struct pattern *x, numel_str name, uint32_t *out);

/* Might a part of a name, or a glob of one, need a number? "mlp.0" does, "fc1" does not. Otherwise one name
 * of a pattern answers for all. */
bool pattern_asks_number(numel_str part);
/* The bytes of the number at byte `at` of the name; 0: none begins there. */
size_t pattern_number(numel_str name, size_t at);

#endif
