/* gguf_meta.h -- the key/value part of a GGUF header; see gguf.c for the layout. */
#ifndef NUMEL_READER_GGUF_META_H
#define NUMEL_READER_GGUF_META_H

#include "reader/reader.h"

#include "base/cursor.h"
#include "reader/extents.h"

struct gguf {
    struct cursor c;
    struct reading *r;
    uint32_t version;
    unsigned length_bytes; /* of counts, lengths and dims: 4 in v1, else 8 */
    uint64_t n_tensors, n_kv;
    uint64_t alignment;
    uint32_t named[32]; /* element types that a finding has named */
    unsigned named_count;
    int32_t forked; /* the element type that was last found to be a fork's; 0: none */
    bool architecture, split;
    bool
        pictures; /* an architecture that ComfyUI reads and llama.cpp does not: names and shapes are longer */
    bool nul;     /* in the name of some tensor */
};

numel_str gguf_string(struct gguf *g, const char *what);
/* All n_kv pairs, into r->metadata. Sets alignment, architecture, split. */
bool gguf_read_pairs(struct gguf *g);
/* gguf_shape.c: tensors whose shape was changed to be quantized get their own again, as the metadata have it. */
NUMEL_MUST bool gguf_restore_shapes(struct gguf *g);

/* gguf_fork.c: a number that forks took before llama.cpp did, and a row of `row` elements is not a whole number of its blocks: the type
 * becomes an unknown one, and is reported once. False: it is not such a number, or e->code is set (NOMEM). */
NUMEL_MUST bool gguf_fork_row(struct gguf *g, numel_tensor *t, uint64_t row, uint64_t at);
/* gguf_fork.c: *found: tensors of a type take other bytes than llama.cpp's. That is reported, and the type is an unknown one, whose
 * bytes are to be inferred. NOMEM. */
NUMEL_MUST bool gguf_fork_types(struct gguf *g, const struct extents *l, bool *found);

#endif
