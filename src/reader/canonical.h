/*
 * canonical.h -- one entry of a safetensors header, if it is written exactly as the reference writes it.
 *
 * Only a shortcut: it knows no errors. What it does not take is left to the productions of
 * safetensors.c, which read any JSON and say what is wrong with it.
 */
#ifndef NUMEL_READER_CANONICAL_H
#define NUMEL_READER_CANONICAL_H

#include <numel.h>

enum { CANONICAL_DIMS = 8, CANONICAL_SHAPES = 16 };

struct canonical_shape {
    numel_str text; /* between the brackets */
    uint32_t ndim;
    bool fits; /* elements, in 64 bits */
    uint64_t elements, dims[CANONICAL_DIMS];
    const uint64_t *kept; /* the caller's: its copy of the dims; NULL when the shape is new */
};

/* All zero before the first entry of a text. From entry to entry it remembers what the next one is likely to repeat:
 * the type, some shapes, and the last offset. */
struct canonical {
    numel_str name; /* in the text: plain ASCII, may be empty */
    const numel_dtype *dtype;
    struct canonical_shape *shape;
    uint64_t begin, end;
    uint64_t
        dtype_word; /* the first 8 bytes of its text and of what follows; of a short name that says it all */
    size_t dtype_bytes; /* of the name; 0: it is not short */
    numel_str end_text;
    struct canonical_shape shapes[CANONICAL_SHAPES];
};

/* The entry at the start of n bytes of JSON: how many bytes it takes, 0 if it is not canonical or its dtype is not one of
 * the format's. Also 0 near the end of the text, whatever stands there. */
size_t canonical_entry(const uint8_t *p, uint64_t n, struct canonical *out);

#endif
