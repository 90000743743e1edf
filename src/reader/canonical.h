/*
 * canonical.h -- one entry of a safetensors header, if it is written exactly as the reference writes it.
 *
 * Only a shortcut, without errors. Anything else is left to the productions of
 * safetensors.c, which read any JSON and report what is wrong.
 */
#ifndef NUMEL_READER_CANONICAL_H
#define NUMEL_READER_CANONICAL_H

#include <numel.h>

enum { CANONICAL_DIMS = 8, CANONICAL_SHAPES = 16 };

struct canonical_shape {
    numel_str text; /* between the brackets */
    uint32_t ndim;
    bool fits; /* elements fits in 64 bits */
    uint64_t elements, dims[CANONICAL_DIMS];
    const uint64_t *kept; /* the caller's copy of the dims; NULL if the shape is new */
};

/* All zero before the first entry of a text. Remembers what the next entry is likely to repeat: the type,
 * some shapes, and the last offset. */
struct canonical {
    numel_str name; /* in the text: plain ASCII, may be empty */
    const numel_dtype *dtype;
    struct canonical_shape *shape;
    uint64_t begin, end;
    uint64_t dtype_word; /* the first 8 bytes of its text and what follows; enough to identify a short name */
    size_t dtype_bytes;  /* of the name; 0: not short */
    numel_str end_text;
    struct canonical_shape shapes[CANONICAL_SHAPES];
};

/* Reads the entry at the start of n bytes of JSON. Returns its length; 0 if it is not canonical or its dtype
 * is not in the format. Also 0 near the end of the text. */
size_t canonical_entry(const uint8_t *p, uint64_t n, struct canonical *out);

#endif
