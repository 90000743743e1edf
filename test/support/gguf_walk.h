/*
 * gguf_walk.h -- a second reader of GGUF headers, for tests: where each field lies, and what the counts are.
 *
 * It shares nothing with the product but its types of numbers, and checks no more than it needs to stay
 * inside the bytes. Mutators change fields by it, targets hold the product's sums against its own.
 */
#ifndef NUMEL_TEST_GGUF_WALK_H
#define NUMEL_TEST_GGUF_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GGUF_WALK_FIELDS = 4096, GGUF_WALK_RECORDS = 1024 };

enum gguf_field_kind { GGUF_LENGTH /* of the bytes behind it */, GGUF_COUNT, GGUF_NUMBER };

struct gguf_field {
    uint32_t at;
    uint8_t bytes;
    uint8_t kind;
};

struct gguf_record { /* a pair or a tensor's info */
    uint32_t at, end;
};

struct gguf_walk {
    bool big;
    unsigned length_bytes;
    uint64_t tensors, pairs;
    struct gguf_field fields[GGUF_WALK_FIELDS];
    struct gguf_record records[GGUF_WALK_RECORDS]; /* pairs, then tensors */
    size_t field_count, record_count;
    size_t end;         /* of the header */
    uint64_t elements;  /* of all tensors, modulo 2^64 */
    uint64_t name_hash; /* over all names, in any order */
};

/* False when it does not come to the end of the header: it then has what lies before. */
bool gguf_walk(struct gguf_walk *w, const uint8_t *p, size_t n);
uint64_t gguf_walk_hash(const void *name, size_t n);

#endif
