/*
 * gguf_walk.h -- an independent reader of GGUF headers, for tests: the position of each field, and the
 * counts.
 *
 * It shares only integer types with the product, and checks only what it needs to stay inside the bytes.
 * Mutators use it to change fields; fuzz targets compare its sums with the product's.
 */
#ifndef NUMEL_TEST_GGUF_WALK_H
#define NUMEL_TEST_GGUF_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GGUF_WALK_FIELDS = 4096, GGUF_WALK_RECORDS = 1024 };

enum gguf_field_kind { GGUF_LENGTH /* bytes after it */, GGUF_COUNT, GGUF_NUMBER };

struct gguf_field {
    uint32_t at;
    uint8_t bytes;
    uint8_t kind;
};

struct gguf_record { /* a pair or a tensor info */
    uint32_t at, end;
};

struct gguf_walk {
    bool big;
    unsigned length_bytes;
    uint64_t tensors, pairs;
    struct gguf_field fields[GGUF_WALK_FIELDS];
    struct gguf_record records[GGUF_WALK_RECORDS]; /* pairs, then tensors */
    size_t field_count, record_count;
    size_t end;         /* size of the header */
    uint64_t elements;  /* elements of all tensors, modulo 2^64 */
    uint64_t name_hash; /* hash over all names, independent of order */
};

/* False if it cannot reach the end of the header; the fields read so far are then filled in. */
bool gguf_walk(struct gguf_walk *w, const uint8_t *p, size_t n);
uint64_t gguf_walk_hash(const void *name, size_t n);

#endif
