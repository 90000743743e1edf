/*
 * metadata.h -- the key/value pairs in a file besides its tensors.
 *
 * GGUF's are typed; safetensors' __metadata__ only has strings. Readers fill the table; configuration and
 * reports read it. Arrays of up to METADATA_COPY bytes are copied. Longer ones are read from the mapped file,
 * under the guard of source/guard.h.
 */
#ifndef NUMEL_REGISTRY_METADATA_H
#define NUMEL_REGISTRY_METADATA_H

#include "base/memory.h"

/* GGUF's value types with GGUF's numbers (gguf.h, enum gguf_type). */
enum metadata_type {
    META_U8,
    META_I8,
    META_U16,
    META_I16,
    META_U32,
    META_I32,
    META_F32,
    META_BOOL,
    META_STRING,
    META_ARRAY,
    META_U64,
    META_I64,
    META_F64,
    META_TYPES
};

enum { METADATA_COPY = 65536 };

struct metadata_value {
    enum metadata_type type; /* the type of the value; never META_ARRAY */
    union {
        uint64_t u; /* U8 to U64, BOOL (as stored, so 2 is possible) */
        int64_t i;  /* I8 to I64 */
        double f;   /* F32, F64 */
        numel_str s;
    };
};

struct metadata_array {
    enum metadata_type type; /* the elements' type; META_ARRAY if nested */
    bool big_endian, mapped; /* mapped: may only be read under the guard */
    uint8_t length_bytes;    /* size of string and array lengths: 4 in GGUF v1, else 8 */
    uint64_t count, bytes;
    const uint8_t *data; /* as in the file */
};

/* Fields are in the most compact order, because a file may have millions of entries. */
struct metadata_entry {
    numel_str key;
    enum metadata_type type;
    uint32_t file;
    uint64_t offset;             /* where the entry is in its file */
    struct metadata_value value; /* unless META_ARRAY */
    struct metadata_array array; /* if META_ARRAY */
};

struct metadata {
    const numel_allocator *memory;
    struct metadata_entry *entries;
    size_t count, cap;
};

void metadata_init(struct metadata *m, const numel_allocator *);
void metadata_done(struct metadata *m);
NUMEL_MUST bool metadata_add(struct metadata *m, const struct metadata_entry *, numel_error *);
/* The first entry with that key; NULL if absent. Linear, so only for the few keys that a command needs. */
const struct metadata_entry *metadata_find(const struct metadata *m, const char *key);
/* Finds the key "SECTION.KEY", such as "llama.block_count"; both parts may contain any bytes. */
const struct metadata_entry *metadata_find_in(const struct metadata *m, numel_str section, numel_str key);

const char *metadata_type_name(enum metadata_type); /* "u32", "string", "array" */
unsigned metadata_type_bytes(enum metadata_type);   /* 0 for string and array */
/* Iterates over an array: *at starts at 0 and advances in bytes. False at the end, and for nested arrays. */
bool metadata_next(const struct metadata_array *, uint64_t *at, struct metadata_value *out);
/* Converts an integer of any width and sign; false for other types, or if it does not fit. */
bool metadata_integer(const struct metadata_value *, int64_t *out);

#endif
