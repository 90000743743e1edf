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
    uint32_t named[32]; /* element types already reported by a finding */
    unsigned named_count;
    int32_t forked; /* the element type last found to be a fork's; 0: none */
    bool architecture, split;
    bool pictures; /* an architecture that ComfyUI reads but llama.cpp does not: longer names and shapes */
    bool nul;      /* in some tensor's name */
};

numel_str gguf_string(struct gguf *g, const char *what);
/* Reads all n_kv pairs into r->metadata. Sets alignment, architecture, split. */
bool gguf_read_pairs(struct gguf *g);
/* gguf_shape.c: restores shapes that were changed for quantization, from the metadata. */
NUMEL_MUST bool gguf_restore_shapes(struct gguf *g);

/* gguf_fork.c: a number that forks used before llama.cpp, and a row of `row` elements is not a whole number
 * of its blocks: the type becomes unknown and is reported once. False if it is not such a number, or e->code
 * is set (NOMEM). */
NUMEL_MUST bool gguf_fork_row(struct gguf *g, numel_tensor *t, uint64_t row, uint64_t at);
/* gguf_fork.c: *found: tensors of a type have other sizes than llama.cpp's. This is reported, and the type
 * becomes unknown, with bytes to be inferred. NOMEM. */
NUMEL_MUST bool gguf_fork_types(struct gguf *g, const struct extents *l, bool *found);

#endif
